import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { expect, it, describe } from 'vitest'
import { promises } from '../../spec/promises.ts'

const mock = resolve(import.meta.dirname, '../../mock')
const files = readdirSync(mock, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const known = new Set<string>(promises.map(({ id }) => id))

/** The promises in comments such as `promise contact.deletedWithItsData, contact.gone: …`. */
const named = files.flatMap((file) => {
  const text = readFileSync(join(mock, file), 'utf8')
  const lists = [...text.matchAll(/promises? ((?:[a-z]+\.[a-zA-Z0-9]+(?:, | and )?)+)/g)].map(([, ids = '']) => ids)
  return lists.flatMap((ids) => ids.split(/, | and /).map((id) => ({ file, id })))
})

it('names at least thirty promises in the rules of the mock', () => expect(named.length).toBeGreaterThan(30))

it('names only promises that exist', () => expect(named.filter(({ id }) => id !== '' && !known.has(id))).toEqual([]))

const read = (file: string) => readFileSync(file, 'utf8')
const manifest = JSON.parse(read('package.json')) as Record<'dependencies' | 'optionalDependencies', object> & {
  readonly engines: { readonly node: string }
}
const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }

interface Locked {
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly hasInstallScript?: boolean
  readonly resolved?: string
  readonly engines?: { readonly node?: string }
  /** Only packages with native code name these. */
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly optional?: boolean
}

const locked = Object.entries(lock.packages).filter(([path]) => path !== '')
const required = locked.filter(([, { dev, devOptional, optional }]) => !dev && !devOptional && !optional)

it('locks packages that run no script, name no registry and support Node 20', () => {
  expect(locked.length).toBeGreaterThan(100)
  const scripted = locked.filter(([, { hasInstallScript, resolved }]) => hasInstallScript ?? resolved)
  // VitePress builds with esbuild. The install script of esbuild only makes its start faster, so npm may block it.
  expect(scripted.map(([path]) => path)).toEqual(['node_modules/vitepress/node_modules/esbuild'])
  const newer = locked.filter(([, { engines }]) => /^>=\s*2[1-9]/.test(engines?.node ?? ''))
  expect(newer.filter(([, { engines }]) => !/\^?20|>=\s*20\b/.test(engines?.node ?? ''))).toEqual([])
})

it('supports the versions of Node.js that CI tries', () => {
  const [earliest, ...later] = JSON.parse(read('.ci/node-versions.json')) as number[]
  expect(manifest.engines.node).toMatch(new RegExp(`^>=${earliest}\\.\\d+$`))
  expect(later).not.toEqual([])
})

it('requires no native package', () => {
  expect(required.map(([path]) => path)).toContain('node_modules/fastify')
  expect(required.filter(([, { os, cpu }]) => os ?? cpu)).toEqual([])
})

it.each(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))(
  'explains %s in docs/dependencies.md',
  (name) => expect(read('docs/dependencies.md')).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm')),
)

/** The words in the name of a test file that say how it runs: docs/contributing.md has their meaning. */
const howItRuns = /(\.isolated)?(\.posix)?(\.(?:ci|rotating|nightly))?\.test\.ts$/

it('runs each test file in a tier that its name says', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
  const tests = files.filter((file) => /\.(?:test|spec)\.[cm]?[jt]sx?$/.test(file))
  expect(tests.length).toBeGreaterThan(100)
  const named = /^[\w-]+$|^(?:sandbox|createSandbox)\.[a-z]+$/i
  expect(tests.filter((file) => !howItRuns.test(file) || !named.test(basename(file).replace(howItRuns, '')))).toEqual(
    [],
  )
})

/**
 * The imports that a room may have besides its own files and Node: rooms, files and packages. A file belongs to the first room that its
 * path begins with.
 */
