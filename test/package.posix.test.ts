import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PackedPackage } from './docs/packed-package.ts'
import { inTier, sampleOf, tier } from './tier.ts'

// The packed package, unpacked next to its dependencies. test/long installs it with npm.

/** The compiler and the linters of packages take as long as all other tests here; test/readme compiles in each tier. */
const isThorough = tier !== 'test'

let installed: PackedPackage
beforeAll(() => {
  installed = new PackedPackage()
  installed.unpack()
  for (const name of [...optional, '@types/node', 'undici-types']) installed.borrow(name)
})
afterAll(() => installed[Symbol.dispose]())

describe('the tarball', () => {
  it('holds the build, the documentation, the changelog and the action, and nothing else', () => {
    const others = installed.files.filter((file) => !/^(?:dist|docs)\//.test(file))
    expect(others.toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'action.yml', 'package.json'])
    expect(installed.files).toContain('docs/assumptions.md')
    expect(installed.files).not.toContain('dist/.built')
    const sources = installed.files.filter((file) => /\.test\.|\.[mc]?ts$/.test(file.replace(/\.d\.c?ts$/, '')))
    expect(sources).toEqual([])
  })

  it('begins the comments of its types on lines of their own, where editors find them', () => {
    const types = installed.files.filter((file) => /\.d\.c?ts$/.test(file))
    expect(types.length).toBeGreaterThan(5)
    expect(types.filter((file) => /^ *\S.*; \/\*\*/m.test(installed.read(file)))).toEqual([])
  })

  it('has no path of the machine that packed it', () => {
    const paths = [process.cwd(), homedir()].filter((path) => path.length > 1)
    expect(installed.files.filter((file) => paths.some((path) => installed.read(file).includes(`${path}/`)))).toEqual(
      [],
    )
  })

  it('imports only declared packages', () => {
    const { name, dependencies, optionalDependencies, peerDependencies } = installed.manifest
    const declared = [name, ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })]
    const imported = installed.files
      .filter((file) => /\.c?js$|\.d\.c?ts$/.test(file))
      .flatMap((file) => packagesIn(installed.read(file)))
      .filter((imported) => !isBuiltin(imported))
    expect(imported).toContain('yaml')
    expect([...new Set(imported)].filter((imported) => !declared.includes(imported))).toEqual([])
  })

  it.runIf(isThorough)('is correct for publint', async () => {
    const { messages } = await publint({ pkgDir: resolve(installed.folder, 'node_modules/crm-sandbox'), strict: true })
    expect(messages).toEqual([])
  })

  it.runIf(isThorough)('is correct for arethetypeswrong', () => {
    // YAML is not imported.
    const options = ['--profile', 'node16', '--exclude-entrypoints', './flows.arazzo.yaml']
    const attw = spawnSync('node_modules/.bin/attw', [installed.tarball, ...options], { encoding: 'utf8' })
    expect(attw.status, attw.stdout).toBe(0)
  })
})

