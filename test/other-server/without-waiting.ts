import { vi } from 'vitest'
import type { Send } from '../../client/transport.ts'

// Time passes only when somebody waits, and a little with each request: then minutes of waiting take none. Must be
// imported before anything that waits.

vi.useFakeTimers({ toFake: ['Date'] })

vi.doMock('../../client/sleep.ts', () => ({
  sleep: async (milliseconds: number) => {
    if (milliseconds > 0) letPass(milliseconds)
  },
}))

const letPass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

/** Sends so that each request takes a millisecond. */
export const takingTime =
  (send: Send): Send =>
  async (request, timeout) => {
    letPass(1)
    return send(request, timeout)
  }
