import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** What each room may import, of the house and from outside; the first row that fits a file is its row. */
const arrows: { room: string; mayImport: RegExp; why: string }[] = [
  { room: 'shared/', mayImport: /^(shared\/|node:|yaml$)/, why: 'what both sides need knows no side' },
  { room: 'spec/', mayImport: /^(spec\/|shared\/|ajv|node:)/, why: 'the document knows nobody who keeps or judges it' },
  { room: 'intercept/', mayImport: /^(intercept\/|node:)/, why: 'who sends requests elsewhere knows no sandbox' },
  {
    room: 'vitest/',
    mayImport: /^(vitest(\/index\.ts)?$|index\.ts$|control\/client\.ts$)/,
    why: 'the fixtures use what every user has',
  },
  { room: 'typed-client/', mayImport: /^(typed-client\/|spec\/)/, why: 'a client of any server knows no sandbox' },
  {
    room: 'control/',
    mayImport: /^(control\/|typed-client\/|spec\/|shared\/|node:fs$|commander$)/,
    why: 'what steers a sandbox from elsewhere knows no sandbox',
  },
  {
    room: 'fixtures/seed/',
    mayImport: /^(fixtures\/|client\/|spec\/|shared\/|node:|commander$)/,
    why: 'what seeds any server must not know the one that we wrote',
  },
  {
    room: 'fixtures/from/',
    mayImport: /^(fixtures\/|client\/|control\/|spec\/|shared\/|node:)/,
    why: 'to read a world from a server it must be asked',
  },
  {
    room: 'fixtures/',
    mayImport: /^(fixtures\/|spec\/|shared\/|node:|commander$)/,
    why: 'data knows the document only',
  },
  {
    room: 'client/',
    mayImport: /^(client\/|spec\/|shared\/|node:|undici$|yaml$|commander$)/,
    why: 'how a server is asked is the same for those who judge, learn or seed',
  },
  {
    room: 'contracts/',
    mayImport: /^(contracts\/|client\/|spec\/|shared\/|node:|vitest(\/node)?$|pactum$|commander$)/,
    why: 'what judges any server must not know the one that we wrote',
  },
  {
    room: 'learn/',
    mayImport: /^(learn\/|client\/|spec\/|shared\/|node:|commander$)/,
    why: 'what a server is asked must not know the one that we wrote',
  },
  {
    room: 'mock/operations/',
    mayImport: /^(mock\/(operations|rules|core)\/|spec\/|fixtures\/records\.ts)/,
    why: 'an operation speaks of rules and of its turn, not of HTTP or of a store',
  },
  {
    room: 'mock/rules/',
    mayImport: /^(mock\/(rules|core)\/|mock\/store\/(indexes|port)\.ts|spec\/|fixtures\/records\.ts|node:timers)/,
    why: 'a rule speaks of its turn, not of HTTP or of a store',
  },
  {
    room: 'mock/core/',
    mayImport: /^(mock\/core\/|mock\/store\/(indexes|port)\.ts|spec\/|fixtures\/(records|world)\.ts|jose$|node:)/,
    why: 'what carries out any operation knows none of them, and no way that requests come',
  },
  {
    room: 'mock/store/',
    mayImport: /^(mock\/store\/|shared\/|fixtures\/(records|world|check-world)\.ts|lowdb|node:)/,
    why: 'only a store knows its technology, and it knows no operation',
  },
  {
    room: 'mock/',
    mayImport:
      /^(mock\/|spec\/|shared\/|control\/|typed-client\/team\.ts|intercept\/|fixtures\/(records|world|check-world|load-world)\.ts|node:|fastify$|@fastify\/busboy$|yaml$)/,
    why: 'the mock knows the document, and no test of it',
  },
]

interface Import {
  readonly from: string
  readonly to: string
}

const imports = sources(
  'spec',
  'shared',
  'vitest',
  'intercept',
  'typed-client',
  'control',
  'mock',
  'client',
  'contracts',
  'learn',
  'fixtures',
).flatMap(importsOf)

describe('the arrows of the house', () => {
  it.each(arrows)('$room: $why', ({ room, mayImport }) => {
    const row = arrows.findIndex((arrow) => arrow.room === room)
    const ofRoom = imports.filter(({ from }) => arrows.findIndex((arrow) => from.startsWith(arrow.room)) === row)
    expect(ofRoom).not.toEqual([])
    expect(ofRoom.filter(({ to }) => !mayImport.test(to))).toEqual([])
  })

  it('names lowdb in the store only, and nothing of HTTP in operations, rules, the core and stores', () => {
    const lowdb = imports.filter(({ from, to }) => to.startsWith('lowdb') && !from.startsWith('mock/store/'))
    const fastify = imports.filter(
      ({ from, to }) => /fastify|^mock\/http\//.test(to) && /^mock\/(operations|rules|core|store)\//.test(from),
    )
    expect([...lowdb, ...fastify]).toEqual([])
  })
})

describe('the client of the control plane', () => {
  it('loads nothing but itself and the typed client: neither the document nor a part of the sandbox', () => {
    const loaded = new Set(['control/client.ts'])
    for (const file of loaded) for (const to of loadedBy(file)) loaded.add(to)
    const own = /^(control\/(?!document\.ts)|typed-client\/|spec\/generated\/routes\.ts$)/
    expect([...loaded].filter((to) => !own.test(to))).toEqual([])
  })
})

describe('the test runner and pactum', () => {
  it('are named in contracts only, and the test runner in its fixtures', () => {
    const named = imports.filter(({ from, to }) => /^(vitest|pactum)/.test(to) && !/^(contracts|vitest)\//.test(from))
    expect(named).toEqual([])
  })

  it.each(['cli.ts', 'index.ts', 'own-target.ts', 'contracts/index.ts'])('are not loaded with %s', (start) => {
    const loaded = new Set([start])
    for (const file of loaded) for (const to of loadedBy(file)) loaded.add(to)
    expect(loaded.size).toBeGreaterThan(5)
    expect([...loaded].filter((to) => /^(vitest|pactum)/.test(to))).toEqual([])
  })
})

/** What is loaded with a file: neither types nor what it imports later. */
function loadedBy(file: string): string[] {
  if (!file.endsWith('.ts')) return []
  const text = readFileSync(join(root, file), 'utf8')
  const statements = [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)'|^import '([^']+)'/gm)]
  return statements.map(([, from, alone]) => pathOf(file, from ?? alone ?? ''))
}

function sources(...folders: string[]): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  return files.filter((file) => file.endsWith('.ts') && !file.includes('generated/'))
}

function importsOf(from: string): Import[] {
  const text = readFileSync(join(root, from), 'utf8')
  const statements = text.matchAll(
    /^(?:import|export)\b[^'";]*\bfrom '([^']+)'|^import '([^']+)'|\bimport\(\s*'([^']+)'/gm,
  )
  return [...statements].map(([, ofNames, alone, later]) => ({
    from,
    to: pathOf(from, ofNames ?? alone ?? later ?? ''),
  }))
}

function pathOf(from: string, to: string): string {
  return to.startsWith('.') ? relative(root, resolve(root, dirname(from), to)) : to
}
