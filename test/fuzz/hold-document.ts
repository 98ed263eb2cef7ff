import { expect, it } from 'vitest'
import { fuzzRun } from './fuzz-run.ts'
import { profiles } from './profiles.ts'

interface Length {
  readonly requests: number
  /** How often every operation has to succeed, or else too little was tried. */
  readonly atLeast: number
  readonly profiles: number
  readonly requestsEach: number
  readonly seed: number
}

/** Holds the answers to the document, whatever is asked, and whatever is assumed. */
export function holdDocument({ requests, atLeast, profiles: count, requestsEach, seed }: Length): void {
  it(`answers ${requests} requests, odd ones and others, as the document allows`, async () => {
    const { complaints, rarest } = await fuzzRun({ requests, seed })
    expect(complaints, `seed ${seed}`).toEqual([])
    expect(rarest.succeeded, `${rarest.id}, seed ${seed}`).toBeGreaterThanOrEqual(atLeast)
  })

  it(`does so with any of ${count} profiles`, async () => {
    for (const assume of profiles(count, seed)) {
      const { complaints } = await fuzzRun({ requests: requestsEach, seed, assume })
      expect(complaints, `seed ${seed}, ${JSON.stringify(assume)}`).toEqual([])
    }
  })
}