describe('the installed package', () => {
  it('serves the API and the documentation', async () => {
    await using served = await installed.serve('node', program)
    const response = await fetch(`${served.url}/api/templates?page=1&limit=10&types=sms&statuses=approved`, {
      headers: { 'x-api-key': 'demo-key' },
    })
    expect(await response.json()).toMatchObject({ success: true, message: '1 template' })
    const page = await fetch(`${served.url}/docs`)
    const html = await page.text()
    expect(html).toContain('<title>CRM Integrator REST API</title>')
    for (const [, url = ''] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await fetch(new URL(url, page.url))).status, url).toBe(200)
    }
  })

  it.each([
    'serve --help',
    'assumptions keyScope',
    'world --contacts 3 --seed 1',
    'verify --list --only quotes',
    ...['learn', 'compare', 'sweep', 'seed', 'requests'].map((command) => `${command} --help`),
  ])('runs the command %s', (line) => expect(installed.run('node', program, ...line.split(' '))).not.toBe(''))

  it('can be imported and required, and both have the same exports', () => {
    const names = ['', '/control', '/client', '/fixtures', '/vitest', '/contracts'].map((path) => `crm-sandbox${path}`)
    installed.write('exports.mjs', `for (const name of ${JSON.stringify(names)}) ${printExports('await import(name)')}`)
    installed.write('exports.cjs', `for (const name of ${JSON.stringify(names)}) ${printExports('require(name)')}`)
    const imported = installed.run('node', 'exports.mjs')
    expect(installed.run('node', 'exports.cjs')).toBe(imported)
    expect(imported).toMatch(/createSandbox[^]*sandboxFixtures[^]*verify/)
  })

  it.each(['mjs', 'cjs'])('starts a sandbox with a file store and steers it over HTTP (.%s)', (extension) => {
    installed.write(`use.${extension}`, usage(extension === 'mjs' ? esm : cjs))
    expect(installed.run('node', `use.${extension}`)).toBe('201 Globex 404 CannotStart\n')
  })

  it('requires only packages that Jest can load, and has no dynamic import, which Jest lacks', () => {
    const code = installed.files.filter((file) => file.endsWith('.cjs')).map((file) => installed.read(file))
    const required = new Set(code.flatMap(packagesIn).filter((name) => !isBuiltin(name) && name !== 'vitest'))
    expect(required).toContain('fastify')
    expect([...required].filter((name) => isModuleOnly(name))).toEqual([])
    expect(code.filter((text) => /[^.\w]import\(/.test(text))).toEqual([])
  })

  it('generates worlds in Jest with jsdom, which lacks some globals, and cannot load faker', () => {
    const missing = `
      delete globalThis.TextDecoder; delete globalThis.TextEncoder
      const { Module } = require('node:module')
      const load = Module._load
      Module._load = (name, ...others) => {
        if (name.startsWith('@faker-js/')) throw new Error('It is an ES module')
        return load(name, ...others)
      }`
    const code = `${missing}; require('crm-sandbox/fixtures').generateWorld().then(({ teams }) => console.log(teams.length))`
    expect(installed.run('node', '-e', code)).toBe('1\n')
  })

  const resolutions = [
    ['nodenext', 'nodenext', 'consumer.cts'],
    ['node16', 'node16', 'consumer.mts'],
    ['esnext', 'bundler', 'consumer.mts'],
  ] as const
  it.each(sampleOf(resolutions, inTier({ test: 0, ci: 1, nightly: 3 })))(
    'has types for module %s with moduleResolution %s in %s',
    (module, resolution, file) => {
      installed.write(file, consumer)
      const settings = ['--module', module, '--moduleResolution', resolution, '--skipLibCheck', 'false']
      expect(installed.run('node', tsc, ...strict, ...settings, file)).toBe('')
    },
  )
})

describe('verify', () => {
  it('says which packages are missing and how to add them, as mcp does', () => {
    using bare = new PackedPackage()
    bare.unpack()
    const { status, stderr } = spawnSync('node', [program, 'verify'], { cwd: bare.folder, encoding: 'utf8' })
    const { pactum = '', vitest = '' } = bare.manifest.optionalDependencies
    const how = `add them with: npm install vitest@${vitest} pactum@${pactum}`
    expect(stderr).toBe(`error: verify needs vitest and pactum, which are not installed; ${how}\n`)
    expect(status).toBe(2)
    const verifying = bare.write('verifying.mjs', verifyingWithout)
    expect(bare.run('node', verifying)).toMatch(/^CannotRun verify needs vitest and pactum, which are not installed/)
    const { stderr: ofMcp } = spawnSync('node', [program, 'mcp'], { cwd: bare.folder, encoding: 'utf8' })
    const [[peer, version] = []] = Object.entries(bare.manifest.peerDependencies)
    const add = `add it with: npm install ${peer}@${version}`
    expect(ofMcp).toBe(`error: mcp needs @modelcontextprotocol/server, which is not installed; ${add}\n`)
  })

  it('runs the checks of the installed package', () =>
    expect(installed.run('node', program, 'verify', '--only', 'quotes')).toMatch(/\b0 broken\b|every promise|kept/))
})

const program = 'node_modules/crm-sandbox/dist/cli.js'
const optional = ['vitest', 'pactum']
const tsc = resolve('node_modules/typescript/bin/tsc')
const strict = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --types node'
  .concat(' --target es2022 --lib es2023,esnext.disposable,dom')
  .split(' ')

