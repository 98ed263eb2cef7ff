import { afterEach, expect, it, vi } from 'vitest'
import type { Send } from '../../contracts/client/transport.ts'
import { startOwnTarget } from '../../cli/own-target.ts'

// The number of requests of a run against a sandbox on this machine, which decides how long the run takes.

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

const { checked, resultsOf, send } = await import('./deviants/suite.ts')

afterEach(() => {
  vi.restoreAllMocks()
})

it('a run asks some four and a half thousand times, and hardly waits', async () => {
  const own = await startOwnTarget()
  let asked = 0
  const counting: Send = async (request, timeout) => {
    asked++
    return send(request, timeout)
  }
  try {
    for await (const { outcome, promise } of resultsOf(checked, own, counting, true))
      if (promise !== 'error.serverErrorText') expect([promise, outcome]).toEqual([promise, 'kept'])
  } finally {
    await own.stop()
  }
  expect(asked).toBeLessThan(4700)
  // One check cannot be decided, and is tried with a wait.
  expect(slept.reduce((sum, one) => sum + one, 0)).toBeLessThan(1500)
})
