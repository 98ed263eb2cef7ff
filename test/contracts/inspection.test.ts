import { describe, expect, it } from 'vitest'
import type { CheckLog } from '../../contracts/judge/check-log.ts'
import { ada, contact, ok } from '../client/contact.ts'
import { key, serverThat, serverThatSays } from '../client/harness.ts'
import { watchedClientFor } from './harness.ts'

const brokenIn = (log: CheckLog) => log.summary().faults.map(({ promise, actual }) => [promise, actual])

describe('An answer', () => {
  it('that is as documented breaks nothing', async () => {
    const { client, log } = watchedClientFor(await serverThatSays(200, ok))
    const answer = await client.call('updateContact', ada)
    expect(answer.data).toEqual(contact)
    expect(log.summary()).toMatchObject({
      faults: [],
      answers: [{ operation: 'updateContact', successes: 1, refusals: 0, unlisted: [] }],
    })
  })

  const { updatedAt: _, ...withoutUpdate } = contact
  it.each([
    ['200 of HTML', 200, '<html>', { 'content-type': 'text/html' }, ['envelope.answersAreJson']],
    ['JSON that says that it is HTML', 200, ok, { 'content-type': 'text/html' }, ['envelope.answersAreJson']],
    [
      'a success of another kind of JSON',
      200,
      ok,
      { 'content-type': 'application/problem+json' },
      ['envelope.answersAreJson'],
    ],
    ['an empty body', 200, '', {}, ['envelope.answersAreJson']],
    ['a redirect', 302, '', { location: '/elsewhere' }, ['envelope.answersAreJson', 'error.statusIsDocumented']],
    ['201 where 200 is documented', 201, ok, {}, ['contact.updateAnswers200']],
    ['422', 422, { success: false, message: 'no' }, {}, ['error.statusIsDocumented']],
    ['a refusal as a success', 200, { success: false, message: 'no' }, {}, ['envelope.successIsTrue']],
    ['a message that is a number', 200, { ...ok, message: 7 }, {}, ['envelope.messageIsText']],
    ['meta that is a text', 200, { ...ok, meta: 'x' }, {}, ['envelope.metaIsAnObject']],
    [
      'data that is a text',
      200,
      { ...ok, data: 'x' },
      {},
      ['envelope.dataIsStructured', 'contact.answersWithTheContact'],
    ],
    ['a field that is missing', 200, { ...ok, data: withoutUpdate }, {}, ['contact.answersWithTheContact']],
    ['a time that is none', 200, { ...ok, data: { ...contact, createdAt: 'today' } }, {}, ['contact.timesAreIso']],
    ['400 that states success', 400, { success: true, message: 'no' }, {}, ['error.successIsFalse']],
    ['400 without a message', 400, { success: false }, {}, ['error.messageIsText']],
    ['400 with nothing to say', 400, { success: false, message: 'Unauthorized' }, {}, ['error.badRequestSaysWhy']],
    ['404 with data', 404, { success: false, message: 'Resource not found', data: {} }, {}, ['error.carriesNoData']],
    ['401 in other words', 401, { success: false, message: 'Who are you?' }, {}, ['error.unauthorizedText']],
    ['500 in other words', 500, { success: false, message: 'Oops' }, {}, ['error.serverErrorText']],
    ['no JSON object at all', 200, [], {}, ['contact.answersWithTheContact']],
    ['null', 400, 'null', {}, ['error.successIsFalse', 'error.messageIsText']],
  ])('with %s breaks that promise', async (_, status, body, headers, promises) => {
    const { client, log } = watchedClientFor(await serverThatSays(status, body, headers))
    await client.call('updateContact', ada)
    expect(brokenIn(log).map(([promise]) => promise)).toEqual(promises)
  })

  it('of an operation that answers with an outcome alone has no data', async () => {
    const { client, log } = watchedClientFor(await serverThatSays(200, { ...ok, data: {} }))
    await client.call('deleteCompany', { path: { companyId: 'c' } })
    expect(brokenIn(log)).toEqual([['envelope.outcomeStandsAlone', '{"data":{}}']])
  })

  it('is recorded in full, so that the report can redact a secret before it shortens the text', async () => {
    const page = `<p>${'.'.repeat(20_000)}${key}`
    const { client, log } = watchedClientFor(await serverThatSays(200, page))
    await client.call('updateContact', ada)
    expect(log.summary().faults[0]).toMatchObject({
      actual: `a body that begins with ${page}`,
      answered: `200 ${page}`,
    })
  })

  it('may have undocumented fields, which are reported', async () => {
    const { client, log } = watchedClientFor(await serverThatSays(200, { ...ok, data: { ...contact, owner: 'Grace' } }))
    await client.call('updateContact', ada)
    expect(log.summary()).toMatchObject({ faults: [], answers: [{ unlisted: ['data.owner'] }] })
  })
})

describe('A legitimate answer', () => {
  const { firstName: _, lastName: __, ...nameless } = contact
  it.each<[string, number, unknown, Record<string, string>?]>([
    ['null for what is lacking', 200, { ...ok, data: { ...contact, email: null, company: null } }],
    ['null for no meta', 200, { ...ok, meta: null }],
    ['a time to the minute', 200, { ...ok, data: { ...contact, createdAt: '2026-03-01T09:30Z' } }],
    ['a contact without names', 200, { ...ok, data: nameless }],
    ['more fields in an error', 400, { success: false, message: 'no', code: 'E1', data: null }],
    ['a refusal by rate', 429, 'slow down', { 'retry-after': '0' }],
    ['a refusal by size', 413, '<html>'],
  ])('with %s breaks nothing', async (_, status, body, headers) => {
    const { client, log } = watchedClientFor(await serverThatSays(status, body, headers))
    await client.call('updateContact', ada).catch(() => undefined)
    expect(brokenIn(log)).toEqual([])
  })

  it.each([200, 409, 422])(
    'to an Idempotency-Key that was sent before may be %i, and to a new one not',
    async (status) => {
      const { client, log } = watchedClientFor(await serverThatSays(status, ok))
      const create = () => client.call('createProduct', { body: { name: 'Difference engine' }, key: 'key-1' })
      await create()
      expect(brokenIn(log)).toHaveLength(1)
      await create()
      expect(log.summary()).toMatchObject({ faults: { length: 1 }, answers: [{ unlisted: [`status ${status}`] }] })
    },
  )

  it('with null for an id is none', async () => {
    const url = await serverThatSays(200, { ...ok, data: { ...contact, _id: null } })
    const { client, log } = watchedClientFor(url)
    await client.call('updateContact', ada)
    expect(brokenIn(log).map(([promise]) => promise)).toEqual(['contact.answersWithTheContact'])
  })
})

describe('Half an answer', () => {
  it('breaks a promise', async () => {
    const url = await serverThat((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      answer.write('{"success":', () => answer.destroy())
    })
    const { client, log } = watchedClientFor(url)
    await expect(client.call('updateContact', ada)).rejects.toThrow('the answer broke off')
    expect(brokenIn(log)).toEqual([['envelope.answersAreJson', 'the answer broke off']])
  })
})
