import { beforeAll, describe, expect, it } from 'vitest'
import { accuse } from './accusations.ts'
import { combine } from './combinations.ts'
import { freedoms } from './freedoms.ts'

// A server that was written from the specification alone fills its gaps in many ways. None of them is a broken promise.

/** Fewer by `COMBINATIONS=10`. */
const combinations = Array.from({ length: Number(process.env.COMBINATIONS ?? 100) }, (_, index) => combine(index + 1))

/** Much of a run is spent waiting, so several go on at once. */
const runsAtOnce = 8

const accusations = new Map<object, Promise<string[]>>()

beforeAll(() => {
  const lanes = Array.from({ length: runsAtOnce }, () => Promise.resolve())
  const all = [...Object.values(freedoms), ...combinations.map(({ choices }) => choices)]
  all.forEach((choices, index) => {
    const lane = index % runsAtOnce
    const run = (lanes[lane] ?? Promise.resolve()).then(() => accuse(choices))
    lanes[lane] = run.then(
      () => undefined,
      () => undefined,
    )
    accusations.set(choices, run)
  })
})

describe('Nothing is called broken', () => {
  it('there are at least 60 freedoms', () => {
    expect(Object.keys(freedoms).length).toBeGreaterThanOrEqual(60)
  })

  it.each(Object.entries(freedoms))('when %s', async (_, choices) => {
    expect(await accusations.get(choices)).toEqual([])
  })

  it.each(combinations.map((combination, index) => [index + 1, combination] as const))(
    'in combination %i',
    async (_, { names, choices }) => {
      expect({ names, accusations: await accusations.get(choices) }).toEqual({ names, accusations: [] })
    },
  )
})
