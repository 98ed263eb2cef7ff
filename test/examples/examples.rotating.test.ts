import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { type Command, installOnce, run } from '../docs/install.ts'
import { PackedPackage } from '../docs/packed-package.ts'

// The projects of examples/, each with the packed package.

let installed: PackedPackage
beforeAll(() => {
  installed = new PackedPackage()
  installed.unpack()
  for (const name of ['vitest', 'axios']) installed.borrow(name)
  const bin = join(installed.folder, 'node_modules/.bin')
  mkdirSync(bin)
  symlinkSync('../crm-sandbox/dist/cli.js', join(bin, 'crm-sandbox'))
  symlinkSync(resolve('node_modules/.bin/vitest'), join(bin, 'vitest'))
})
afterAll(() => installed[Symbol.dispose]())

describe.concurrent('the example', () => {
  it('vitest-workers: eight workers share a sandbox without disturbing each other', async () => {
    const folder = layOut('vitest-workers')
    const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=report.json']
    const printed = await runIn(folder, ['npm', 'test', '--', ...reporters])
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Record<string, unknown>
    expect(report, printed).toMatchObject({ success: true, numPassedTests: 9 })
    expect(report.testResults).toHaveLength(8)
  })

  it('axios-fixed-host: a client reaches the sandbox at the host of the real service', async () => {
    const folder = layOut('axios-fixed-host')
    expect(readFileSync(join(folder, 'greet.js'), 'utf8')).not.toContain('sandbox')
    expect(await runIn(folder, ['npm', 'test'])).toMatch(/^. pass 2$/m)
  })

  it('retry-with-a-key: a client survives lost responses, and sends once', async () => {
    expect(await runIn(layOut('retry-with-a-key'), ['npm', 'test'])).toMatch(/^. pass 6$/m)
  })

  it('python-httpx: a Python client calls the server', async ({ skip }) => {
    const folder = layOut('python-httpx')
    const python = resolve('node_modules/.cache/examples/python-httpx')
    const requirements = join(folder, 'requirements.txt')
    const install: Command[] = [
      ['python3', '-m', 'venv', python],
      [`${python}/bin/pip`, 'install', '--quiet', '--requirement', requirements],
    ]
    const missing = await installOnce(install, readFileSync(requirements, 'utf8'), { cwd: python })
    if (missing !== undefined) {
      console.log(`Skipped python-httpx: ${missing}`)
      skip(missing)
    }
    const printed = await runIn(folder, ['sh', '-c', 'npm test 2>&1'], {
      PATH: `${python}/bin:${process.env.PATH ?? ''}`,
    })
    expect(printed).toMatch(/Ran 3 tests[^]*OK/)
  })

  it('github-workflow: it runs the tests with a sandbox', async () => {
    const folder = layOut('github-workflow')
    const { jobs } = parse(readFileSync(join(folder, '.github/workflows/test.yml'), 'utf8')) as Workflow
    const scripts = jobs.test.steps.flatMap(({ run = 'npm ci' }) => (run === 'npm ci' ? [] : run))
    expect(await runIn(folder, ['bash', '-ec', scripts.join('\n')])).toMatch(/^. pass 1$/m)
  })
})

it('is in the list of examples', () => {
  const folders = readdirSync('examples', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const listed = [...readFileSync('examples/README.md', 'utf8').matchAll(/^\| `([\w-]+)` /gm)].map(([, name]) => name)
  expect(listed.toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
})

interface Workflow {
  readonly jobs: {
    readonly test: { readonly steps: readonly { readonly run?: string }[] }
  }
}

function layOut(name: string): string {
  const folder = join(installed.folder, name)
  cpSync(join('examples', name), folder, { recursive: true })
  symlinkSync('../node_modules', join(folder, 'node_modules'))
  return folder
}

/** Node's test runner and vitest must not see the variables of this run. */
function runIn(cwd: string, command: Command, variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const { VITEST, NODE_ENV, ...env } = process.env
  return run(command, { cwd, env: { ...env, ...variables } })
}
