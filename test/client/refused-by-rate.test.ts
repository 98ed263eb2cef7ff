import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NotAllowed } from '../../client/errors.ts'
import { Pace, readRetryAfter } from '../../client/pace.ts'
import { PatientSend } from '../../client/patient-send.ts'
import { Stop } from '../../client/stop.ts'
import { createTarget } from '../../client/target/target.ts'
import type { Incoming, Outgoing } from '../../client/transport.ts'
import { randomFrom } from '../other-server/random.ts'
import { ada, ok } from './contact.ts'
import { clientFor, observed, serverThat, serverThatSays } from './harness.ts'

describe('A request', () => {
  it('that is answered with Retry-After is sent again after that time', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      const status = ++asked === 1 ? 429 : 200
      answer.writeHead(status, {
        'content-type': 'application/json',
        ...(status === 429 ? { 'retry-after': '1' } : {}),
      })
      answer.end(JSON.stringify(ok))
    })
    const { observer, exchanges } = observed()
    const { client } = clientFor(url, { observer })
    const startedAt = performance.now()
    expect((await client.call('updateContact', ada)).status).toBe(200)
    expect(performance.now() - startedAt).toBeGreaterThan(950)
    expect(exchanges.map(({ incoming }) => incoming?.status)).toEqual([200])
  })

  it('that is answered 429 is no verdict, whether or not the server says how long to wait', async () => {
    const url = await serverThatSays(429, { success: false, message: 'Slow down' }, { 'retry-after': '0' })
    const { observer, exchanges } = observed()
    const { client, sent, written } = clientFor(url, { observer })
    await expect(client.call('createContact', ada)).rejects.toThrow('the server takes no more requests for now (429)')
    expect(sent.length).toBe(4)
    expect(exchanges).toEqual([])
    expect(written.at(-1)).toEqual({ nothing: '1' })
  })

  it('is not sent after three that were refused by rate to the end', () => {
    const stop = new Stop(createTarget({ baseUrl: 'http://127.0.0.1:1' }, {}))
    for (let i = 0; i < 2; i++) stop.onRefusalByRate()
    expect(stop.stopped).toBeUndefined()
    stop.onRefusalByRate()
    expect(stop.stopped?.reason).toBe('127.0.0.1:1 takes no more requests for now (429): run again later')
    expect(stop.signal.aborted).toBe(true)
  })

  it('is not sent after waits that add up to an hour, however short each was', () => {
    const stop = new Stop(createTarget({ baseUrl: 'http://127.0.0.1:1' }, {}))
    for (let i = 0; i < 3600; i++) stop.onUntoldWait(1000)
    expect(stop.stopped).toBeUndefined()
    stop.onUntoldWait(1)
    expect(stop.stopped?.reason).toBe('127.0.0.1:1 takes no more requests for now (429): run again later')
  })

  it('that is answered 429 without a time is sent again, more slowly', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      answer.writeHead(++asked === 1 ? 429 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(ok))
    })
    const { client, sent } = clientFor(url)
    expect((await client.call('updateContact', ada)).status).toBe(200)
    expect(sent.length).toBe(2)
  })

  it.each([429, 503])('that is answered %i and told to wait an hour is the last one', async (status) => {
    const failure = { success: false, message: 'Slow down' }
    const { client, sent } = clientFor(await serverThatSays(status, failure, { 'retry-after': '3600' }))
    await client.call('updateContact', ada).catch(() => undefined)
    await expect(client.call('updateContact', ada)).rejects.toThrow(
      'asks to wait 3600 seconds (Retry-After): run again after that',
    )
    expect(sent.length).toBe(1)
  })

  it.each([
    ['waits as long as the server asks', 429, 'PUT'],
    ['is a read without an answer', undefined, 'GET'],
  ])('that %s ends when the run is stopped', async (_, status, method) => {
    const url = await serverThat((_request, answer) => {
      setTimeout(() => {
        client.stop('the run was interrupted')
      }, 20)
      if (status) answer.writeHead(status, { 'retry-after': '59' }).end('{}')
    })
    const { client, sent } = clientFor(url, { wanted: { timeout: 60 } })
    const call = method === 'GET' ? client.call('listTemplates') : client.call('updateContact', ada)
    await expect(call).rejects.toThrow(new NotAllowed('the run was interrupted'))
    expect(sent.length).toBe(1)
  })

  it('waits for the pace of the run', async () => {
    const { client } = clientFor(await serverThatSays(200, ok), { wanted: { rate: 20 } })
    const startedAt = performance.now()
    await Promise.all([1, 2, 3].map(() => client.call('updateContact', ada)))
    expect(performance.now() - startedAt).toBeGreaterThan(95)
  })
})

