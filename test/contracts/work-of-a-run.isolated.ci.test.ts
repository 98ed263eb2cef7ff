import { expect, it, vi } from 'vitest'
import { startOwnTarget } from '../../cli/own-target.ts'

// How long a run waits for reads that may lag behind writes. test/contracts/cost.ci.test.ts counts its requests.

const slept = vi.hoisted((): number[] => [])

vi.mock('../../contracts/client/sleep.ts', async (original) => {
  const { sleep } = await original<{ sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void> }>()
  return {
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      if (milliseconds > 0) slept.push(milliseconds)
      await sleep(milliseconds, signal)
    },
  }
})

const { checked, resultsOf, send, unchecked } = await import('./deviants/suite.ts')

it('a run keeps every promise, and hardly waits', async () => {
  const own = await startOwnTarget()
  try {
    for await (const { outcome, promise } of resultsOf([...checked, ...unchecked], own, send, true))
      if (promise !== 'error.serverErrorText') expect([promise, outcome]).toEqual([promise, 'kept'])
  } finally {
    await own.stop()
  }
  // One check waits for a message that was sent twice, which may come within two seconds.
  expect(slept.reduce((sum, one) => sum + one, 0)).toBeLessThan(2100)
})
