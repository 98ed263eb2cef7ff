import { expect, it } from 'vitest'
import { inTier, sampleOf } from '../tier.ts'
import { goBetweens } from './go-betweens.ts'
import { brokenIn, resultsOf, send, withOwnTarget } from './suite.ts'

// A proxy before a correct server forges, drops, repeats or caches requests.

it.each(sampleOf(goBetweens, inTier({ test: 5, ci: 10, nightly: goBetweens.length })))(
  'the suite notices when $name',
  async ({ after = [], breaks, between }) => {
    await withOwnTarget(async (own) => {
      const { team = '', otherTeam = '', admin = '' } = own.credentials
      const known = {
        team: { 'x-api-key': team },
        otherTeam: { 'x-api-key': otherTeam },
        admin: { authorization: `Bearer ${admin}` },
      }
      const broken: string[] = []
      for await (const result of resultsOf([...after, ...breaks], own, between(send, known)))
        broken.push(...brokenIn(result))
      expect(broken).toEqual(expect.arrayContaining([...breaks]))
    })
  },
)
