import { expect, it } from 'vitest'
import { powerLosses } from '../store/power-losses.ts'

it('loses nothing that was answered when the power goes 2000 times', async () => {
  const { answered, lost } = await powerLosses(2000, (disk) => disk)
  expect(answered).toBeGreaterThan(50_000)
  expect(lost).toEqual([])
})
