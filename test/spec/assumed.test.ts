import { inspect } from 'node:util'
import { expect, expectTypeOf, test } from 'vitest'
import { assumedBy } from '../../spec/assumed.ts'
import { assumptionNames } from '../../spec/assumptions.ts'
import { chooseAll } from '../../spec/choices.ts'

test('an answer that read nothing relied on nothing', () => {
  expect(assumedBy(chooseAll())().relied()).toEqual([])
})

test('reading tells what was chosen, and is what marks', () => {
  const assumed = assumedBy(chooseAll({ contactMatching: 'phoneThenEmail' }))()
  expect(assumed.contactMatching).toBe('phoneThenEmail')
  expect(assumed.relied()).toEqual(['contactMatching'])
})

test('every entry of the register can be read, and marks itself alone', () => {
  const chosen = chooseAll()
  const newAssumed = assumedBy(chosen)
  for (const name of assumptionNames) {
    const assumed = newAssumed()
    expect(assumed[name]).toBe(chosen[name].choice)
    expect(assumed.relied()).toEqual([name])
  }
})

test('what is read twice is named once, in the order of the first reading', () => {
  const assumed = assumedBy(chooseAll())()
  read(assumed.keyScope, assumed.addressCompare, assumed.keyScope)
  expect(assumed.relied()).toEqual(['keyScope', 'addressCompare'])
})

test('one answer does not mark another', () => {
  const newAssumed = assumedBy(chooseAll())
  const [ada, grace] = [newAssumed(), newAssumed()]
  read(ada.keyScope)
  expect(grace.relied()).toEqual([])
})

test('two sandboxes in one process keep their own choices', () => {
  const [team, both] = [assumedBy(chooseAll())(), assumedBy(chooseAll({ keyScope: 'teamAndOperation' }))()]
  expect([team.keyScope, both.keyScope]).toEqual(['team', 'teamAndOperation'])
})

test('asking for the number of a choice marks it, too', () => {
  const assumed = assumedBy(chooseAll({ rateLimit: 'perMinute:60' }))()
  expect(assumed.amountOf('rateLimit')).toBe(60)
  expect(assumed.relied()).toEqual(['rateLimit'])
})

test('a choice without a number has none to give', () => {
  const assumed = assumedBy(chooseAll())()
  expect(() => assumed.amountOf('rateLimit')).toThrow('rateLimit=none carries no number')
  // @ts-expect-error: no choice of keyScope carries a number
  expect(() => assumed.amountOf('keyScope')).toThrow('keyScope=team carries no number')
})

test('looking at a reader does not mark: neither copying, nor listing, nor printing it', () => {
  const assumed = assumedBy(chooseAll())()
  read({ ...assumed }, Object.keys(assumed), JSON.stringify(assumed), inspect(assumed))
  expect(assumed.relied()).toEqual([])
})

test('a choice is typed by its names, and cannot be set', () => {
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
