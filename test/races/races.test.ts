import { describe, expect, it, vi } from 'vitest'
import { crowds, sends } from './doors.ts'
import { holdRaces } from './hold-races.ts'
import { crowdedRounds, keyedRounds } from './rounds.ts'

vi.mock(import('../../mock/store/open-store.ts'), async (original) => {
  const { openAround } = await import('./slow-stores.ts')
  return openAround(await original())
})

holdRaces(8)

describe('a store without turns', () => {
  it.each(crowds)('is detected by the race for $who', async (crowd) => {
    expect(await crowdedRounds('racy memory', crowd, 2)).not.toEqual([])
  })
})

it('a server that ignores keys is detected: it sends each of the 64', async () => {
  const wrong = await keyedRounds('memory', sends, 4, (call) => (id, ask) => call(id, { ...ask, headers: {} }))
  expect(wrong).toContain('256 messages in 4 rounds')
})
