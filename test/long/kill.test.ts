import { expect, it } from 'vitest'
import { killCycles } from '../store/kill-cycles.ts'

it('loses nothing that was answered when it is killed 200 times', async () => {
  const { answered, lost } = await killCycles(200)
  expect(answered).toBeGreaterThan(20_000)
  expect(lost).toEqual([])
})
