import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  assumption,
  assumptionNames,
  type AssumptionName,
  type ByChoice,
  type Meaning,
} from '../../spec/assumptions.ts'
import { register } from '../../spec/assumptions/register.ts'
import { gaps } from '../../spec/gaps.ts'
import { sections } from '../../spec/sections.ts'

describe('The register', () => {
  test('holds every entry of every file, and no name twice', async () => {
    const named = await namesInFiles()
    expect(named.toSorted()).toEqual(assumptionNames.toSorted())
  })

  test('asks one question in each entry', () => {
    expect(assumptionNames.filter((name) => !/^[^?]+\?$/.test(assumption(name).question))).toEqual([])
  })

  test('offers two choices or more, each in words', () => {
    const choices = assumptionNames.map((name) => [name, Object.values(assumption(name).choices).map(words)] as const)
    expect(choices.filter(([, offered]) => offered.length < 2 || offered.includes(''))).toEqual([])
  })

  test('lists the assumed choice first', () => {
    const first = (name: AssumptionName) => Object.keys(assumption(name).choices)[0]
    expect(assumptionNames.filter((name) => first(name) !== assumption(name).assumed)).toEqual([])
  })

  test('concerns some operation in each entry, and none twice', () => {
    const listed = assumptionNames.map((name) => [name, assumption(name).operations] as const)
    const odd = listed.filter(([, ids]) => ids !== 'all' && (ids.length === 0 || new Set(ids).size < ids.length))
    expect(odd).toEqual([])
  })

  test('has no entry whose assumed choice needs a number that nobody gave', () => {
    const needy = assumptionNames.filter(
      (name) => typeof assumption(name).choices[assumption(name).assumed] !== 'string',
    )
    expect(needy).toEqual([])
  })

  test('has names that a header, a flag and a profile can carry', () => {
    const written = assumptionNames.flatMap((name) => [name, ...Object.keys(assumption(name).choices)])
    expect(written.filter((word) => !/^[a-z][a-zA-Z0-9]{1,39}$/.test(word))).toEqual([])
  })
})

describe('The gaps', () => {
  test('each lead to the register, or say why there is nothing to choose', () => {
    expect(gaps.filter((gap) => gap.assumptions.length === 0 && !gap.withoutChoice)).toEqual([])
  })

  test('hold a place for every entry of the register', () => {
    const filled = new Set(gaps.flatMap((gap) => gap.assumptions))
    expect(assumptionNames.filter((name) => !filled.has(name))).toEqual([])
  })

  test('give an entry of the register one place only', () => {
    const filled = gaps.flatMap((gap) => gap.assumptions)
    expect(filled.filter((name, i) => filled.indexOf(name) !== i)).toEqual([])
  })

  test('come in the order of the specification, and no place twice', () => {
    const order = gaps.map((gap) => sections.indexOf(gap.section))
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(new Set(gaps.map((gap) => gap.place)).size).toBe(gaps.length)
  })

  // How often the specification says of something that it is not shown, by the section that says so: 18 times.
  test.each([
    ['Message', 1],
    ['Quote', 1],
    ['States and transitions', 4],
    ['Common conventions', 1],
    ['Conversations', 1],
    ['Bulk', 1],
    ['Contacts', 1],
    ['Authentication', 1],
    ['Events', 1],
    ['Errors', 2],
    ['Limits', 3],
    ['Versioning', 1],
  ])('include what %s calls "not shown": %i', (section, times) => {
    expect(gaps.filter((gap) => gap.section === section && gap.kind === 'not shown')).toHaveLength(times)
  })

  test('call nothing else "not shown"', () => {
    expect(gaps.filter((gap) => gap.kind === 'not shown')).toHaveLength(18)
  })

  test('call the two contradictions of the specification promises, not choices', () => {
    const lists = gaps.filter((gap) => gap.kind === 'two lists')
    expect(lists.map((gap) => gap.section)).toEqual(['Product', 'States and transitions'])
    expect(lists.flatMap((gap) => gap.assumptions)).toEqual([])
  })
})

const usual = {
  section: 'Contacts',
  question: 'Is it?',
  operations: ['createContact'],
  choices: { yes: 'it is', no: 'it is not' },
  assumed: 'yes',
  probe: 'look',
} as const

// Checked by the compiler: each of these lines must be an error.
describe('The compiler refuses', () => {
  test('an assumed choice that is not among the choices', () => {
    // @ts-expect-error: there is no choice called perhaps
    register({ isIt: { ...usual, assumed: 'perhaps' } })
  })

  test('an operation or a section that there is not', () => {
    // @ts-expect-error: there is no operation called sellContact
    register({ isIt: { ...usual, operations: ['sellContact'] } })
    // @ts-expect-error: there is no section called Gossip
    register({ isIt: { ...usual, section: 'Gossip' } })
  })

  test('a rule that lacks a choice, or has one too many', () => {
    const whole: ByChoice<'keyScope', string> = { team: 'one drawer', teamAndOperation: 'a drawer for each' }
    // @ts-expect-error: teamAndOperation is missing
    const short: ByChoice<'keyScope', string> = { team: 'one drawer' }
    // @ts-expect-error: there is no choice called planet
    const long: ByChoice<'keyScope', string> = { ...whole, planet: 'one drawer for all' }
    expect([whole, short, long]).toHaveLength(3)
  })
})

const words = (meaning: Meaning) => (typeof meaning === 'string' ? meaning : meaning.words)

/** The names of the entries as the files of the register have them, file by file. */
async function namesInFiles(): Promise<string[]> {
  const folder = new URL('../../spec/assumptions/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file !== 'register.ts')
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href) as Promise<object>))
  return modules.flatMap((module) => Object.values(module) as object[]).flatMap((entries) => Object.keys(entries))
}
