import { afterAll, beforeAll, expect, it } from 'vitest'
import type { StartedTarget } from '../../contracts/index.ts'
import { startOwnTarget } from '../../own-target.ts'
import { inTier, sampleOf } from '../tier.ts'
import { goBetweens } from './changes-of-requests.ts'
import { brokenIn, resultsOf, send } from './suite.ts'

// A go-between in front of a correct server forges, drops, repeats or caches requests.

let own: StartedTarget

beforeAll(async () => {
  own = await startOwnTarget()
})

afterAll(async () => {
  await own.stop()
})

it.each(sampleOf(goBetweens, inTier({ test: 10, ci: 40, nightly: goBetweens.length })))(
  'notices when $name',
  async ({ after = [], breaks, between }) => {
    const { team = '', otherTeam = '', admin = '' } = own.credentials
    const known = {
      team: { 'x-api-key': team },
      otherTeam: { 'x-api-key': otherTeam },
      admin: { authorization: `Bearer ${admin}` },
    }
    const broken = new Set<string>()
    for await (const result of resultsOf([...after, ...breaks], own, between(send, known))) {
      for (const promise of brokenIn(result)) broken.add(promise)
    }
    const unseen = breaks.filter((promise) => !broken.has(promise))
    expect(unseen).toEqual([])
  },
)
