import { describe, expect, it } from 'vitest'
import { Journal, type Requested } from '../../mock/journal/journal.ts'
import { bytesOf, longestText } from '../../mock/journal/noted.ts'
import { RequestIds } from '../../mock/journal/request-ids.ts'
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
const newJournal = (count: number, bytes: number) => new Journal({ now: () => 0 }, new RequestIds(1), { count, bytes })

describe('the journal', () => {
  it('keeps the latest requests, and no more than its bounds, however many come', () => {
    const journal = newJournal(100, 50_000)
    let most = { count: 0, bytes: 0 }
    for (let number = 0; number < 100_000; number++) {
      journal.note({ ...requested('x'.repeat(number % 500)), id: String(number) }, answered('y'.repeat(number % 300)))
      const { first, next, bytes } = journal.latest
      most = { count: Math.max(most.count, next - first), bytes: Math.max(most.bytes, bytes) }
    }
    expect(most.count).toBeLessThanOrEqual(100)
    expect(most.bytes).toBeLessThanOrEqual(50_000)
    const kept = [...journal.latest]
    expect(kept.at(-1)?.id).toBe('99999')
    expect(journal.latest.bytes).toBe(kept.reduce((sum, noted) => sum + bytesOf(noted), 0))
  })

  it('keeps as many as it may when they are small', () => {
    const journal = newJournal(100, 1_000_000)
    for (let number = 0; number < 1_000; number++) journal.note(requested(''), answered('{}'))
    expect([...journal.latest]).toHaveLength(100)
  })

  it('keeps the beginning of long texts only', () => {
    const journal = newJournal(10, 10_000_000)
    const text = 'é'.repeat(1_000_000)
    journal.note(requested(text), answered(text))
    const [noted] = journal.latest
    expect(noted?.sent).toEqual({ beginning: 'é'.repeat(longestText), length: 1_000_000 })
    expect(noted && bytesOf(noted)).toBeLessThan(5 * longestText)
  })

  it('counts the headers', () => {
    const journal = newJournal(1_000, 100_000)
    for (let number = 0; number < 100; number++) {
      journal.note(requested('', { 'x-long': 'x'.repeat(10_000), 'set-cookie': ['y'.repeat(10_000)] }), answered(''))
    }
    expect([...journal.latest].length).toBeLessThan(4)
  })

  it('counts nothing any more when it is cleared', () => {
    const journal = newJournal(10, 100_000)
    journal.note(requested('x'), answered('y'))
    journal.clear()
    expect([...journal.latest]).toEqual([])
    expect(journal.latest.bytes).toBe(0)
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
    expect([...journal.latest][0]).toMatchObject({
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
  expect([...journal.latest][0]).toMatchObject({ answer: { beginning: 'a' }, isCutOff: true })
})

describe('who follows', () => {
  const product = { name: 'Engine', unitPrice: 1 }

  it('misses what was dropped before it was read, and is told how many', async () => {
    const { sandbox, call } = await openSandbox()
    const following = sandbox.requests.follow()[Symbol.asyncIterator]()
    for (let number = 0; number < 1_200; number++) await call('createProduct', { body: product })
    const { value: first } = await following.next()
    expect(first).toMatchObject({ missed: 200, operation: 'createProduct' })
    expect((await following.next()).value).not.toHaveProperty('missed')
  })

  it('keeps nothing once it has stopped', async () => {
    const { sandbox } = await openSandbox()
    const wait = () => sandbox.requests.wait({ within: 1 }).catch(() => undefined)
    for (let number = 0; number < 60; number++) await wait()
    const following = sandbox.requests.follow()
    const next = following[Symbol.asyncIterator]().next()
    await following[Symbol.asyncIterator]().return?.()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('is refused when fifty others follow', async () => {
    const { sandbox } = await openSandbox()
    const others = Array.from({ length: 50 }, () => sandbox.requests.follow()[Symbol.asyncIterator]())
    const waiting = others.map((other) => other.next())
    expect(() => sandbox.requests.follow()).toThrow('50 others follow already; end one of them first')
    for (const other of others) await other.return?.()
    await Promise.all(waiting)
    expect(() => sandbox.requests.follow()).not.toThrow()
  })
})
