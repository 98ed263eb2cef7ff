import fc from 'fast-check'
import type { Kind } from '../kinds.ts'

// Few values, so that they collide. `@team` and `@other` stand for the names of the two teams, and a symbolic name such
// as `@own contacts 0` for the id of a record at the time of the request, counted from the newest.

export const email = fc.constantFrom('ada@example.com', 'Ada@Example.com', 'grace@example.com', 'alan@example.com')
export const phone = fc.constantFrom('+14155550123', '+14155550124', '+14155550125')
export const text = fc.constantFrom('Hello', 'Hello {{contact.firstName}}', '{{lastName}}, {{contact.pigeon}} of @team')
export const person = fc.constantFrom('Ada', 'Grace of @team', 'Alan {{lastName}}')
export const word = fc.constantFrom('engine', 'mill of @team')
export const extras = fc.dictionary(fc.constantFrom('tier', 'colour'), fc.constantFrom('gold', 'teal of @team'))
export const lifecycleStage = fc.constantFrom('Lead', 'Customer')

/** Mostly a record of the team; sometimes one of the other team, a deleted one or an unknown id. */
export function ref(kind: Kind): fc.Arbitrary<string> {
  const at = fc.constantFrom(0, 0, 1, 2)
  return fc.oneof(
    { weight: 12, arbitrary: at.map((number) => `@own ${kind} ${number}`) },
    { weight: 5, arbitrary: at.map((number) => `@foreign ${kind} ${number}`) },
    { weight: 2, arbitrary: at.map((number) => `@gone ${kind} ${number}`) },
    { weight: 1, arbitrary: fc.constantFrom('@nobody', 'not an id') },
  )
}

type Fields = Record<string, fc.Arbitrary<unknown>>

/** The required fields, and some of the optional ones: few or many. */
export function fields(required: Fields, optional: Fields = {}): fc.Arbitrary<object> {
  const names = Object.keys(optional)
  const some = fc.oneof(fc.subarray(names), fc.subarray(names, { maxLength: Math.min(2, names.length) }))
  return fc.tuple(fc.record({ ...optional, ...required }), some).map(([all, chosen]) => {
    const isSent = ([name]: [string, unknown]) => Object.hasOwn(required, name) || chosen.includes(name)
    return Object.fromEntries(Object.entries(all).filter(isSent))
  })
}

/** The fields of both; the second one wins. */
export function merged(one: fc.Arbitrary<object>, other: fc.Arbitrary<object>): fc.Arbitrary<object> {
  return fc.tuple(one, other).map(([some, others]) => ({ ...some, ...others }))
}

/** A list shows no more items on a page, however many are asked for. */
export const largestLimit = 100

/** Unlisted fields, and fields that the service writes: all are ignored. */
export const unlisted: Fields = {
  shelf: word,
  _id: fc.constant('mine'),
  teamId: fc.constant('@other'),
  createdAt: fc.constant('1999-12-31'),
}

const ignored = ['shelf', '_id', 'teamId', 'createdAt', 'updatedAt']

/** The fields of a body that are stored. */
export function writable(body: object, ...alsoIgnored: string[]): Record<string, any> {
  return Object.fromEntries(Object.entries(body).filter(([field]) => ![...ignored, ...alsoIgnored].includes(field)))
}
