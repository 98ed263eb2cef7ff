import { expect, it } from 'vitest'
import { fuzzRun } from './fuzz-run.ts'
import { profiles } from './profiles.ts'

interface Length {
  readonly requests: number
  /** How often every operation must succeed, so that enough was tried. */
  readonly atLeast: number
  readonly profiles: number
  readonly requestsEach: number
  readonly seed: number
}

/** Checks that all answers are as documented, with any requests and any choices. */
export function holdDocument({ requests, atLeast, profiles: count, requestsEach, seed }: Length): void {
  it(`answers ${requests} random requests as documented`, async () => {
    const { complaints, rarest } = await fuzzRun({ requests, seed })
    expect(complaints, `seed ${seed}`).toEqual([])
    expect(rarest.succeeded, `${rarest.id}, seed ${seed}`).toBeGreaterThanOrEqual(atLeast)
  })

  it(`answers as documented with ${count} random profiles`, async () => {
    for (const assume of profiles(count, seed)) {
      const { complaints } = await fuzzRun({ requests: requestsEach, seed, assume })
      expect(complaints, `seed ${seed}, ${JSON.stringify(assume)}`).toEqual([])
    }
  })
}
