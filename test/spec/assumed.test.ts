import { inspect } from 'node:util'
import { expect, expectTypeOf, test } from 'vitest'
import { assumedBy } from '../../spec/assumed.ts'
import { assumptionNames } from '../../spec/assumptions.ts'
import { chooseAll } from '../../spec/choices.ts'

test('a request that reads no choice relies on none', () => {
  expect(assumedBy(chooseAll())().relied()).toEqual([])
})

test('reading a choice returns it and records its name', () => {
  const assumed = assumedBy(chooseAll({ contactMatching: 'phoneThenEmail' }))()
  expect(assumed.contactMatching).toBe('phoneThenEmail')
  expect(assumed.relied()).toEqual(['contactMatching'])
})

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
