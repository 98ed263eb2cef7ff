import { vi } from 'vitest'
import type { Send } from '../../../contracts/client/transport.ts'

// The clock moves during waits and a little with each request, so that minutes of waiting take no time. Import this
// module before any module that waits.

vi.useFakeTimers({ toFake: ['Date'] })

vi.doMock('../../../contracts/client/sleep.ts', () => ({
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
