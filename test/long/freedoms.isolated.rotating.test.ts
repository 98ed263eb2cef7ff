import { describe, expect, it } from 'vitest'
import { accuse, judgeOtherServer, judgeOverHttp } from '../contracts/other-server/accusations.ts'
import { inTier, sampleOf, seed } from '../tier.ts'
import { combine, freedoms, freedomsOfTheWire } from '../contracts/other-server/freedoms.ts'

// The specification leaves gaps, which a server may fill in many ways. The suite must accept each.

/** More of them by `COMBINATIONS=100`, others by `FIRST_COMBINATION=101`. */
const first = Number(process.env.FIRST_COMBINATION ?? seed % 1000)
const count = Number(process.env.COMBINATIONS ?? inTier({ test: 1, nightly: 20 }))
const combinations = Array.from({ length: count }, (_, index) => first + index)
const [free, onTheWire] = [Object.entries(freedoms), Object.entries(freedomsOfTheWire)]

describe('The suite accuses no server', () => {
  it.each(sampleOf(free, inTier({ test: 2, ci: 3, nightly: free.length })))('when %s', async (_, choices) => {
    expect(await accuse(choices)).toEqual([])
  })

  it.each(sampleOf(onTheWire, inTier({ test: 1, nightly: onTheWire.length })))(
    'over HTTP when %s',
    async (_, choices) => {
      expect(await accuse(choices, judgeOverHttp)).toEqual([])
    },
  )

  it.each(combinations)('in combination %i', async (seed) => {
    const { names, choices } = combine(seed)
    expect({ names, accusations: await accuse(choices) }).toEqual({ names, accusations: [] })
  })
})

it.each([100, 300, 1000])('a run decides nearly everything on a server with reads that lag %i ms', async (lag) => {
  const { results, accusations } = await judgeOtherServer({ lag })
  expect(accusations).toEqual([])
  expect(results.filter(({ outcome }) => outcome === 'inconclusive').length).toBeLessThanOrEqual(3)
  expect(results.filter(({ outcome }) => outcome === 'kept').length).toBeGreaterThan(300)
})
