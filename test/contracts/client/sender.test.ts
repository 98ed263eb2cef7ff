import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { NotAllowed } from '../../../contracts/client/errors.ts'
import { readRetryAfter, Sender } from '../../../contracts/client/sender.ts'
import { createTarget, type TargetOptions } from '../../../contracts/client/target/target.ts'
import type { Incoming } from '../../../contracts/client/transport.ts'
import { ada, ok } from './helpers.ts'
import { clientFor, observed, serverThatSays } from './helpers.ts'
import { serverThat } from '../../for-one-test.ts'

describe('A request', () => {
  it('that is answered with 429 is sent again', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      const headers = { 'content-type': 'application/json', 'retry-after': '0' }
      answer.writeHead(++asked === 1 ? 429 : 200, headers).end(JSON.stringify(ok))
    })
    const { observer, exchanges } = observed()
    const { client } = clientFor(url, { observer })
    expect((await client.call('updateContact', ada)).status).toBe(200)
    expect(exchanges.map(({ incoming }) => incoming?.status)).toEqual([200])
  })

  it('that is answered with 429 ten times gets no verdict, and is recorded as one that created nothing', async () => {
    const url = await serverThatSays(429, { success: false, message: 'Slow down' }, { 'retry-after': '0' })
    const { observer, exchanges } = observed()
    const { client, sent, written } = clientFor(url, { observer })
    await expect(client.call('createContact', ada)).rejects.toThrow('the server takes no more requests for now (429)')
    expect(sent.length).toBe(10)
    expect(exchanges).toEqual([])
    expect(written.at(-1)).toEqual({ intent: '1', state: 'nothing' })
  })

  it.each([429, 503])('that is answered with %i and an hour to wait is the last one', async (status) => {
    const failure = { success: false, message: 'Slow down' }
    const { client, sent } = clientFor(await serverThatSays(status, failure, { 'retry-after': '3600' }))
    await client.call('updateContact', ada).catch(() => undefined)
    await expect(client.call('updateContact', ada)).rejects.toThrow(
      'asks to wait 3600 seconds (Retry-After): run again after that',
    )
    expect(sent.length).toBe(1)
  })

  const interrupted = 'the run was interrupted'

  it('that is a read without an answer ends when the run is stopped', async () => {
    const { client, sent } = clientFor(await serverThat(() => client.stop(interrupted)))
    await expect(client.call('listTemplates')).rejects.toThrow(new NotAllowed('ended', interrupted))
    expect(sent.length).toBe(1)
  })

  it('that waits as long as the server asks ends when the run is stopped', async () => {
    const wait = vi.spyOn(timers, 'setTimeout')
    syncBuiltinESMExports()
    onTestFinished(() => {
      wait.mockRestore()
      syncBuiltinESMExports()
    })
    const { client, sent } = clientFor(await serverThatSays(429, {}, { 'retry-after': '59' }))
    const ended = expect(client.call('updateContact', ada)).rejects.toThrow(new NotAllowed('ended', interrupted))
    await expect.poll(() => wait.mock.calls.map(([milliseconds]) => milliseconds)).toContain(59_000)
    client.stop(interrupted)
    await ended
    expect(sent.length).toBe(1)
  })

  it('that only reads, or has a key, is sent once more when its connection was lost, and another write is not', async () => {
    let asked = 0
    const url = await serverThat((request, answer) => {
      if (++asked % 2 === 1) request.socket.destroy()
      else answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ok))
    })
    const { client } = clientFor(url)
    expect((await client.call('listTemplates')).status).toBe(200)
    expect((await client.call('createProduct')).status).toBe(200)
    await expect(client.call('createContact')).rejects.toThrow('the connection was closed without a response')
    expect(asked).toBe(5)
  })
})

it.each<[string, Incoming['headers'], number | undefined]>([
  ['in seconds', { 'retry-after': '7' }, 7000],
  ['with a fraction', { 'retry-after': '1.5' }, 1500],
  ['given twice', { 'retry-after': ['7', '7'] }, 7000],
  ['by a clock that is ahead', { 'retry-after': at(25_205_000), date: at(25_200_000) }, 5000],
  ['by a clock that is behind', { 'retry-after': at(-25_195_000), date: at(-25_200_000) }, 5000],
  ['in the past', { 'retry-after': at(-5000), date: at(0) }, 0],
  ['that is missing', {}, undefined],
  ['that is no time', { 'retry-after': 'soon' }, undefined],
  ['that is negative', { 'retry-after': '-1' }, undefined],
])('Retry-After %s is read', (_, headers, milliseconds) => expect(readRetryAfter(headers)).toBe(milliseconds))

