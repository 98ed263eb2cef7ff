import { vi } from 'vitest'

// The clock, and the timers of the sandboxes of this process, move during waits and a little with each request: a busy
// machine delays nothing. Import this module before any module that waits.

vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })

vi.doMock('../../../contracts/client/sleep.ts', () => ({
  sleep: (milliseconds: number) => vi.advanceTimersByTimeAsync(Math.max(milliseconds, 0)),
}))
