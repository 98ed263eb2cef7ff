import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { Journal, RequestIds, type Requested } from '../../mock/journal/journal.ts'
import { Latest } from '../../mock/journal/latest.ts'
import { longestText } from '../../mock/journal/entries.ts'
import { openSandbox } from '../mock/harness.ts'

const requested = (text: string, headers: Requested['headers'] = {}): Requested => ({
  id: 'one',
  method: 'POST',
  url: '/api/products',
  headers,
  startedAt: 0,
  text,
  operation: 'createProduct',
  caller: { teamId: 'acme' },
})
const answered = (body: string) => ({ status: 201, body, assumed: [] })
/** Outside of V8's heap, once all that nothing refers to is collected. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  return process.memoryUsage().arrayBuffers
}

function fail(why: string): never {
  throw new Error(why)
}

const newJournal = (count: number, bytes: number) => new Journal({ now: () => 0 }, new RequestIds(1), { count, bytes })

describe('the journal', () => {
  it('keeps the latest requests, and no more than its bounds, however many come', () => {
    const journal = newJournal(100, 50_000)
    let most = { count: 0, bytes: 0 }
    for (let number = 0; number < 100_000; number++) {
      journal.note({ ...requested('x'.repeat(number % 500)), id: String(number) }, answered('y'.repeat(number % 300)))
      const { first, next, bytes } = journal
      most = { count: Math.max(most.count, next - first), bytes: Math.max(most.bytes, bytes) }
    }
    expect(most.count).toBeLessThanOrEqual(100)
    expect(most.bytes).toBeLessThanOrEqual(50_000)
    const kept = [...journal]
    expect(kept.length).toBeGreaterThan(20)
    expect(kept.map(({ id }) => Number(id))).toEqual(kept.map((_, at) => 100_000 - kept.length + at))
  })

  it('keeps as many as it may when they are small', () => {
    const journal = newJournal(100, 1_000_000)
    for (let number = 0; number < 1_000; number++) journal.note(requested(''), answered('{}'))
    expect([...journal]).toHaveLength(100)
  })

  it('keeps the beginning of long texts only', () => {
    const journal = newJournal(10, 10_000_000)
    const text = 'é'.repeat(1_000_000)
    journal.note(requested(text), answered(text))
    const [entry] = journal
    expect(entry?.sent).toEqual({ beginning: 'é'.repeat(longestText), length: 1_000_000 })
    expect(entry?.answer).toEqual(entry?.sent)
    expect(journal.bytes).toBeLessThan(10_000_000 / 32)
  })

  it('counts the headers', () => {
    const journal = newJournal(1_000, 100_000)
    for (let number = 0; number < 100; number++) {
      journal.note(requested('', { 'x-long': 'x'.repeat(10_000), 'set-cookie': ['y'.repeat(10_000)] }), answered(''))
    }
    expect([...journal].length).toBeLessThan(4)
  })

  it('keeps no more of a request line and of headers than a socket would take', () => {
    const journal = newJournal(10, 16 * 1024 * 1024)
    const long = 'x'.repeat(5_000_000)
    const headers = { 'x-first': '1', 'x-long': long, 'x-last': long }
    journal.note({ ...requested('{}', headers), method: long, url: `/${long}` }, answered('{}'), false, long)
    expect(journal.bytes).toBeLessThan(1024 * 1024)
    const [entry] = journal
    expect(entry?.url.startsWith('/xxx')).toBe(true)
    expect(entry).toMatchObject({ sent: '{}', answer: '{}', headers: ['x-first', '1', 'x-long'] })
  })

  it('holds no memory for texts that it dropped, whatever their sizes', async () => {
    const latest = new Latest<object>({ count: 1_000, bytes: 1_000_000 }, () => ({}))
    const before = heldBytes()
    for (let number = 0; number < 100; number++) latest.add('x'.repeat(400_000 + number))
    // Node frees unused buffers shortly after their collection.
    await expect.poll(() => heldBytes() - before, { timeout: 4_000 }).toBeLessThan(3_000_000)
    expect(latest.bytes).toBeLessThanOrEqual(1_000_000)
  })

  it('has every request as it was when its clock fails', () => {
    let fails = false
    const now = () => (fails ? fail('no time') : 0)
    const journal = new Journal({ now }, new RequestIds(1), { count: 2, bytes: 1_000_000 })
    for (const id of ['1', '2', '3']) journal.note({ ...requested('x'), id }, answered('{}'))
    fails = true
    expect(() => journal.note({ ...requested('long text'), id: '4' }, answered('{}'))).toThrow('no time')
    expect([...journal]).toMatchObject([
      { id: '2', sent: 'x' },
      { id: '3', sent: 'x' },
    ])
  })

  it('counts nothing any more when it is cleared', () => {
    const journal = newJournal(10, 100_000)
    journal.note(requested('x'), answered('y'))
    journal.clear()
    expect([...journal]).toEqual([])
    expect(journal.bytes).toBe(0)
  })

  it('keeps the beginning of a list that is sent in parts, and sends all of it', async () => {
    const journal = newJournal(10, 10_000_000)
    async function* parts() {
      for (let part = 0; part < 10; part++) yield 'z'.repeat(10_000)
    }
    const { body } = journal.note(requested(''), { status: 200, body: parts(), assumed: [] })
    let sent = 0
    for await (const part of body) sent += part.length
    expect(sent).toBe(100_000)
    expect([...journal][0]).toMatchObject({
      answer: { beginning: 'z'.repeat(longestText), length: 100_000 },
      isCutOff: false,
    })
  })
})

it('says that a list was cut off when its client goes away', async () => {
  const journal = newJournal(10, 10_000_000)
  async function* parts() {
    yield 'a'
    yield 'b'
  }
  const { body } = journal.note(requested(''), { status: 200, body: parts(), assumed: [] })
  for await (const part of body) if (part === 'a') break
  expect([...journal][0]).toMatchObject({ answer: 'a', isCutOff: true })
})

it('records a list even if the client leaves before its first part', async () => {
  const journal = newJournal(10, 10_000_000)
  async function* parts() {
    yield 'a'
  }
  const { body } = journal.note(requested(''), { status: 200, body: parts(), assumed: [] })
  expect([...journal]).toEqual([])
  if (typeof body === 'object') await body[Symbol.asyncIterator]().return?.()
  expect([...journal]).toMatchObject([{ answer: '', isCutOff: true }])
})

it('keeps texts as they came, whatever their characters', () => {
  const journal = newJournal(10, 10_000_000)
  const text = '\u0000\n"é漢😀\ud800'
  journal.note(requested(text, { 'x-text': 'é"' }), answered(text))
  expect([...journal]).toMatchObject([{ sent: text, answer: text, headers: ['x-text', 'é"'] }])
})

it('gives back the memory of requests that it no longer has', () => {
  const journal = newJournal(10, 16 * 1024 * 1024)
  for (let number = 0; number < 10_000; number++) journal.note(requested('x'.repeat(10_000)), answered('{}'))
  expect([...journal]).toHaveLength(10)
  expect(journal.bytes).toBeLessThan(1024 * 1024)
})

describe('who follows', () => {
  const product = { name: 'Engine', unitPrice: 1 }

  it('misses requests that were dropped before they were read, and is told how many', async () => {
    const { sandbox, call } = await openSandbox()
    const following = sandbox.requests.follow()
    for (let number = 0; number < 1_200; number++) await call('createProduct', { body: product })
    let before = 0
    for await (const { missed } of following) {
      if (missed !== undefined) {
        expect(before + missed).toBe(200) // the journal keeps the last 1,000
        break
      }
      before++
    }
    expect((await following.next()).done).toBe(true)
  })

  it('keeps nothing once it has stopped', async () => {
    const { sandbox } = await openSandbox()
    const wait = () => sandbox.requests.wait({ within: 1 }).catch(() => undefined)
    for (let number = 0; number < 60; number++) await wait()
    const following = sandbox.requests.follow()
    const next = following.next()
    await following.return?.()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('is refused when fifty others follow', async () => {
    const { sandbox, call } = await openSandbox()
    const others = Array.from({ length: 50 }, () => sandbox.requests.follow())
    const waiting = others.map((other) => other.next())
    const refused = sandbox.requests.follow().next()
    await expect(refused).rejects.toThrow('50 others follow already; end one of them first')
    for (const other of others) await other.return?.()
    await Promise.all(waiting)
    const another = sandbox.requests.follow()
    const seen = another.next()
    await sandbox.health()
    await call('createProduct', { body: product })
    expect(await seen).toMatchObject({ value: { operation: 'createProduct' } })
    await another.return?.()
  })
})
