import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFrom } from './docs/start-from.ts'
import { Parcel } from './docs/parcel.ts'

// The package as it is published, opened beside its dependencies alone. test/long installs it for good.

let parcel: Parcel
beforeAll(() => {
  parcel = new Parcel()
  parcel.unpack()
}, 60_000)
afterAll(() => {
  parcel[Symbol.dispose]()
})

it.each([
  'README.md',
  'CHANGELOG.md',
  'DEPENDENCIES.md',
  'LICENSE',
  'docs/assumptions.md',
  'docs/control-plane.md',
  'docs/worlds.md',
  'dist/spec/generated/openapi.json',
  'dist/fixtures/worlds/demo.yaml',
  'dist/fixtures/worlds/two-teams.yaml',
  'dist/fixtures/worlds/empty.yaml',
  'dist/fixtures/stories/shop.json',
  'dist/fixtures/index.d.ts',
  'dist/bundle/fixtures.cjs',
  'dist/bundle/LICENSES.txt',
])('holds %s', (file) => {
  expect(parcel.files).toContain(file)
})

it('holds no test, no source, and no map to one', () => {
  const strange = parcel.files.filter((file) => /\.test\.|\.map$|(?<!\.d)\.ts$|^(?:test|bench|scripts)\//.test(file))
  expect(strange).toEqual([])
  expect(parcel.files.filter((file) => parcel.read(file).includes('sourceMappingURL='))).toEqual([])
})

it('holds no path of the machine that packed it', () => {
  const told = [process.cwd(), homedir()].filter((path) => path.length > 1)
  expect(parcel.files.filter((file) => told.some((path) => parcel.read(file).includes(`${path}/`)))).toEqual([])
})

it('names no file for the folder of the checkout', () => {
  const ofBundle = parcel.files.filter((file) => file.startsWith('dist/bundle/'))
  expect(ofBundle.filter((file) => basename(file).startsWith(`${basename(process.cwd())}-`))).toEqual([])
})

it('is smaller than a photograph', () => {
  console.log(`The package: ${Math.round(parcel.size / 1024)} KiB, ${parcel.files.length} files.`)
  expect(parcel.size).toBeLessThan(1280 * 1024)
})

it('asks for no package but those that it names', () => {
  const { name, dependencies, optionalDependencies } = parcel.manifest
  const named = [name, ...Object.keys({ ...dependencies, ...optionalDependencies })]
  const code = parcel.files.filter((file) => /\.c?js$/.test(file) && !file.includes('swagger-ui'))
  const asked = code.flatMap((file) => packagesIn(parcel.read(file)))
  expect(asked).toContain('yaml')
  expect([...new Set(asked)].filter((name) => !isBuiltin(name) && !named.includes(name))).toEqual([])
})

it('names the licence of each package whose code it holds', () => {
  const licences = parcel.read('dist/bundle/LICENSES.txt')
  for (const name of ['fastify', 'find-my-way', 'commander', 'jose', 'lowdb']) {
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, 'm'))
  }
})