const rooms: Readonly<Record<string, string>> = {
  'lib/': 'yaml package.json',
  'spec/': 'lib ajv ajv-formats',
  'fixtures/seed/': 'lib spec fixtures contracts/client',
  'fixtures/from/': 'lib spec fixtures contracts/client',
  'fixtures/': 'lib spec yaml @faker-js',
  'contracts/observe/': 'lib spec contracts fixtures undici @faker-js',
  'contracts/': 'lib spec package.json undici vitest pactum',
  'mock/store/': 'lib fixtures/records.ts fixtures/world.ts fixtures/check-world.ts lowdb pg',
  'mock/core/': 'lib spec fixtures/records.ts fixtures/world.ts mock/store jose typebox',
  'mock/rules/': 'lib spec fixtures/records.ts mock/store mock/core',
  'mock/operations/': 'lib spec mock/store mock/core mock/rules',
  'mock/http/':
    'lib spec fixtures/records.ts mock/store mock/core mock/rules mock/operations fastify @fastify typebox yaml',
  'mock/control/':
    'lib spec fixtures/records.ts fixtures/world.ts fixtures/check-world.ts fixtures/load-world.ts fixtures/shapes.ts mock/store mock/core mock/rules mock/operations mock/http fastify @fastify ajv typebox',
  'mock/testing/vitest.ts': 'index.ts mock/testing mock/control/coverage-in-words.ts',
  'mock/testing/': 'lib spec fixtures/records.ts mock/core mock/control',
  'mock/console/':
    'lib spec/generated mock/testing mock/control/as-har.ts mock/control/changes-in-words.ts mock/control/most-mebibytes.ts mock/control/repeat-request.ts mock/control/request-in-words.ts preact @preact preact-iso',
  'mock/': 'lib spec fixtures/world.ts mock fastify',
  'cli/main.ts': 'cli/commands.ts',
  // Only these connect the sandbox with clients of a server.
  'cli/': 'lib spec fixtures contracts mock index.ts commander node-forge undici @modelcontextprotocol',
  'index.ts': 'lib/user-error.ts spec fixtures mock cli',
}

interface Import {
  readonly from: string
  readonly to: string
  /** Whether the import is executed with the file: neither a type nor a dynamic import. */
  readonly isLoaded: boolean
}

const sources = ['index.ts', ...'cli contracts fixtures lib mock spec'.split(' ').flatMap(filesIn)]
const imports = sources.flatMap(importsOf)
/** The files that tsdown.config.ts builds and imports, and the console. */
const starts = [...read('tsdown.config.ts').matchAll(/'(?:\.\/)?([a-z/-]+\.ts)'/g)].map(([, file]) => file)
starts.push('mock/console/main.tsx')
const roomOf = (file: string) => Object.keys(rooms).find((start) => file.startsWith(start)) ?? 'no room'

