import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PatientSend } from '../../client/patient-send.ts'
import { Stop } from '../../client/stop.ts'
import { createTarget } from '../../client/target/target.ts'
import type { Outgoing } from '../../client/transport.ts'

describe('A server on this machine that is not available', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }))
  afterEach(() => void vi.useRealTimers())

  /** Asks again and again until nothing more is sent, or so many times. */
  async function askFor(most: number, statusOf: (asked: number) => number, retryAfter?: string) {
    const target = createTarget({ baseUrl: 'http://127.0.0.1:1' }, {})
    const stop = new Stop(target)
    let asked = 0
    const send = async () => ({
      status: statusOf(++asked),
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
      text: '{}',
    })
    const patient = new PatientSend(send, target, stop)
    const all = (async () => {
      while (!stop.stopped && asked < most) await patient.send({ method: 'GET' } as Outgoing)
    })()
    await vi.runAllTimersAsync()
    await all
    return { asked, seconds: Date.now() / 1000, reason: stop.stopped?.reason }
  }

  const reason = '127.0.0.1:1 is not available (503): run again later'

  it.each([
    ['a second', '1', { asked: 20, seconds: 19 }],
    ['nothing', undefined, { asked: 20, seconds: 0 }],
    ['20 seconds', '20', { asked: 4, seconds: 60 }],
    ['almost a minute', '59', { asked: 2, seconds: 59 }],
  ])('and says to wait %s each time gets no more requests after a minute at most', async (_, retryAfter, expected) => {
    expect(await askFor(1000, () => 503, retryAfter)).toEqual({ ...expected, reason })
  })

  it('now and then is asked on', async () => {
    const { asked, reason } = await askFor(300, (count) => (count % 10 === 0 ? 200 : 503), '1')
    expect([asked, reason]).toEqual([300, undefined])
  })
})
