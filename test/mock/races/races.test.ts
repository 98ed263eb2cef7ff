import { describe, expect, it, vi } from 'vitest'
import { namedStores } from '../store/helpers.ts'
import { inTier } from '../../tier.ts'
import { crowds, sends } from './requests.ts'
import { crowdedRounds, keyedRounds } from './rounds.ts'

vi.mock(import('../../../mock/store/open-store.ts'), async (original) => {
  const { openAround } = await import('./slow-stores.ts')
  return openAround(await original())
})

const rounds = inTier({ test: 2, ci: 16, nightly: 200 })

const allStores = ['', 'slow '].flatMap((word) =>
  namedStores.map(({ store, place }) => ({
    ...{ store: word + store, sandboxes: 1, rounds },
    place: async () => word + (await place()),
  })),
)
/** Memory takes no time for a step, and slow memory lets others run between two. */
const stores = inTier({ test: allStores.filter(({ store }) => store.endsWith('memory')), ci: allStores })
const shared = namedStores
  .filter(({ store }) => store === 'PostgreSQL')
  .map((one) => ({
    ...one,
    sandboxes: 2,
    rounds: inTier({ test: 2, ci: 16, nightly: 1_000 }),
  }))

describe.each([...stores, ...shared])('with $sandboxes on the $store store', ({ place, sandboxes, rounds }) => {
  it.each(crowds)('$who gets one conversation from simultaneous requests', async (crowd) => {
    expect(await crowdedRounds(await place(), crowd, rounds, sandboxes)).toEqual([])
  })

  it('simultaneous sends with one key create one message, and get one answer', async () => {
    expect(await keyedRounds(await place(), sends, rounds, sandboxes)).toEqual([])
  })
})

describe('a store without turns', () => {
  it.each(crowds)('is detected by the race for $who', async (crowd) => {
    expect(await crowdedRounds('racy memory', crowd, 2, 1)).not.toEqual([])
  })
})

it('a server that ignores keys is detected: it sends each of the 64', async () => {
  const wrong = await keyedRounds('memory', sends, 4, 1, (call) => (id, ask) => call(id, { ...ask, headers: {} }))
  expect(wrong).toContain('256 messages in 4 rounds')
})