describe('imports', () => {
  it.each(Object.entries(rooms))('of %s', (room, others) => {
    const may = ['node:', room, ...others.split(' ').map((other) => (/^[a-z/]+$/.test(other) ? `${other}/` : other))]
    const packages = new Set(others.split(' '))
    const own = imports.filter(({ from }) => roomOf(from) === room)
    expect(own).not.toEqual([])
    const foreign = own.filter(({ to }) => !packages.has(to) && !may.some((start) => to.startsWith(start)))
    expect(foreign.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  it.each(Object.entries(rooms))('of %s are no fewer than its rule allows', (room, others) => {
    const own = imports.filter(({ from }) => roomOf(from) === room)
    const isNeeded = (other: string) => own.some(({ to }) => to === other || to.startsWith(`${other}/`))
    expect(others.split(' ').filter((other) => !isNeeded(other))).toEqual([])
  })

  it('lead to every file from one that is started', () => {
    const used = new Set([...starts, ...imports.map(({ to }) => to)])
    expect(sources.filter((file) => !used.has(file))).toEqual([])
  })

  it('of every file are covered by a room', () =>
    expect(sources.filter((file) => roomOf(file) === 'no room')).toEqual([]))

  it('have no cycle, not even of types', () => expect(cycles()).toEqual([]))
})

describe('loaded modules', () => {
  it('of the client of the control plane are few', () => {
    const own = /^(mock\/testing\/(control-(?:client|requests)|client|team)|spec\/generated\/routes|lib\/json)\.ts$/
    expect(loadedWith('mock/testing/control-client.ts').filter((file) => !own.test(file))).toEqual([])
  })

  it.each(['cli/commands.ts', 'index.ts', 'cli/own-target.ts', 'contracts/index.ts', 'mock/testing/vitest.ts'])(
    'of %s include neither vitest nor pactum',
    (start) => {
      expect(loadedWith(start).length).toBeGreaterThan(5)
      expect(loadedWith(start).filter((file) => /^(vitest|pactum)/.test(file))).toEqual([])
    },
  )
})

const name = '(?:message|sentence|complaint|reason|words|why)'
const search = 'match|matchAll|split|replace|replaceAll|includes|startsWith|endsWith|search|indexOf'

/** A sentence that is searched, divided or edited, or that a regular expression is tested on. */
const parsing = new RegExp(`\\b${name}\\)?\\.(?:${search})\\(|\\.(?:test|exec)\\((?:\\w+\\.)*${name}\\)`)

/** The sentence is not ours, or is only laid out. */
const allowed: Readonly<Record<string, string>> = {
  'cli/commands.ts': 'prints each problem of a world on a line of its own',
  'contracts/checks/effects.ts': 'the message is of the server',
  'contracts/client/clean.ts': 'the message is of the server',
  'contracts/compare/difference.ts': 'the message is of the server',
  'contracts/judge/laws/contacts.ts': 'the message is of the server',
  'contracts/judge/laws/conversations.ts': 'the message is of the server',
  'contracts/observe/choices.ts': 'the message is of the server',
  'contracts/questions/requests.ts': 'the message is of the server',
  'contracts/reports/report-forms.ts': 'shows the first line',
  'contracts/reports/terminal.ts': 'breaks lines',
  'fixtures/check-world.ts': 'the message is of JSON.stringify',
  'fixtures/load-world.ts': 'the message is of JSON.parse',
  'lib/read-yaml.ts': 'the message is of the library',
  'mock/console/pages/upload-world.tsx': 'shows each problem of a world on a line of its own',
  'mock/store/postgres/open-postgres.ts': 'the message is of the database',
}

it('parses no sentence of ours, and each file that parses another names its author', () => {
  const found = sources.filter((file) =>
    read(file)
      .split('\n')
      .some((line) => parsing.test(line)),
  )
  expect(found.toSorted()).toEqual(Object.keys(allowed))
})

/** The files that give a parser a text as it is, with the author of the text. All others measure it, by `parseJson` or `readYaml`. */
const unmeasured: Readonly<Record<string, string>> = {
  'cli/mcp-tools.ts': 'JSON.stringify',
  'contracts/client/answer.ts': 'a server: it measures',
  'contracts/judge/shorten.ts': 'JSON.stringify',
  'contracts/judge/steps.ts': 'JSON.stringify',
  'contracts/observe/archive.ts': 'anybody: it measures',
  'fixtures/check-world.ts': 'JSON.stringify',
  'fixtures/generate/locale.ts': 'the build',
  'fixtures/load-world.ts': 'the build',
  'fixtures/world-text.ts': 'anybody: it is measured as a whole',
  'lib/json.ts': 'anybody: it measures',
  'lib/read-yaml.ts': 'anybody: it measures',
  'mock/console/pages/conversation.tsx': 'the page',
  'mock/console/pages/records/body-fields.ts': 'the sandbox of the page',
  'mock/control/world-json.ts': 'anybody: it is measured as a whole',
  'mock/core/idempotency.ts': 'a request that was read',
  'mock/http/docs-app.ts': 'JSON.stringify',
  'mock/http/faults/failure.ts': 'the sandbox',
  'mock/http/hints.ts': 'the sandbox',
  'mock/http/journal/other-servers.ts': 'the sandbox',
  'mock/http/json-body.ts': 'anybody: it measures',
  'mock/http/request-log.ts': 'the sandbox',
  'mock/http/text-response.ts': 'the sandbox',
  'mock/store/file/log-file.ts': 'the sandbox',
  'mock/store/postgres/postgres-store.ts': 'the sandbox',
  'mock/store/postgres/records.ts': 'the sandbox',
  'mock/store/postgres/sql.ts': 'the sandbox',
  'mock/store/postgres/transactions.ts': 'the sandbox',
  'mock/store/postgres/worlds.ts': 'the sandbox',
  'spec/document.ts': 'the build',
}

it('measures the texts of others before a parser sees them', () => {
  const parser = /\b(?:JSON\.parse|parseMeasured|parseDocument)\(|\)\.json\(\)|\bimport\('yaml'\)/
  const found = sources.filter((file) => parser.test(read(file)))
  expect(found.toSorted()).toEqual(Object.keys(unmeasured))
})

function filesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /\.tsx?$/.test(file)).map((file) => join(folder, file))
}

function loadedWith(start: string): string[] {
  const loaded = new Set([start])
  for (const file of loaded) {
    for (const { to } of imports.filter(({ from, isLoaded }) => from === file && isLoaded)) loaded.add(to)
  }
  return [...loaded]
}

/** The groups of files that import each other, by Tarjan's algorithm. */
function cycles(): string[][] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (file: string) => {
    order.set(file, order.size)
    lowest.set(file, order.get(file) ?? 0)
    stack.push(file)
    for (const { to } of imports.filter(({ from, to }) => from === file && sources.includes(to))) {
      if (!order.has(to)) visit(to)
      if (stack.includes(to)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(to) ?? 0))
    }
    if (lowest.get(file) !== order.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) found.push(group.toSorted())
  }
  for (const file of sources) if (!order.has(file)) visit(file)
  return found
}

function importsOf(from: string): Import[] {
  const text = readFileSync(from, 'utf8')
  const pattern = /^(?:import|export)\b( type\b)?[^'";]*\bfrom '([^']+)'|^import '([^']+)'|\bimport\(\s*'([^']+)'/gm
  return [...text.matchAll(pattern)].map(([, type, named, alone, later]) => ({
    from,
    to: pathOf(from, named ?? alone ?? later ?? ''),
    isLoaded: later === undefined && type === undefined,
  }))
}

function pathOf(from: string, to: string): string {
  return to.startsWith('.') ? relative('.', join(dirname(from), to)) : to
}
