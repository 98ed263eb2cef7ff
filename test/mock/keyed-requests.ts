import type { World } from '../../fixtures/world.ts'
import type { CallOptions, Call, ApiResponse } from './helpers.ts'

export const engine = { name: 'Difference engine', unitPrice: 1200 }
export const noPrice = { name: 'Difference engine' }
export const company = { name: 'Analytical Engines' }
export const oneDay = 24 * 60 * 60 * 1000

export const keyed = (body: unknown, key = 'once', more: CallOptions = {}): CallOptions => ({
  ...more,
  body,
  headers: { ...more.headers, 'idempotency-key': key },
})

export const create = (call: Call, body: unknown = engine, key?: string, more?: CallOptions) =>
  call('createProduct', keyed(body, key, more))

/** The names of the products of the team, in the order of creation. */
export const namesIn = (world: World, team = 0) => world.teams[team]?.products?.map(({ name }) => name) ?? []

/** A clock that the test moves. */
export function handClock(now = Date.parse('2026-03-01T09:30:00Z')) {
  return {
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
  }
}

export const twice = async (
  call: Call,
  second: unknown = engine,
): Promise<{ first: ApiResponse; response: ApiResponse; seen: unknown }> => {
  const first = await create(call)
  const response = await create(call, second)
  return { first, response, seen: seenOf(first, response) }
}

export const seenOf = (first: ApiResponse, second: ApiResponse) =>
  second.status >= 400 ? second.status : second.body.data._id === first.body.data._id ? 'the first' : 'another'
