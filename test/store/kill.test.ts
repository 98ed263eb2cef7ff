import { expect, it } from 'vitest'
import { killCycles } from './kill-cycles.ts'

it(
  'loses nothing that was answered when it is killed, and can be read again every time',
  { timeout: 60_000 },
  async () => {
    const { answered, lost } = await killCycles(10)
    expect(answered).toBeGreaterThan(1000)
    expect(lost).toEqual([])
  },
)

it('is seen to lose something when it answers before it has written', { timeout: 60_000 }, async () => {
  const { answered, lost } = await killCycles(3, 'unsafe')
  expect(answered).toBeGreaterThan(100)
  expect(lost).not.toEqual([])
})
