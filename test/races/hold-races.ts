import { describe, expect, it } from 'vitest'
import { stores } from '../store/harness.ts'
import { crowds, sends } from './doors.ts'
import { crowdedRounds, keyedRounds } from './rounds.ts'

const allStores = ['', 'slow '].flatMap((word) =>
  stores.map(({ store, place }) => ({ store: word + store, place: async () => word + (await place()) })),
)

/** Holds every store, as it is and slowed down, through so many rounds of each race. */
export function holdRaces(rounds: number): void {
  describe.each(allStores)('on the $store store', ({ place }) => {
    it.each(crowds)('$who has one conversation, though 64 ask for it at once', async (crowd) => {
      expect(await crowdedRounds(await place(), crowd, rounds)).toEqual([])
    })

    it('64 sends with one key at once are one message, and get one answer', async () => {
      expect(await keyedRounds(await place(), sends, rounds)).toEqual([])
    })
  })
}
