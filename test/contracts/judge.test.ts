import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { judgeCheck as judge } from '../../contracts/judge/judge-check.ts'
import { BrokenPromise, Inconclusive, Skipped } from '../../contracts/judge/outcome.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import { serverThatSays, key, clientFor } from './client/helpers.ts'
import { ada, contact, ok } from './client/helpers.ts'
import { CheckLogs } from '../../contracts/judge/check-log.ts'
import { serverThat } from '../for-one-test.ts'

const firm = 'contact.createAnswers201'

/** The result of a check that does this; each answer of its server breaks error.serverErrorText. */
async function resultOf(check: (count: () => void) => unknown, id: PromiseId = firm, asks = false) {
  const { client, log } = watchedClientFor(await serverThatSays(500, { success: false, message: 'Oops' }))
  const { result, error } = await judge(promise(id), { client, log }, async (count) => {
    if (asks) await client.call('createContact', { body: {} })
    await check(count)
  })
  return { ...result, error: error?.message }
}

const fail = (error: unknown) => () => {
  throw error
}
const pass = () => expect(1).toBe(1)
const countOne = (count: () => void) => count()
const bug = fail(new TypeError('x is undefined'))
const broken = fail(new BrokenPromise('201', 'createContact answering 200'))

describe('A check', () => {
  it.each<[string, (count: () => void) => unknown, object]>([
    ['counts an assertion is kept', countOne, { outcome: 'kept', error: undefined }],
    ['uses expect is kept', pass, { outcome: 'kept', error: undefined }],
    ['asserts nothing fails', () => undefined, { outcome: 'failed', reason: 'the check asserts nothing' }],
    ['skips is skipped', fail(new Skipped('no key')), { outcome: 'skipped', reason: 'no key', skipped: 'missing' }],
    ['cannot decide is inconclusive', fail(new Inconclusive('open')), { outcome: 'inconclusive', reason: 'open' }],
    ['has a bug fails', bug, { outcome: 'failed', reason: expect.stringContaining('TypeError: x is undefined') }],
  ])('that %s', async (_, check, result) => {
    expect(await resultOf(check)).toMatchObject(result)
  })

  it.each([
    [firm, 'broken'],
    ['contact.createdAtStays', 'warned'],
  ] as const)('that finds %s broken ends as %s', async (id, outcome) => {
    const result = await resultOf(broken, id)
    expect(result).toMatchObject({ outcome, finding: { expected: '201', actual: 'createContact answering 200' } })
    expect(result.error === undefined).toBe(outcome === 'warned')
  })

  it.each<[string, (is: typeof expect) => void, string, string]>([
    ['not.toContain', (is) => is([404, 405]).not.toContain(404), 'none of 404, 405', '404'],
    ['toContain', (is) => is([400, 415]).toContain(200), 'one of 400, 415', '200'],
    ['toContain of a text', (is) => is('draft').toContain('sent'), 'sent', 'draft'],
    ['not.toContain of a text', (is) => is('sent').not.toContain('sen'), 'not sen', 'sent'],
    ['not.toBe', (is) => is('draft').not.toBe('draft'), 'not draft', 'draft'],
    [
      'not.toHaveProperty',
      (is) => is({ a: 1 }).not.toHaveProperty('a'),
      'what the promise says',
      'expected { a: 1 } to not have property "a"',
    ],
  ])('reports in words what %s expects', async (_, check, expected, actual) => {
    const { finding } = await resultOf(() => check(expect))
    expect(finding).toMatchObject({ expected, actual })
  })

  it('reports the expected and the actual value of expect', async () => {
    const { finding } = await resultOf(() =>
      expect({ a: 1, b: 'x' }).toEqual({ a: 2, b: expect.any(String) as string }),
    )
    expect(finding).toMatchObject({ actual: '{"a":1,"b":"x"}', promise: firm })
    expect(finding?.expected).toContain('"a":2')
  })

  it('that fails because an answer broke another promise is inconclusive', async () => {
    const result = await resultOf(bug, firm, true)
    expect(result).toMatchObject({ outcome: 'inconclusive', faults: [{ promise: 'error.serverErrorText' }] })
    expect(result.reason).toContain('see error.serverErrorText')
  })

  it('of a promise about every answer fails with any of them', async () => {
    const result = await resultOf(pass, 'error.serverErrorText', true)
    expect(result).toMatchObject({ outcome: 'broken', finding: { operation: 'createContact', actual: '"Oops"' } })
    expect(result.finding?.story).toMatchObject([
      { line: expect.stringMatching(/^curl -sS .* -X POST 'http:\/\/127/) as string },
    ])
  })
})

/** The log of an update of a contact, to which the server gives this answer. */
async function logOf(status: number, body: unknown, headers: Record<string, string> = {}) {
  const { client, log } = watchedClientFor(await serverThatSays(status, body, headers))
  await client.call('updateContact', ada).catch(() => undefined)
  return log.summary()
}

const html = { 'content-type': 'text/html' }
const problem = { 'content-type': 'application/problem+json' }
const withData = (fields: object) => ({ ...ok, data: { ...contact, ...fields } })
const refusal = (fields: object) => ({ success: false, message: 'no', ...fields })
const shape = 'contact.answersWithTheContact'

describe('An answer', () => {
  it.each<[string, number, unknown, string[], Record<string, string>?]>([
    ['the documented fields', 200, ok, []],
    ['null for absent fields', 200, withData({ email: null, company: null }), []],
    ['null for meta', 200, { ...ok, meta: null }, []],
    ['a time to the minute', 200, withData({ createdAt: '2026-03-01T09:30Z' }), []],
    ['no name that was not sent', 200, withData({ lastName: undefined }), []],
    ['another name than was sent', 200, withData({ firstName: 'Grace' }), ['contact.updateShowsTheChange']],
    ['more fields in an error', 400, refusal({ code: 'E1', data: null }), []],
    ['429', 429, 'slow down', [], { 'retry-after': '0' }],
    ['413', 413, '<html>', []],
    ['200 of HTML', 200, '<html>', ['envelope.answersAreJson'], html],
    ['JSON with the type of HTML', 200, ok, ['envelope.answersAreJson'], html],
    ['a success in another JSON format', 200, ok, ['envelope.answersAreJson'], problem],
    ['an empty body', 200, '', ['envelope.answersAreJson']],
    ['a redirect', 302, '', ['envelope.answersAreJson', 'error.statusIsDocumented'], { location: '/other' }],
    ['201 where 200 is documented', 201, ok, ['contact.updateAnswers200']],
    ['422', 422, refusal({}), ['error.statusIsDocumented']],
    ['200 for a refusal', 200, refusal({}), ['envelope.successIsTrue']],
    ['a number as message', 200, { ...ok, message: 7 }, ['envelope.messageIsText']],
    ['a text as meta', 200, { ...ok, meta: 'x' }, ['envelope.metaIsAnObject']],
    ['a text as data', 200, { ...ok, data: 'x' }, ['envelope.dataIsStructured', shape]],
    ['a missing field', 200, withData({ updatedAt: undefined }), [shape]],
    ['null for an id', 200, withData({ _id: null }), [shape]],
    ['a malformed time', 200, withData({ createdAt: 'today' }), ['contact.timesAreIso']],
    ['success: true in a 400', 400, refusal({ success: true }), ['error.successIsFalse']],
    ['no message in a 400', 400, { success: false }, ['error.messageIsText']],
    ['the message of a 401 in a 400', 400, refusal({ message: 'Unauthorized' }), ['error.badRequestSaysWhy']],
    ['data in a 404', 404, refusal({ message: 'Resource not found', data: { ok: 1 } }), ['error.carriesNoData']],
    ['empty data in a 404', 404, refusal({ message: 'Resource not found', data: {} }), []],
    ['another message in a 401', 401, refusal({}), ['error.unauthorizedText', 'access.keyOpensEveryOperation']],
    ['another message in a 500', 500, refusal({}), ['error.serverErrorText']],
    ['a list as body', 200, [], [shape]],
    ['null as body', 400, 'null', ['error.successIsFalse', 'error.messageIsText']],
  ])('with %s breaks as many promises as expected', async (_, status, body, promises, headers) => {
    expect((await logOf(status, body, headers)).faults.map(({ promise }) => promise)).toEqual(promises)
  })

  it('counts as a success, and its undocumented fields are listed', async () => {
    const counts = { operation: 'updateContact', successes: 1, refusals: 0 }
    expect(await logOf(200, withData({ owner: 'Grace' }))).toMatchObject({
      answers: [{ ...counts, unlisted: ['data.owner'] }],
    })
  })

  it.each<[string, object, string, object]>([
    [
      'a malformed time',
      { createdAt: 'today' },
      'data.createdAt to be an ISO 8601 timestamp, such as 2026-03-01T09:30:00.000Z',
      { 'data.createdAt': 'today' },
    ],
    ['an item of another type', { groupIds: ['g', 7] }, 'data.groupIds[1] to be a string', { 'data.groupIds[1]': 7 }],
    ['a missing field', { teamId: undefined }, 'data.teamId', withData({ teamId: undefined })],
  ])('with %s is reported with the wrong field, or whole', async (_, fields, expected, shown) => {
    const [fault] = (await logOf(200, withData(fields))).faults
    expect(fault?.expected).toBe(expected)
    expect(JSON.parse(fault?.actual ?? '')).toEqual(JSON.parse(JSON.stringify(shown)))
  })

  it.each([
    [500, { error: 'boom' }, ['no success', 'no message']],
    [400, { success: 'no', error: 'boom' }, ['{"success":"no"}', 'no message']],
  ])('with status %i and %j is reported with the field that is missing', async (status, body, shown) => {
    expect((await logOf(status, body)).faults.map(({ actual }) => actual)).toEqual(shown)
  })

  it.each([
    [{ groupIds: [7] }, ['contact.groupsAreAList']],
    [{ groupIds: ['g'] }, [shape]],
    [{ status: 'open' }, [shape]],
  ])('to %j that shows a wrong value is faulty unless the request had it', async (body, promises) => {
    const { client, log } = watchedClientFor(await serverThatSays(200, withData({ groupIds: [7] })))
    await client.call('updateContact', { ...ada, body })
    expect(log.summary().faults.map(({ promise }) => promise)).toEqual(promises)
  })

  it('that is nested very deeply is too deep to judge', async () => {
    const deep = `{"success":true,"message":"","data":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_001)}`
    const [fault, ...others] = (await logOf(200, deep)).faults
    expect(fault).toMatchObject({
      promise: 'envelope.answersAreJson',
      actual: 'a body nested deeper than 100 levels, too deep to judge',
    })
    expect(others).toEqual([])
  })

  it('is recorded in full, so that the report can redact a secret before it shortens the text', async () => {
    const page = `<p>${'.'.repeat(20_000)}${key}`
    expect((await logOf(200, page)).faults[0]).toMatchObject({
      actual: `a body that begins with ${page}`,
      answered: `200 ${page}`,
    })
  })

  it.each([
    [{}, []],
    [{ ok: 1 }, [{ promise: 'envelope.outcomeStandsAlone', actual: '{"data":{"ok":1}}' }]],
  ])('of an operation with an outcome alone has no data or empty data: %j', async (data, faults) => {
    const { client, log } = watchedClientFor(await serverThatSays(200, { ...ok, data }))
    await client.call('deleteCompany', { path: { companyId: 'c' } })
    expect(log.summary().faults).toMatchObject(faults)
  })

  it.each([200, 409, 422])('to a repeated Idempotency-Key may have status %i, and to a new one not', async (status) => {
    const { client, log } = watchedClientFor(await serverThatSays(status, ok))
    const create = () =>
      client.call('createProduct', { body: { name: 'Difference engine', unitPrice: 1 }, key: 'key-1' })
    await create()
    expect(log.summary().faults).toHaveLength(1)
    await create()
    expect(log.summary()).toMatchObject({ faults: { length: 1 }, answers: [{ unlisted: [`status ${status}`] }] })
  })

  it.each([
    [400, 423],
    [423, 400],
  ])('to two requests at once with one key may have the statuses %i and %i', async (...inOrder) => {
    const [ofFirst, ofSecond] = inOrder
    let first: ServerResponse | undefined
    const url = await serverThat((_, answer) => {
      const send = (to: ServerResponse, status: number) =>
        to.writeHead(status, { 'content-type': 'application/json' }).end('{"success":false,"message":"In progress"}')
      if (!first) first = answer
      else {
        send(answer, ofSecond)
        answer.once('close', () => first && send(first, ofFirst))
      }
    })
    const { client, log } = watchedClientFor(url)
    const create = () =>
      client.call('createProduct', { body: { name: 'Difference engine', unitPrice: 1 }, key: 'key-1' })
    const statuses = (await Promise.all([create(), create()])).map(({ status }) => status)
    expect(statuses).toEqual(inOrder)
    expect(log.summary().faults).toEqual([])
  })

  it('that breaks off breaks a promise', async () => {
    const url = await serverThat((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      answer.write('{"success":', () => answer.destroy())
    })
    const { client, log } = watchedClientFor(url)
    const actual = 'the response broke off'
    await expect(client.call('updateContact', ada)).rejects.toThrow(actual)
    const story = [{ operation: 'updateContact', status: undefined }]
    expect(log.summary().faults).toMatchObject([{ promise: 'envelope.answersAreJson', actual, story }])
  })
})

it('a check that begins knows when the last write of another was answered', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1000 })
  onTestFinished(() => void vi.useRealTimers())
  const logs = new CheckLogs()
  const { client } = clientFor(await serverThatSays(201, ok), { observer: logs })
  const [one, other] = [logs.begin(), logs.begin()]
  const create = (log: typeof one) => logs.run(log, () => client.call('createProduct', { body: { name: 'Engine' } }))
  await create(one)
  vi.setSystemTime(2000)
  await create(other)
  vi.setSystemTime(3000)
  await logs.run(one, () => client.call('getTemplate', { path: { templateId: 't1' } }))
  expect(logs.begin().othersWroteAt).toBe(2000)
})

/** A client with a log that compares its answers with the document. */
function watchedClientFor(url: string) {
  const logs = new CheckLogs()
  const log = logs.begin()
  const watched = clientFor(url, { observer: logs })
  const { call } = watched.client
  watched.client.call = (...request) => logs.run(log, () => call(...request))
  return { log, ...watched }
}
