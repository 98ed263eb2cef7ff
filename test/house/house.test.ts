import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, dirname, relative } from 'node:path'
import { expect, it, describe } from 'vitest'
import { assumptionNames } from '../../spec/assumptions.ts'
import { promises } from '../../spec/promises.ts'

const mock = resolve(import.meta.dirname, '../../mock')
const code = readdirSync(mock, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(mock, file), 'utf8'))
  .join('\n')

/** `becauseOf` names the assumption of the promise that a faulty request violates. */
const readByFault = promises.flatMap(({ status, assumption }) => (status === 400 && assumption ? [assumption] : []))

it.each(assumptionNames.filter((name) => !readByFault.includes(name)))('%s is read somewhere in the mock', (name) =>
  expect(code).toMatch(new RegExp(`(assumed|chosen)\\??\\.${name}\\b|(?:\\bassumed,\\s*|If\\()'${name}'`)),
)

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
const manifest = JSON.parse(read('package.json')) as Record<'dependencies' | 'optionalDependencies', object>
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

it('requires no native package', () => {
  expect(required.map(([path]) => path)).toContain('node_modules/fastify')
  expect(required.filter(([, { os, cpu }]) => os ?? cpu)).toEqual([])
})

it.each(Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))(
  'explains %s in DEPENDENCIES.md',
  (name) => expect(read('DEPENDENCIES.md')).toMatch(new RegExp(`^\\| \`${name}\` +\\|`, 'm')),
)

/** The imports that a folder may have besides its own files; the first rule that matches a file applies. */
const rules: readonly { folder: string; may: RegExp }[] = [
  { folder: 'lib/', may: /^node:|^yaml$|^package\.json$/ },
  { folder: 'spec/', may: /^(lib\/|ajv|node:)/ },
  { folder: 'client/', may: /^(spec|lib)\/|^(node:|undici$|yaml$|commander$)/ },
  { folder: 'config/', may: /^(spec|lib)\/|^(node:|commander$)/ },
  {
    folder: 'contracts/',
    may: /^(client|spec|lib)\/|^(package\.json|node:|vitest|pactum$|commander$)/,
  },
  { folder: 'learn/', may: /^(client|spec|lib)\/|^(node:|fast-check$|commander$)/ },
  {
    folder: 'observe/',
    may: /^(client|spec|lib)\/|^contracts\/(judge\/inspection|known-deviations|report)\.ts|^fixtures\/(from\/|records|shapes|world-text)|^(node:|undici$|commander$|@faker-js)/,
  },
  { folder: 'fixtures/seed/', may: /^(fixtures|client|spec|lib)\/|^(node:|commander$)/ },
  { folder: 'fixtures/from/', may: /^(fixtures|client|spec|lib)\/|^node:/ },
  { folder: 'fixtures/', may: /^(spec|lib)\/|^(node:|commander$|yaml$|@faker-js)/ },
  { folder: 'mock/testing/intercept.ts', may: /^node:/ },
  { folder: 'mock/testing/vitest.ts', may: /^(index|mock\/control\/client)\.ts$/ },
  { folder: 'testing/', may: /^spec\/|^lib\/parse-json\.ts/ },
  {
    folder: 'mock/testing/control-client.ts',
    may: /^(mock\/control\/|mock\/journal\/seen\.ts|testing\/team\.ts|spec\/)/,
  },
  {
    folder: 'console/',
    may: /^(mock\/control\/(client|repeat-request)|lib\/(text|parse-json)|testing\/client|spec\/generated\/routes)\.ts$|^(preact|@preact\/signals|yaml$)/,
  },
  { folder: 'mock/operations/', may: /^(mock\/(rules|core)|spec)\/|^(fixtures\/records|lib\/pause)\.ts/ },
  {
    folder: 'mock/rules/',
    may: /^(mock\/(core|store\/(indexes|kept|port)\.ts)|spec)|^fixtures\/records\.ts|^lib\/|^node:timers/,
  },
  {
    folder: 'mock/core/',
    may: /^(mock\/store\/(indexes|kept|port)\.ts|lib\/|spec\/|jose$|node:)|^fixtures\/(records|world)\.ts/,
  },
  {
    folder: 'mock/store/',
    may: /^(lib\/|lowdb|pg$|node:)|^fixtures\/(records|world|check-world)\.ts|^mock\/cannot-start\.ts/,
  },
  {
    folder: 'mock/',
    may: /^(spec|lib)\/|^testing\/(team|intercept)\.ts|^fixtures\/(records|world|check-world|load-world)\.ts|^(package\.json|node:|fastify|@fastify\/|typebox|ajv\/|commander$|node-forge$|yaml$)/,
  },
  // These connect the parts: only they may import the mock from outside.
  { folder: 'index.ts', may: /./ },
  { folder: 'cli/own-target.ts', may: /./ },
  { folder: 'cli/commands.ts', may: /./ },
  { folder: 'cli/main.ts', may: /^(commands\.ts|node:module)$/ },
]

interface Import {
  readonly from: string
  readonly to: string
  /** Whether the import is executed with the file: neither a type nor a dynamic import. */
  readonly isLoaded: boolean
}

const folders = 'client config console contracts fixtures learn mock observe lib spec testing'.split(' ')
const sources = [
  ...['cli/main.ts', 'cli/commands.ts', 'index.ts', 'cli/own-target.ts'],
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file)),
  ),
]
const imports = sources.flatMap(importsOf)

describe('imports', () => {
  it.each(rules)('of $folder', ({ folder, may }) => {
    const own = imports.filter(({ from }) => rules.find((rule) => from.startsWith(rule.folder))?.folder === folder)
    expect(own).not.toEqual([])
    const foreign = own.filter(({ to }) => !to.startsWith(folder) && !may.test(to))
    expect(foreign.map(({ from, to }) => `${from} imports ${to}`)).toEqual([])
  })

  it('of every file are covered by a rule', () => {
    const free = imports.filter(({ from }) => !rules.some((rule) => from.startsWith(rule.folder)))
    expect(free).toEqual([])
  })

  it('have no cycle, not even of types', () => expect(cycles()).toEqual([]))
})

describe('loaded modules', () => {
  it('of the client of the control plane are few', () => {
    const own =
      /^(mock\/control\/client\.ts$|testing\/(client|team)\.ts$|(spec\/generated\/routes|lib\/parse-json)\.ts$)/
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