/** The packages that a file imports or requires. */
function packagesIn(code: string): string[] {
  const statements = code.matchAll(/^(?:import|(?:import|export|\})[^'"\n]*\bfrom)\s*(['"])([\w@][\w@/.-]*)\1;?$/gm)
  const calls = code.matchAll(/\b(?:require|import)\((["'`])([\w@][\w@/.-]*)\1\)/g)
  return [...statements, ...calls].map(([, , id = '']) => /^(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? id)
}

function isModuleOnly(name: string): boolean {
  const { type, main, exports } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')) as Manifest
  return type === 'module' && !JSON.stringify([main, exports]).includes('.cjs')
}

interface Manifest {
  readonly type?: string
  readonly main?: unknown
  readonly exports?: unknown
}

const printExports = (loading: string) =>
  `console.log(name, Object.keys(${loading}).filter((key) => key !== 'default' && key !== 'module.exports').sort().join())\n`

const esm = `import { createSandbox, CannotStart } from 'crm-sandbox'\nimport { control } from 'crm-sandbox/control'\n`
const cjs = `const { createSandbox, CannotStart } = require('crm-sandbox')\nconst { control } = require('crm-sandbox/control')\n`

const usage = (imports: string) => `${imports}
async function run() {
  const sandbox = await createSandbox({ port: 0, store: 'file:./crm-' + process.pid + '.json' })
  const created = await fetch(sandbox.url + '/api/contacts', {
    method: 'POST',
    headers: { 'x-api-key': 'demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace' }),
  })
  const elsewhere = control({ url: sandbox.url })
  const { teamId } = await elsewhere.teams.create({ name: 'Globex' })
  const { name } = await elsewhere.teams.get(teamId)
  const refused = await elsewhere.teams.get('nobody').catch((error) => error.status)
  await sandbox.close()
  const error = await createSandbox({ prot: 1 }).catch((reason) => reason)
  console.log(created.status, name, refused, error instanceof CannotStart && error.name)
}
run()
`

const verifyingWithout = `
import { verify } from 'crm-sandbox/contracts'

await verify({ baseUrl: 'http://127.0.0.1:1', env: { CRM_API_KEY: 'demo-key' } }).catch((error) => {
  console.log(error.name, error.message)
})
`

const consumer = `
import { CannotStart, createSandbox, type Choice, type SandboxOptions, type World } from 'crm-sandbox'
import { control, type Controls, Refused } from 'crm-sandbox/control'
import { createClient, CrmError } from 'crm-sandbox/client'
import { generateWorld } from 'crm-sandbox/fixtures'
import { sandboxFixtures } from 'crm-sandbox/vitest'
import { verify, type Report } from 'crm-sandbox/contracts'
import { test as base } from 'vitest'

const world: World = { teams: [] }
const options: SandboxOptions = { world, port: 0 }
const elsewhere: Controls = control({ url: 'http://127.0.0.1:4010' })
export const choice: Choice<'newContactStatus'> = 'absent'
export const error: CannotStart = new CannotStart('no')
export const refused: Refused = new Refused(400, 'no')
// @ts-expect-error there is no such choice
export const wrong: Choice<'newContactStatus'> = 'ajar'
// @ts-expect-error there is no such role
void elsewhere.tokens.sign({ role: 'owner' })
// @ts-expect-error there is no such operation
void elsewhere.requests.find({ operation: 'createContct' })
// @ts-expect-error a time or frozen is required
void elsewhere.clock.set({})
// @ts-expect-error there is no such option
void createSandbox({ prot: 1 })

export async function use() {
  await createSandbox(options)
  const [seen] = await elsewhere.requests.find({ operation: 'createContact' })
  if (seen?.operation) await elsewhere.requests.count({ operation: seen.operation })
  await elsewhere.clock.set({ frozen: true })
  const crm = createClient({ baseUrl: 'http://127.0.0.1:4010' })
  const { data } = await crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
  const id: string = data._id
  const report: Report = await verify({})
  return [id, report.exitCode, CrmError.name, await generateWorld({ contacts: 1 })]
}

export const test = base.extend(sandboxFixtures())
test('has a sandbox and a team', async ({ sandbox, team }) => {
  await sandbox.clock.advance('1d')
  // @ts-expect-error lastName is required
  await team.crm.createContact({ firstName: 'Ada' })
})

// @ts-expect-error there is no such option
sandboxFixtures({ wrld: 'demo' })
`
