import { expect, it } from 'vitest'
import { inTier } from '../tier.ts'
import { killCycles } from './kill-cycles.ts'

const { cycles, atLeast } = inTier({
  test: { cycles: 5, atLeast: 500 },
  ci: { cycles: 10, atLeast: 1_000 },
  nightly: { cycles: 200, atLeast: 20_000 },
})

it('loses nothing that was answered when it is killed, and can be read again every time', async () => {
  const { answered, lost } = await killCycles(cycles)
  expect(answered).toBeGreaterThan(atLeast)
  expect(lost).toEqual([])
})

it('loses changes when it acknowledges before it has written', { timeout: 60_000 }, async () => {
  const { answered, lost } = await killCycles(3, 'unsafe')
  expect(answered).toBeGreaterThan(100)
  expect(lost).not.toEqual([])
})
