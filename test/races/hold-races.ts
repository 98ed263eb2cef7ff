import { describe, expect, it } from 'vitest'
import { stores } from '../store/harness.ts'
import { crowds, sends } from './doors.ts'
import { crowdedRounds, keyedRounds } from './rounds.ts'

const allStores = ['', 'slow '].flatMap((word) =>
  stores.map(({ store, place }) => ({ store: word + store, place: async () => word + (await place()) })),
)

/** Runs this many rounds of each race on every store, as it is and slowed down. */
export function holdRaces(rounds: number): void {
  describe.each(allStores)('on the $store store', ({ place }) => {
    it.each(crowds)('$who gets one conversation from 64 simultaneous requests', async (crowd) => {
      expect(await crowdedRounds(await place(), crowd, rounds)).toEqual([])
    })

    it('64 simultaneous sends with one key create one message, and get one answer', async () => {
      expect(await keyedRounds(await place(), sends, rounds)).toEqual([])
    })
  })
}
