import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test, expectTypeOf } from 'vitest'
import { parse } from 'yaml'
import { assumption, assumptionNames, type Meaning } from '../../spec/assumptions.ts'
import { sections, type Section } from '../../spec/sections.ts'
import { inspect } from 'node:util'
import { assumedBy } from '../../spec/assumed.ts'
import { chooseAll } from '../../spec/choices.ts'

interface Gap {
  readonly gap: string
  readonly kind: 'not shown' | 'silent' | 'two readings' | 'two lists'
  readonly assumptions?: readonly string[]
  readonly withoutChoice?: string
}

const gapsBySection = parse(readFileSync(new URL('gaps.yaml', import.meta.url), 'utf8')) as Record<string, Gap[]>
const gaps = Object.entries(gapsBySection).flatMap(([section, found]) =>
  found.map(({ assumptions = [], ...gap }) => ({ ...gap, section: section as Section, assumptions })),
)

describe('The register', () => {
  test('contains every entry of every file, with unique names', async () => {
    const named = await namesInFiles()
    expect(named.toSorted()).toEqual(assumptionNames.toSorted())
  })

  test('has one question in each entry', () =>
    expect(assumptionNames.filter((name) => !/^[^?]+\?$/.test(assumption(name).question))).toEqual([]))

  test('has entries with at least two choices, and explains each choice', () => {
    const choices = assumptionNames.map((name) => [name, Object.values(assumption(name).choices).map(words)] as const)
    expect(choices.filter(([, offered]) => offered.length < 2 || offered.includes(''))).toEqual([])
  })

  test('lists at least one operation in each entry, and none twice', () => {
    const listed = assumptionNames.map((name) => [name, assumption(name).operations] as const)
    const odd = listed.filter(([, ids]) => ids !== 'all' && (ids.length === 0 || new Set(ids).size < ids.length))
    expect(odd).toEqual([])
  })

  test('has a reason, which is one sentence, for whatever is likely', () => {
    const odd = assumptionNames.filter((name) => {
      const { certainty, reason = certainty === 'open' ? 'None.' : '' } = assumption(name)
      return !/^[“A-Zd].+\.$/.test(reason)
    })
    expect(odd).toEqual([])
  })

  test('assumes no choice that needs a number', () => {
    const needy = assumptionNames.filter(
      (name) => typeof assumption(name).choices[assumption(name).assumed] !== 'string',
    )
    expect(needy).toEqual([])
  })

  test('has names that are valid in headers, flags and profiles', () => {
    const written = assumptionNames.flatMap((name) => [name, ...Object.keys(assumption(name).choices)])
    expect(written.filter((word) => !/^[a-z][a-zA-Z0-9]{1,39}$/.test(word))).toEqual([])
  })
})

describe('The gaps', () => {
  test('each have an assumption, or say why there is nothing to choose', () =>
    expect(gaps.filter((gap) => gap.assumptions.length === 0 && !gap.withoutChoice)).toEqual([]))

  test('include every assumption', () => {
    const filled = new Set(gaps.flatMap((gap) => gap.assumptions))
    expect(assumptionNames.filter((name) => !filled.has(name))).toEqual([])
  })

  test('are in the order of the specification, each place once', () => {
    const order = gaps.map((gap) => sections.indexOf(gap.section))
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(new Set(gaps.map((gap) => gap.gap)).size).toBe(gaps.length)
  })

  // The specification says "not shown" 18 times.
  test('include what the specification calls "not shown"', () =>
    expect(gaps.filter((gap) => gap.kind === 'not shown')).toHaveLength(18))

  test('include the two contradictions of the specification, which are promises and not assumptions', () => {
    const lists = gaps.filter((gap) => gap.kind === 'two lists')
    expect(lists.map((gap) => gap.section)).toEqual(['Product', 'States and transitions'])
    expect(lists.flatMap((gap) => gap.assumptions)).toEqual([])
  })
})

const words = (meaning: Meaning) => (typeof meaning === 'string' ? meaning : meaning.words)

/** The names of the entries in the files of the register. */
async function namesInFiles(): Promise<string[]> {
  const folder = new URL('../../spec/assumptions/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file !== 'register.ts')
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href) as Promise<object>))
  return modules.flatMap((module) => Object.values(module) as object[]).flatMap((entries) => Object.keys(entries))
}

test('every assumption can be read, and records only itself', () => {
  const chosen = chooseAll()
  const newAssumed = assumedBy(chosen)
  for (const name of assumptionNames) {
    const assumed = newAssumed()
    expect(assumed[name]).toBe(chosen[name].choice)
    expect(assumed.relied()).toEqual([name])
  }
})

test('a choice that is read twice is recorded once, in the order of the first reading', () => {
  const assumed = assumedBy(chooseAll())()
  read(assumed.keyScope, assumed.addressCompare, assumed.keyScope)
  expect(assumed.relied()).toEqual(['keyScope', 'addressCompare'])
})

test('reading the number of a choice records its name too', () => {
  const assumed = assumedBy(chooseAll({ rateLimit: 'perMinute:60' }))()
  expect(assumed.amountOf('rateLimit')).toBe(60)
  expect(assumed.relied()).toEqual(['rateLimit'])
})

test('amountOf throws for a choice without a number', () => {
  const assumed = assumedBy(chooseAll())()
  expect(() => assumed.amountOf('rateLimit')).toThrow('rateLimit=none carries no number')
  // @ts-expect-error: no choice of keyScope carries a number
  expect(() => assumed.amountOf('keyScope')).toThrow('keyScope=team carries no number')
})

test('copying, listing or printing an Assumed records nothing', () => {
  const assumed = assumedBy(chooseAll())()
  read({ ...assumed }, Object.keys(assumed), JSON.stringify(assumed), inspect(assumed))
  expect(assumed.relied()).toEqual([])
})

test('a choice has the type of its names, and is read-only', () => {
  const assumed = assumedBy(chooseAll())()
  expectTypeOf(assumed.keyScope).toEqualTypeOf<'team' | 'teamAndOperation'>()
  // @ts-expect-error: there is no assumption called keyColour
  expect(assumed.keyColour).toBeUndefined()
  // @ts-expect-error: a choice is read-only
  expect(() => (assumed.keyScope = 'teamAndOperation')).toThrow(TypeError)
})

function read(...what: unknown[]) {
  return what
}
