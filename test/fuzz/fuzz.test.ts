import { describe, expect, it } from 'vitest'
import { inTier, sampleOf, seed } from '../tier.ts'
import { broken } from './broken.ts'
import { fuzzRun, profiles } from './fuzz-run.ts'

const { requests, atLeast, count, requestsEach } = inTier({
  test: { requests: 1_200, atLeast: 1, count: 2, requestsEach: 150 },
  ci: { requests: 5_000, atLeast: 3, count: 6, requestsEach: 300 },
  nightly: { requests: 100_000, atLeast: 50, count: 100, requestsEach: 1_000 },
})

it(`answers ${requests} random requests as documented`, async () => {
  const { complaints, rarest } = await fuzzRun({ requests, seed })
  expect(complaints, `seed ${seed}`).toEqual([])
  expect(rarest.succeeded, `${rarest.id}, seed ${seed}`).toBeGreaterThanOrEqual(atLeast)
})

it(`answers as documented with ${count} random profiles, and changes nothing when it refuses`, async () => {
  for (const assume of profiles(count, seed)) {
    const { complaints } = await fuzzRun({ requests: requestsEach, seed, assume, checksWorld: true })
    expect(complaints, `seed ${seed}, ${JSON.stringify(assume)}`).toEqual([])
  }
})

describe('a server', () => {
  it.each(sampleOf(broken, inTier({ test: 2, ci: Infinity })))(
    'that $server is detected',
    async ({ fetch, complaint }) => {
      const { complaints } = await fuzzRun({
        requests: 1000,
        seed: 20260301,
        broken: fetch,
        patience: 500,
        checksWorld: true,
      })
      expect(complaints).toContainEqual(expect.stringMatching(`^${complaint}`))
    },
  )
})
