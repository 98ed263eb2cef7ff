import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { PackedPackage } from '../docs/packed-package.ts'
import { newFolder } from '../for-one-test.ts'

const workflow = readFileSync('.github/workflows/release.yml', 'utf8')
const { jobs } = parse(workflow) as {
  readonly jobs: Readonly<Record<string, { readonly permissions?: object; readonly steps: readonly Step[] }>>
}

interface Step {
  readonly id?: string
  readonly run?: string
}

const script = (id: string) =>
  Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .find((step) => step.id === id)?.run ?? ''

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
  'The mcpName in package.json and the name in server.json must be io.github.acme/crm.': [
    { version: '1.2.0', changelog: dated, repository, mcpName: 'io.github.acme/other' },
  ],
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
  readonly mcpName?: string
}

function check({ changelog, npm = '11.5.1', ...manifest }: Release) {
  const folder = mkdtempSync(join(tmpdir(), 'crm-sandbox-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'crm-sandbox', mcpName: 'io.github.acme/crm', ...manifest }),
  )
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

it('publishes the file that it packed and tried, without a token', () => {
  expect(jobs.publish?.permissions).toMatchObject({ 'id-token': 'write' })
  expect(workflow).not.toMatch(/secrets|TOKEN|registry/)
  using installed = new PackedPackage()
  const folder = dirname(installed.tarball)
  const published = runStep(`${script('publish')} --dry-run --offline --ignore-scripts`, folder)
  expect(published.stdout, published.stderr).toBe(`+ crm-sandbox@${version}\n`)
})

it('refuses a package with missing or unexpected files', () => {
  using installed = new PackedPackage()
  const folder = newFolder()
  mkdirSync(join(folder, '.ci'))
  writeFileSync(join(folder, '.ci/node-versions.json'), '[22]')
  copyFileSync(installed.tarball, join(folder, `crm-sandbox-${version}.tgz`))
  const list = () => runStep(script('list').replace('"$GITHUB_OUTPUT"', 'outputs'), folder)
  expect(list()).toMatchObject({ status: 0, stdout: '' })
  expect(readFileSync(join(folder, 'outputs'), 'utf8')).toBe('node=[22]\n')
  mkdirSync(join(folder, 'package'))
  writeFileSync(join(folder, 'package/.env'), '')
  spawnSync('tar', ['-czf', `crm-sandbox-${version}.tgz`, 'package'], { cwd: folder })
  expect(list()).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/::error::.*: package\/ package\/\.env\n/) as string,
  })
})

it('tries the package in an empty project', () => {
  using installed = new PackedPackage()
  const folder = newFolder()
  copyFileSync(installed.tarball, join(folder, `crm-sandbox-${version}.tgz`))
  const options = 'export npm_config_prefer_offline=true npm_config_omit=optional NODE_OPTIONS=\n'
  const tried = runStep(options + script('try'), folder)
  expect(tried.status, tried.stdout + tried.stderr).toBe(0)
  expect(tried.stdout).toMatch(/^. pass 1$/m)
})

it('names the package for the registry of MCP servers as package.json does', () => {
  const server = JSON.parse(readFileSync('server.json', 'utf8')) as Record<string, unknown>
  expect(server).toMatchObject({ name: manifest.mcpName, version, packages: [{ identifier: manifest.name, version }] })
})

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<Record<string, string>>
const { version } = manifest
