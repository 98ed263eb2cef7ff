import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { PackedPackage } from '../docs/packed-package.ts'

const workflow = readFileSync('.github/workflows/release.yml', 'utf8')
const { jobs } = parse(workflow) as {
  readonly jobs: { readonly publish: { readonly permissions: object; readonly steps: readonly Step[] } }
}

interface Step {
  readonly id?: string
  readonly run?: string
}

const script = (id: string) => jobs.publish.steps.find((step) => step.id === id)?.run ?? ''

/** Runs a step in a folder, as GitHub does for the tag v1.2.0 of acme/crm. */
function runStep(script: string, cwd: string, path = process.env.PATH) {
  const env = { HOME: cwd, PATH: path, GITHUB_REPOSITORY: 'acme/crm', GITHUB_REF_NAME: 'v1.2.0' }
  return spawnSync('bash', ['-eo', 'pipefail', '-c', script], { cwd, env, encoding: 'utf8' })
}

const repository = { type: 'git', url: 'git+https://github.com/acme/crm.git' }
const dated = '## [1.2.0] - 2026-03-01'

const refused = {
  'The repository in package.json must be https://github.com/acme/crm, since npm compares it with that of this workflow.':
    [
      { version: '1.2.0', changelog: dated },
      { version: '1.2.0', changelog: dated, repository: { url: 'https://github.com/acme/crm-fork' } },
    ],
  'The tag is v1.2.0, but the version is 1.3.0.': [{ version: '1.3.0', changelog: dated, repository }],
  'CHANGELOG.md has no date for 1.2.0.': [{ version: '1.2.0', changelog: '## [1.2.0] - Unreleased', repository }],
  'Publishing without a token needs npm 11.5.1 or later, and this is npm 10.9.4.': [
    { version: '1.2.0', changelog: dated, repository, npm: '10.9.4' },
  ],
} satisfies Record<string, Release[]>

it.each(Object.entries(refused))('ends with one sentence: %s', (sentence, releases) => {
  for (const release of releases) expect(check(release)).toMatchObject({ status: 1, stdout: `::error::${sentence}\n` })
})

it('accepts a version with its tag, its date and its repository', () =>
  expect(check({ version: '1.2.0', changelog: dated, repository })).toMatchObject({ status: 0, stdout: '' }))

interface Release {
  readonly version: string
  readonly repository?: object
  readonly changelog: string
  readonly npm?: string
}

function check({ changelog, npm = '11.5.1', ...manifest }: Release) {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'crm-sandbox', ...manifest }))
  writeFileSync(join(folder, 'CHANGELOG.md'), `# Changelog\n\n${changelog}\n`)
  return runStep(script('check'), folder, withNpm(npm, folder))
}

/** A PATH with an npm that prints this version, and is otherwise the installed one. */
function withNpm(version: string, folder: string): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const installed = `PATH="\${PATH#*${delimiter}}" exec npm "$@"`
  const npm = `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else ${installed}; fi\n`
  writeFileSync(join(bin, 'npm'), npm, { mode: 0o755 })
  return [bin, process.env.PATH].join(delimiter)
}

it('publishes the package without a token', () => {
  expect(jobs.publish.permissions).toMatchObject({ 'id-token': 'write' })
  expect(workflow).not.toMatch(/secrets|TOKEN|registry/)
  using installed = new PackedPackage()
  installed.unpack()
  const folder = join(installed.folder, 'node_modules/crm-sandbox')
  const published = runStep(`${script('publish')} --dry-run --offline --ignore-scripts`, folder)
  expect(published.stdout, published.stderr).toBe(`+ crm-sandbox@${installed.manifest.version}\n`)
})