it('needs nothing but its dependencies to serve', async () => {
  await using served = await startFrom(parcel, 'node', program)
  const answer = await fetch(`${served.url}/api/templates?page=1&limit=10&types=sms&statuses=approved`, {
    headers: { 'x-api-key': 'demo-key' },
  })
  expect(await answer.json()).toMatchObject({ success: true, message: '1 template' })
  const page = await (await fetch(`${served.url}/docs`)).text()
  expect(page).toContain('<title>CRM Integrator REST API</title>')
  for (const [, url = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect((await fetch(served.url + url)).status, url).toBe(200)
  }
})

it('says what is missing when nothing optional was installed, and how to add it', () => {
  const { status, stderr } = spawnSync('node', [program, 'verify'], { cwd: parcel.folder, encoding: 'utf8' })
  const { pactum = '', vitest = '' } = parcel.manifest.optionalDependencies
  const how = `add them with: npm install vitest@${vitest} pactum@${pactum}`
  expect(stderr).toBe(`error: verify needs vitest and pactum, which are not installed; ${how}\n`)
  expect(status).toBe(2)
})

it('says the same to a program that verifies', () => {
  const program = parcel.write('verifying.mjs', verifying)
  expect(parcel.run('node', program)).toMatch(/^CannotRun verify needs vitest and pactum, which are not installed; add/)
})

it('can be required too, with the same parts, and under the loader of Jest', () => {
  const program = parcel.write('required.cjs', requiring)
  expect(parcel.run('node', program)).toBe('201 true CannotStart true\n')
  const world = 'teams: []\n'
  parcel.write('none.yaml', world)
  // Jest, as a module loader of its own, gives no dynamic import to what it loads.
  expect(parcel.run('node', parcel.write('loaded.cjs', loadingAsJest))).toBe('200 0\n')
})

it('has types for those who require it, and for older settings of TypeScript', { timeout: 120_000 }, () => {
  for (const name of ['@types/node', 'undici-types']) parcel.borrow(name)
  parcel.write('typed.cts', typedForRequire)
  const compile = (...settings: string[]) =>
    parcel.run('node', tsc, '--strict', '--noEmit', '--types', 'node', ...libraries, ...settings)
  parcel.write('steering.cts', typedForSteering)
  expect(compile('--module', 'nodenext', 'typed.cts', 'steering.cts')).toBe('')
  parcel.write('typed-before.ts', typedForRequire)
  expect(compile('--module', 'commonjs', '--moduleResolution', 'node10', '--skipLibCheck', 'typed-before.ts')).toBe('')
})

it('has a client of the control plane that can be imported and required', async () => {
  await using served = await startFrom(parcel, 'node', program)
  parcel.write('steer.mjs', `import { control } from 'crm-sandbox/control'\n${steering}`)
  parcel.write('steer.cjs', `const { control } = require('crm-sandbox/control');\n(async () => {${steering}})()`)
  for (const file of ['steer.mjs', 'steer.cjs']) expect(parcel.run('node', file, served.url)).toBe('Globex 404\n')
})

it('can be imported, and its contracts with what is optional', () => {
  for (const name of Object.keys(parcel.manifest.optionalDependencies)) parcel.borrow(name)
  const imported = parcel.write('imported.mjs', importing)
  expect(parcel.run('node', imported)).toBe('200 1.0.0 function\n')
})

describe('what was compiled at a start', () => {
  const folder = () => join(parcel.folder, 'node_modules/crm-sandbox/dist/bundle')
  const version = () => parcel.run('node', program, '--version')
  const keptOf = (part: string) => {
    const files = readdirSync(join(folder(), 'compiled'), { recursive: true, encoding: 'utf8' })
    return join(folder(), 'compiled', files.find((file) => file.includes(part)) ?? '')
  }

  it('is kept for the next, which does not write it again', () => {
    version()
    const { mtimeMs, size } = statSync(keptOf('commands-'))
    expect(size).toBeGreaterThan(1000)
    expect(version()).toBe('0.1.0\n')
    expect(statSync(keptOf('commands-')).mtimeMs).toBe(mtimeMs)
  })

  it.each([
    ['cut', (good: Buffer) => good.subarray(0, 100)],
    ['empty', () => Buffer.alloc(0)],
    ['damaged', (good: Buffer) => Buffer.from(good).fill(7, good.length / 2)],
  ])('is compiled anew when what was kept is %s', (_how, damage) => {
    version()
    const file = keptOf('commands-')
    const good = readFileSync(file)
    writeFileSync(file, damage(good))
    expect(version()).toBe('0.1.0\n')
    expect(readFileSync(file).length).toBeGreaterThan(1000)
  })

  it('is compiled anew when the code is other code, though of the same length', () => {
    version()
    const file = join(folder(), readdirSync(folder()).find((name) => name.startsWith('commands-')) ?? '')
    const code = readFileSync(file, 'utf8')
    writeFileSync(file, code.replaceAll('what the specification leaves open', 'WHAT THE SPECIFICATION LEAVES OPEN'))
    expect(parcel.run('node', program, '--help')).toContain('WHAT THE SPECIFICATION')
    writeFileSync(file, code)
    expect(parcel.run('node', program, '--help')).toContain('what the specification')
  })

  it('is not kept where nothing may be written, or when Node is told to keep nothing', () => {
    rmSync(join(folder(), 'compiled'), { recursive: true, force: true })
    writeFileSync(join(folder(), 'compiled'), 'no folder')
    expect(version()).toBe('0.1.0\n')
    rmSync(join(folder(), 'compiled'))
    expect(parcel.run('env', 'NODE_DISABLE_COMPILE_CACHE=1', 'node', program, '--version')).toBe('0.1.0\n')
    expect(existsSync(join(folder(), 'compiled'))).toBe(false)
  })
})

const tsc = resolve('node_modules/typescript/bin/tsc')
const libraries = ['--target', 'es2022', '--lib', 'es2023,esnext.disposable,dom']

const program = 'node_modules/crm-sandbox/dist/bundle/cli.cjs'

/** The packages that a file imports or requires. */
function packagesIn(code: string): string[] {
  const statements = code.matchAll(/^(?:import|(?:import|export|\})[^'"\n]*\bfrom)\s*(['"])([\w@][\w@/.-]*)\1;?$/gm)
  const calls = code.matchAll(/\b(?:require|import|importOther)\((["'`])([\w@][\w@/.-]*)\1\)/g)
  return [...statements, ...calls].map(([, , id = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id)
}

const importing = `
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createSandbox } from 'crm-sandbox'
import { verify } from 'crm-sandbox/contracts'

const sandbox = await createSandbox({ store: 'file:./crm.json' })
const { status } = await sandbox.fetch('/openapi.json')
await sandbox.close()
const document = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('crm-sandbox/openapi.json')), 'utf8'))
console.log(status, document.info.version, typeof verify)
`

const verifying = `
import { verify } from 'crm-sandbox/contracts'

await verify({ baseUrl: 'http://127.0.0.1:1', env: { CRM_API_KEY: 'demo-key' } }).catch((error) => {
  console.log(error.name, error.message)
})
`

const requiring = `
const { createSandbox, CannotStart, assumptions } = require('crm-sandbox')

async function run() {
  const sandbox = await createSandbox({ port: 0 })
  const answer = await fetch(sandbox.url + '/api/contacts', {
    method: 'POST',
    headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace' }),
  })
  await sandbox.close()
  const error = await createSandbox({ prot: 1 }).catch((why) => why)
  const imported = await import('crm-sandbox')
  console.log(answer.status, imported.assumptions === assumptions, error.name, error instanceof CannotStart)
}
run()
`

const loadingAsJest = `
const { readFileSync } = require('node:fs')
const { dirname } = require('node:path')
const { compileFunction, createContext, runInContext } = require('node:vm')
const { createRequire } = require('node:module')

const context = createContext({})
const modules = new Map()
function load(file) {
  if (modules.has(file)) return modules.get(file).exports
  const module = { exports: {} }
  modules.set(file, module)
  const find = createRequire(file)
  const requireIn = (id) => {
    const found = find.resolve(id)
    return found.startsWith('/') && /\\.[cm]?js$/.test(found) ? load(found) : find(id)
  }
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname', 'process', 'URL', 'Buffer']
  const run = compileFunction(readFileSync(file, 'utf8'), parameters, { filename: file, parsingContext: context })
  run(module.exports, requireIn, module, file, dirname(file), process, URL, Buffer)
  return module.exports
}

async function run() {
  const { createSandbox } = load(require.resolve('crm-sandbox'))
  const sandbox = await createSandbox({ world: 'none.yaml', port: 0 })
  console.log((await fetch(sandbox.url + '/docs')).status, (await sandbox.teams()).length)
  await sandbox.close()
}
run()
`

const steering = `
const sandbox = control({ url: process.argv[2] })
const { teamId } = await sandbox.teams.create({ name: 'Globex' })
const { name } = await sandbox.teams.get(teamId)
console.log(name, await sandbox.teams.get('nobody').catch((refused) => refused.status))
`

const typedForSteering = `
import { control, type Controls, Refused } from 'crm-sandbox/control'

const sandbox: Controls = control({ url: 'http://127.0.0.1:4010' })
// @ts-expect-error there is no such role
void sandbox.tokens.sign({ role: 'owner' })
export const refused: Refused = new Refused(400, 'no')
`

const typedForRequire = `
import { CannotStart, createSandbox, type SandboxOptions, type World } from 'crm-sandbox'

const world: World = { teams: [] }
const options: SandboxOptions = { world, port: 0 }
export async function start() {
  const sandbox = await createSandbox(options)
  const error: CannotStart = new CannotStart(sandbox.url)
  // @ts-expect-error there is no such option
  await createSandbox({ prot: 1 })
  return error
}
`
