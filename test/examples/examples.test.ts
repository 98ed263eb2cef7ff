import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { Parcel } from '../docs/parcel.ts'

// The projects of examples/, each beside the package as it is published.

let parcel: Parcel
beforeAll(() => {
  parcel = new Parcel()
  parcel.unpack()
  for (const name of ['vitest', 'axios']) parcel.borrow(name)
  const bin = join(parcel.folder, 'node_modules/.bin')
  mkdirSync(bin)
  symlinkSync('../crm-sandbox/dist/cli.js', join(bin, 'crm-sandbox'))
  symlinkSync(resolve('node_modules/.bin/vitest'), join(bin, 'vitest'))
}, 60_000)
afterAll(() => {
  parcel[Symbol.dispose]()
})

describe.concurrent('the example', () => {
  it('vitest-workers: eight workers share a sandbox, and none sees another', async () => {
    const folder = layOut('vitest-workers')
    const printed = await run(
      'npm',
      ['test', '--', '--reporter=default', '--reporter=json', '--outputFile.json=report.json'],
      folder,
    )
    const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Record<string, unknown>
    expect(report, printed).toMatchObject({ success: true, numPassedTests: 9 })
    expect(report.testResults).toHaveLength(8)
  })

  it('axios-fixed-host: a client reaches the sandbox at the host of the real service', async () => {
    const folder = layOut('axios-fixed-host')
    expect(readFileSync(join(folder, 'greet.js'), 'utf8')).not.toContain('sandbox')
    expect(await run('npm', ['test'], folder)).toMatch(/^. pass 2$/m)
  })

  it('retry-with-a-key: a client survives lost answers, and sends once', async () => {
    expect(await run('npm', ['test'], layOut('retry-with-a-key'))).toMatch(/^. pass 6$/m)
  })

  it('python-httpx: a Python client asks the server', async ({ skip }) => {
    const folder = layOut('python-httpx')
    const python = resolve('node_modules/.cache/examples/python-httpx')
    const lack = await installPython(python, join(folder, 'requirements.txt'))
    if (lack !== undefined) {
      console.log(`Skipped python-httpx: ${lack}`)
      skip(lack)
    }
    const printed = await run('npm', ['test'], folder, { PATH: `${python}/bin:${process.env.PATH ?? ''}` })
    expect(printed).toMatch(/Ran 3 tests[^]*OK/)
  })

  it('github-workflow: its steps start the server and test against it', async ({ onTestFinished }) => {
    onTestFinished(() => {
      process.kill(pidIn(folder)) // the runner of a workflow ends what its steps have left
    })
    const folder = layOut('github-workflow')
    const { jobs } = parse(readFileSync(join(folder, '.github/workflows/test.yml'), 'utf8')) as Workflow
    const steps = jobs.test.steps.filter(({ run, if: when }) => run !== 'npm ci' && when === undefined)
    const variables = join(folder, 'variables')
    writeFileSync(variables, '')
    const printed = []
    for (const { run: script = '', env } of steps) {
      const known = Object.fromEntries(readFileSync(variables, 'utf8').trim().split('\n').map(readVariable))
      printed.push(await run('bash', ['-ec', script], folder, { GITHUB_ENV: variables, ...known, ...env }))
    }
    expect(printed.join('')).toMatch(/^. pass 1$/m)
  })
})

it('is in the list of examples', () => {
  const folders = readdirSync('examples', { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const listed = [...readFileSync('examples/README.md', 'utf8').matchAll(/^\| `([\w-]+)` /gm)].map(([, name]) => name)
  expect(listed.toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
})

interface Workflow {
  readonly jobs: {
    readonly test: {
      readonly steps: readonly { readonly run?: string; readonly env?: Record<string, string>; readonly if?: string }[]
    }
  }
}

function layOut(name: string): string {
  const folder = join(parcel.folder, name)
  cpSync(join('examples', name), folder, { recursive: true })
  symlinkSync('../node_modules', join(folder, 'node_modules'))
  return folder
}

/** Why it cannot be tried here, once what it needs was installed. */
async function installPython(folder: string, requirements: string): Promise<string | undefined> {
  const wanted = readFileSync(requirements, 'utf8')
  const stamp = join(folder, '.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return undefined
  mkdirSync(folder, { recursive: true })
  try {
    await run('python3', ['-m', 'venv', folder], folder)
    await run(join(folder, 'bin/pip'), ['install', '--quiet', '--requirement', requirements], folder)
  } catch (error) {
    return `what it needs could not be installed (${String(error).trim().split('\n').at(-1) ?? ''})`
  }
  writeFileSync(stamp, wanted)
  return undefined
}

const readVariable = (line: string): [string, string] => {
  const [name = '', ...value] = line.split('=')
  return [name, value.join('=')]
}

function pidIn(folder: string): number {
  return (JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8')) as { pid: number }).pid
}

async function run(program: string, args: string[], cwd: string, variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const { VITEST, NODE_ENV, ...env } = process.env
  const asked = promisify(execFile)(program, args, { cwd, env: { ...env, ...variables }, timeout: 120_000 })
  const { stdout, stderr } = await asked.catch((failure: unknown) => {
    const { stdout = '', stderr = '' } = failure as { stdout?: string; stderr?: string }
    throw new Error([`${program} ${args.join(' ')} failed`, stdout.slice(-8000), stderr.slice(-8000)].join('\n'))
  })
  return stdout + stderr
}
