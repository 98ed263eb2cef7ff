import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { chooseAll } from '../../../spec/choices.ts'
import { Journal, longestText, requestIds, type Requested } from '../../../mock/http/journal/journal.ts'
import { MemoryBudget } from '../../../mock/store/retention.ts'
import { openSandbox } from '../helpers.ts'
import { openSocket } from '../raw-http.ts'

const requested = (sent: string, headers: Requested['headers'] = {}): Requested => ({
  ...{ id: 'one', method: 'POST', url: '/api/products', headers, startedAt: 0 },
  ...{ text: sent, operation: 'createProduct', caller: { teamId: 'acme' } },
})
const answered = (body: string) => ({ status: 201, body, assumed: [] })
const newJournal = (count: number, bytes: number) =>
  new Journal({ now: () => 0 }, requestIds(1), () => chooseAll(), new MemoryBudget(12 * bytes), count)

describe('the journal', () => {
  it('keeps the latest requests within its bounds', () => {
    const journal = newJournal(100, 50_000)
    for (let number = 0; number < 1_000; number++)
      journal.note({ ...requested('x'.repeat(number % 500)), id: String(number) }, answered('y'.repeat(number % 300)))
    const kept = journal.from()
    expect(kept.length).toBeGreaterThan(20)
    expect(kept.length).toBeLessThan(100)
    expect(kept.map(({ id }) => Number(id))).toEqual(kept.map((_, at) => 1_000 - kept.length + at))
    const small = newJournal(100, 1_000_000)
    for (let number = 0; number < 1_000; number++) small.note(requested(''), answered('{}'))
    expect(small.from()).toHaveLength(100)
  })

  it('counts the headers', () => {
    const journal = newJournal(1_000, 100_000)
    for (let number = 0; number < 100; number++)
      journal.note(requested('', { 'x-long': 'x'.repeat(10_000), 'set-cookie': ['y'.repeat(10_000)] }), answered(''))
    expect(journal.from().length).toBeLessThan(4)
  })

  it('counts the failures', () => {
    const journal = newJournal(1_000, 100_000)
    for (let number = 0; number < 100; number++) journal.note(requested(''), answered(''), false, 'x'.repeat(10_000))
    expect(journal.from().length).toBeLessThan(6)
  })

  it('keeps the beginning of long texts', () => {
    const journal = newJournal(10, 10_000_000)
    const long = 'é'.repeat(1_000_000)
    journal.note({ ...requested(long), url: `/${long}` }, answered(long), false, long)
    const [entry] = journal.from()
    for (const part of [entry?.sent, entry?.answer])
      expect(part).toEqual({ beginning: expect.stringMatching(/^é{16384,18000}$/) as string, length: 1_000_000 })
    expect(entry?.url.length).toBeLessThan(2 * longestText)
    expect(JSON.stringify(entry?.failure).length).toBeLessThan(2 * longestText)
  })
})

describe('a response in parts', () => {
  const note = (parts: readonly string[]) => {
    const journal = newJournal(10, 10_000_000)
    async function* body() {
      yield* parts.map((part) => Buffer.from(part))
    }
    const response = journal.note(requested(''), { status: 200, body: body(), assumed: [] })
    return { journal, body: response.body as Readable }
  }
  const long = Array.from({ length: 10 }, () => 'z'.repeat(10_000))

  it('is sent as a whole, and its beginning is kept', async () => {
    const { journal, body } = note(long)
    expect((await text(body)).length).toBe(100_000)
    expect(journal.from()).toMatchObject([{ answer: { length: 100_000 }, isCutOff: false }])
  })

  it.each(['before its first part', 'after it'])('is cut off when the client leaves %s', async (when) => {
    const { journal, body } = note(long)
    if (when === 'after it') await body[Symbol.asyncIterator]().next()
    body.destroy()
    await expect.poll(() => journal.from()).toMatchObject([{ isCutOff: true }])
  })
})

describe('a follower', () => {
  const product = { name: 'x'.repeat(2_000), unitPrice: 1 }

  it('misses requests while it does not read, and gets their number', async () => {
    const { sandbox, call } = await openSandbox({ port: 0 })
    const socket = await openSocket(sandbox.url)
    socket.write(['GET /_sandbox/requests/follow HTTP/1.1', 'Host: localhost', '', ''].join('\r\n'))
    await once(socket, 'data')
    socket.pause()
    for (let number = 0; number < 5_000; number++) await call('createProduct', { body: product })
    let read = ''
    socket.on('data', (part: Buffer) => (read += part.toString()))
    socket.resume()
    await expect.poll(() => read.length).toBeGreaterThan(1_000_000)
    await call('createProduct', { body: product })
    await expect.poll(() => Number(/"missed":(\d+)/.exec(read)?.[1])).toBeGreaterThan(100)
    socket.destroy()
  })

  it('leaves its place to another when it stops', async () => {
    const { sandbox, call } = await openSandbox()
    const others = Array.from({ length: 100 }, () => sandbox.requests.follow())
    const waiting = others.map((other) => other.next())
    await expect(sandbox.requests.follow().next()).rejects.toThrow('100 requests wait for all teams already; ')
    await call('createProduct', { body: product })
    await Promise.all(waiting)
    for (const other of others) await other.return?.()
    await sandbox.health() // the responses end in the meantime
    const another = sandbox.requests.follow()
    const seen = another.next()
    await sandbox.health()
    await call('createProduct', { body: product })
    expect(await seen).toMatchObject({ value: { operation: 'createProduct' } })
    await another.return?.()
  })
})