function at(milliseconds: number): string {
  return new Date(1_800_000_000_000 + milliseconds).toUTCString()
}

describe('A sender', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
    // Vitest does not fake this module.
    const wait = (milliseconds?: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
    vi.spyOn(timers, 'setTimeout').mockImplementation(wait)
    syncBuiltinESMExports()
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })

  const targetWith = (options: TargetOptions) =>
    createTarget({ baseUrl: 'http://127.0.0.1:1', ...options }, { team: 'acme-key' })
  const anyTarget = targetWith({})

  /** Asks until so many answers came or the sender stops, several at once. */
  async function askFor(count: number, respond: () => Partial<Incoming>, atOnce = 1, target = anyTarget) {
    let asked = 0
    const send = async () => {
      asked++
      await new Promise((resolve) => setTimeout(resolve, 4))
      return { status: 200, headers: {}, text: '{}', ...respond() }
    }
    const sender = new Sender({ target, send })
    const statuses: number[] = []
    const ask = async () => {
      while (!sender.stopped && statuses.length < count) statuses.push((await sender.send('createProduct')).status)
    }
    const all = Promise.allSettled(Array.from({ length: atOnce }, ask))
    await vi.runAllTimersAsync()
    await all
    return { asked, statuses, seconds: Date.now() / 1000, reason: sender.stopped?.reason }
  }

  it('waits for the time in Retry-After', async () => {
    const answers = [{ status: 429, headers: { 'retry-after': '7' } }]
    const { asked, seconds } = await askFor(1, () => answers.pop() ?? {})
    expect([asked, Math.floor(seconds)]).toEqual([2, 7])
  })

  it('waits for the pace of the run', async () => {
    const { seconds } = await askFor(41, () => ({}), 8, targetWith({ rate: 20 }))
    expect(Math.floor(seconds)).toBe(2)
  })

  it.each([
    ['a second', { 'retry-after': '1' }, 20],
    ['nothing', {}, 20],
    ['20 seconds', { 'retry-after': '20' }, 4],
    ['almost a minute', { 'retry-after': '59' }, 2],
  ])('stops when a server answers 503 and says to wait %s each time', async (_, headers, requests) => {
    const { asked, reason } = await askFor(1000, () => ({ status: 503, headers }))
    expect([asked, reason]).toEqual([requests, '127.0.0.1:1 is not available (503): run again later'])
  })

  it('goes on when a server answers 503 now and then', async () => {
    let count = 0
    const { statuses } = await askFor(300, () => (++count % 10 === 0 ? {} : { status: 503 }))
    expect(statuses.length).toBe(300)
  })

  it('stops when a server answers about records with more than 64 MiB', async () => {
    const text = JSON.stringify({ success: true, data: { name: 'x'.repeat(1024 * 1024) } })
    const { asked, reason } = await askFor(1000, () => ({ text }))
    expect([asked, reason]).toEqual([64, expect.stringMatching(/ answers with more than a run can remember: 64 MiB/)])
  })

  it('stops after three requests that were refused by rate to the end', async () => {
    const { reason } = await askFor(1000, () => ({ status: 429 }))
    expect(reason).toBe('127.0.0.1:1 takes no more requests for now (429): run again later')
  })

  it.each([{ 'retry-after': '1' }, {}])(
    'finds the pace of a server that takes a hundred a second: %j',
    async (headers) => {
      let [second, taken, refused] = [0, 0, 0]
      const { statuses, seconds } = await askFor(
        2000,
        () => {
          const now = Math.floor(Date.now() / 1000)
          if (now > second) [second, taken] = [now, 0]
          if (++taken <= 100) return {}
          refused++
          return { status: 429, headers }
        },
        8,
      )
      expect(statuses.every((status) => status === 200)).toBe(true)
      expect(seconds).toBeLessThan(60)
      expect(refused).toBeLessThan(400)
    },
  )
})
