import { vi } from 'vitest'
import { holdRaces } from '../races/hold-races.ts'

vi.mock(import('../../mock/store/open-store.ts'), async (original) => {
  const { openAround } = await import('../races/slow-stores.ts')
  return openAround(await original())
})

holdRaces(200)
