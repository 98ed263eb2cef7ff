import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { operations, type OperationId } from '../../spec/operations.ts'
import { inTier, sampleOf, seed } from '../tier.ts'
import { namedStores } from '../store/harness.ts'
import { bugs } from './bugs.ts'
import { sequences } from './requests.ts'
import { type Break, Sides } from './sides.ts'

const { numRuns, atLeast } = inTier({
  test: { numRuns: 25, atLeast: 1 },
  ci: { numRuns: 100, atLeast: 5 },
  nightly: { numRuns: 2000, atLeast: 50 },
})
/** The other stores have tests of their own, and are slower. */
const runsElsewhere = inTier({ test: 5, ci: 50, nightly: 2000 })

/** Compares the answers in many sequences. Returns how often each operation succeeded. */
async function compareInSequences(store: string, runs: number, broken?: Break): Promise<Map<OperationId, number>> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T09:30:00Z') })
  const sides = await Sides.open(store, broken)
  onTestFinished(async () => {
    vi.useRealTimers()
    await sides.close()
  })
  const succeeded = new Map<OperationId, number>()
  const holds = fc.asyncProperty(sequences, async (steps) => {
    vi.setSystemTime(Date.parse('2026-03-01T09:30:00Z'))
    await sides.reset()
    for (const step of steps) {
      const status = await sides.take(step, (milliseconds) => vi.setSystemTime(Date.now() + milliseconds))
      if ('id' in step && status !== undefined && status < 300)
        succeeded.set(step.id, (succeeded.get(step.id) ?? 0) + 1)
    }
  })
  await fc.assert(holds, { numRuns: runs, seed, endOnFailure: true })
  return succeeded
}

it.each(namedStores)(
  'answers like a server written from the specification alone, on the $store store',
  async ({ store, place }) => {
    const isMemory = store === 'memory'
    const succeeded = await compareInSequences(await place(), isMemory ? numRuns : runsElsewhere)
    if (!isMemory) return
    const rarest = Object.keys(operations).filter((id) => (succeeded.get(id as OperationId) ?? 0) < atLeast)
    expect(rarest, 'operations that succeeded too seldom').toEqual([])
  },
)

describe('the comparison detects that', () => {
  it.each(sampleOf(Object.entries(bugs), inTier({ test: 3, ci: Infinity })))('%s', async (_, broken) => {
    await expect(compareInSequences('memory', 400, broken)).rejects.toThrow('Property failed')
  })
})