describe('Retry-After', () => {
  const now = Date.now()
  const at = (milliseconds: number) => new Date(now + milliseconds).toUTCString()
  const hour = 3_600_000

  it.each<[string, Incoming['headers'], number | undefined]>([
    ['in seconds', { 'retry-after': '7' }, 7000],
    ['with a fraction', { 'retry-after': '1.5' }, 1500],
    ['given twice', { 'retry-after': ['7', '7'] }, 7000],
    ['by a clock that is ahead', { 'retry-after': at(7 * hour + 5000), date: at(7 * hour) }, 5000],
    ['by a clock that is behind', { 'retry-after': at(5000 - 7 * hour), date: at(-7 * hour) }, 5000],
    ['in the past', { 'retry-after': at(-5000), date: at(0) }, 0],
    ['that is missing', {}, undefined],
    ['that is no time', { 'retry-after': 'soon' }, undefined],
    ['that is negative', { 'retry-after': '-1' }, undefined],
  ])('%s is read', (_, headers, milliseconds) => {
    expect(readRetryAfter(headers)).toBe(milliseconds)
  })
})

describe('The pace', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }))
  afterEach(() => void vi.useRealTimers())

  /** When each of several requests left, that were ready at the same time. */
  async function departures(pace: Pace, count: number): Promise<number[]> {
    const left: number[] = []
    const all = Array.from({ length: count }, () => pace.run(async () => void left.push(Date.now())))
    await vi.runAllTimersAsync()
    await Promise.all(all)
    return left
  }

  it('lets everything leave at once when there is no limit', async () => {
    expect(await departures(new Pace(Infinity), 3)).toEqual([0, 0, 0])
  })

  it('leaves a gap between requests, and counts those that were refused together once', async () => {
    const pace = new Pace(Infinity)
    for (let i = 0; i < 8; i++) pace.holdBack(1000, true)
    expect(await departures(pace, 3)).toEqual([1000, 1050, 1100])
    pace.holdBack(0, true)
    expect(await departures(pace, 3)).toEqual([1150, 1250, 1350])
  })

  it('is no slower after one refusal more, which may come by chance, unless the run has a limit', async () => {
    const pace = new Pace(Infinity)
    for (let i = 0; i < 3; i++) pace.holdBack(0, false)
    expect(await departures(pace, 3)).toEqual([0, 50, 100])
    const limited = new Pace(10)
    limited.holdBack(0, false)
    expect(await departures(limited, 3)).toEqual([100, 300, 500])
  })

  it('waits on when it is held again', async () => {
    const pace = new Pace(10)
    pace.hold(500)
    setTimeout(() => {
      pace.hold(1000)
    }, 400)
    expect(await departures(pace, 2)).toEqual([1400, 1500])
  })

  it('never leaves more than a second between requests', async () => {
    const pace = new Pace(Infinity)
    for (let i = 0; i < 20; i++) {
      pace.holdBack(10, true)
      await vi.advanceTimersByTimeAsync(20)
    }
    expect(await departures(pace, 3)).toEqual([400, 1400, 2400])
  })

  it('becomes what it was after enough requests that were let in', async () => {
    const pace = new Pace(Infinity)
    pace.holdBack(0, true)
    for (let i = 0; i < 17; i++) pace.speedUp()
    expect(pace.isFree).toBe(false)
    pace.speedUp()
    expect(pace.isFree).toBe(true)
    const slow = new Pace(2)
    slow.speedUp()
    expect(await departures(slow, 2)).toEqual([0, 500])
  })

  it.each([
    ['a second', '1'],
    ['nothing', undefined],
  ])('finds that of a server which takes a hundred requests a second and says to wait %s', async (_, retryAfter) => {
    let [second, taken, refused] = [0, 0, 0]
    const send = async () => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      const now = Math.floor(Date.now() / 1000)
      if (now > second) [second, taken] = [now, 0]
      const status = ++taken > 100 ? 429 : 200
      if (status === 429) refused++
      return { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter }, text: '{}' }
    }
    const target = createTarget({ baseUrl: 'http://127.0.0.1:1' }, {})
    const patient = new PatientSend(send, target, new Stop(target))
    const statuses: number[] = []
    const ask = async () => {
      while (statuses.length < 2000) statuses.push((await patient.send({ method: 'GET' } as Outgoing)).status)
    }
    const all = Promise.all(Array.from({ length: 8 }, ask))
    await vi.runAllTimersAsync()
    await all
    expect(statuses.every((status) => status === 200)).toBe(true)
    expect(Date.now() / 1000).toBeLessThan(60)
    expect(refused).toBeLessThan(200)
  })

  /** What a run gets from a server that refuses as it likes, and says nothing of how long to wait. */
  async function statusesFrom(refuses: () => boolean, count: number): Promise<number[]> {
    const send = async () => {
      await new Promise((resolve) => setTimeout(resolve, 4))
      return { status: refuses() ? 429 : 200, headers: {}, text: '{}' }
    }
    const target = createTarget({ baseUrl: 'http://127.0.0.1:1' }, {})
    const patient = new PatientSend(send, target, new Stop(target))
    const statuses: number[] = []
    const ask = async () => {
      while (statuses.length < count) statuses.push((await patient.send({ method: 'POST' } as Outgoing)).status)
    }
    const all = ask()
    await vi.runAllTimersAsync()
    await all
    return statuses
  }

  it.each([
    [0.05, 40],
    [0.2, 150],
    [0.5, 900],
  ])('finds that of a server which refuses %d of all requests by chance, within %i seconds', async (share, seconds) => {
    const draw = randomFrom(3)
    const statuses = await statusesFrom(() => draw() < share, 1000)
    expect(statuses.filter((status) => status === 429).length).toBeLessThan(5)
    expect(Date.now() / 1000).toBeLessThan(seconds)
  })

  it('is that of a server which takes so many requests a minute, and refuses none of them to the end', async () => {
    let [minute, taken] = [-1, 0]
    const refuses = () => {
      const now = Math.floor(Date.now() / 60_000)
      if (now > minute) [minute, taken] = [now, 0]
      return ++taken > 300
    }
    const statuses = await statusesFrom(refuses, 1000)
    expect(statuses.every((status) => status === 200)).toBe(true)
    expect(Date.now() / 60_000).toBeLessThan(5)
  })

  it('is kept when the server says that the next request is welcome at once', async () => {
    let asked = 0
    const target = createTarget({ baseUrl: 'http://127.0.0.1:1' }, {})
    const send = () =>
      Promise.resolve({ status: ++asked % 2 === 1 ? 429 : 200, headers: { 'retry-after': '0' }, text: '{}' })
    const patient = new PatientSend(send, target, new Stop(target))
    for (let i = 0; i < 10; i++) expect((await patient.send({ method: 'GET' } as Outgoing)).status).toBe(200)
    expect([asked, Date.now()]).toEqual([20, 0])
  })
})
