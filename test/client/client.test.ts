import { describe, expect, it } from 'vitest'
import { Inconclusive, Skipped } from '../../contracts/judge/outcome.ts'
import { clientFor, key, serverThat, serverThatSays } from '../contracts/harness.ts'

const contact = {
  _id: 'c1',
  firstName: 'Ada',
  lastName: 'Lovelace',
  teamId: 'acme',
  createdAt: '2026-03-01T09:30:00.000Z',
  updatedAt: '2026-03-01T09:30:00.000Z',
}
const ok = { success: true, message: 'Contact saved', data: contact }
const ada = { path: { contactId: 'c1' }, body: { firstName: 'Ada' } }

/** What the answers of a client broke. */
const brokenIn = (client: ReturnType<typeof clientFor>['client']) =>
  client.seen.all().faults.map(({ promise, actual }) => [promise, actual])

describe('An answer', () => {
  it('that is as documented breaks nothing', async () => {
    const { client } = clientFor(await serverThatSays(200, ok))
    const answer = await client.call('updateContact', ada)
    expect(answer.data).toEqual(contact)
    expect(client.seen.all()).toMatchObject({
      faults: [],
      answers: [{ operation: 'updateContact', successes: 1, refusals: 0, unlisted: [] }],
    })
  })

  const { updatedAt: _, ...withoutUpdate } = contact
  it.each([
    ['200 of HTML', 200, '<html>', { 'content-type': 'text/html' }, ['envelope.answersAreJson']],
    ['JSON that says that it is HTML', 200, ok, { 'content-type': 'text/html' }, ['envelope.answersAreJson']],
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
    [
      '500 with a stack',
      500,
      { success: false, message: 'Internal server error', stack: 'x' },
      {},
      ['error.carriesNoData'],
    ],
    ['401 in other words', 401, { success: false, message: 'Who are you?' }, {}, ['error.unauthorizedText']],
    ['500 in other words', 500, { success: false, message: 'Oops' }, {}, ['error.serverErrorText']],
    ['no JSON object at all', 200, [], {}, ['contact.answersWithTheContact']],
    ['null', 400, 'null', {}, ['error.successIsFalse', 'error.messageIsText']],
  ])('of %s is laid to the promise that it breaks', async (_, status, body, headers, promises) => {
    const { client } = clientFor(await serverThatSays(status, body, headers))
    await client.call('updateContact', ada)
    expect(brokenIn(client).map(([promise]) => promise)).toEqual(promises)
  })

  it('of an operation that answers with an outcome alone has no data', async () => {
    const { client } = clientFor(await serverThatSays(200, { ...ok, data: {} }))
    await client.call('deleteCompany', { path: { companyId: 'c' } })
    expect(brokenIn(client)).toEqual([['envelope.outcomeStandsAlone', '{"data":{}}']])
  })

  it('may have fields that are not documented, which are told', async () => {
    const { client } = clientFor(await serverThatSays(200, { ...ok, data: { ...contact, owner: 'Grace' } }))
    await client.call('updateContact', ada)
    expect(client.seen.all()).toMatchObject({ faults: [], answers: [{ unlisted: ['data.owner'] }] })
  })
})

describe('A server that gives no answer', () => {
  it('and hangs is given up after the timeout', async () => {
    const { client } = clientFor(await serverThat(() => undefined), { timeout: 0.2 })
    await expect(client.call('updateContact', ada)).rejects.toThrow('updateContact: no answer within 0.2 seconds')
  })

  it('and drips is given up after the timeout too', async () => {
    const url = await serverThat((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => answer.write(' '), 20)
      answer.on('close', () => {
        clearInterval(drip)
      })
    })
    const { client } = clientFor(url, { timeout: 0.3 })
    await expect(client.call('updateContact', ada)).rejects.toThrow('no answer within 0.3 seconds')
  })

  it('but breaks off in the midst of one breaks a promise', async () => {
    const url = await serverThat((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      answer.write('{"success":', () => answer.destroy())
    })
    const { client } = clientFor(url)
    await expect(client.call('updateContact', ada)).rejects.toThrow(Inconclusive)
    expect(brokenIn(client)).toEqual([['envelope.answersAreJson', 'the answer broke off']])
  })

  it('three times in a row is not asked again', async () => {
    const { client, sent } = clientFor('http://127.0.0.1:1')
    for (let i = 0; i < 3; i++) await expect(client.call('updateContact', ada)).rejects.toThrow('nothing listens there')
    await expect(client.call('updateContact', ada)).rejects.toThrow(Skipped)
    expect(sent.length).toBe(3)
    expect(client.stopped).toEqual({
      reason: '127.0.0.1:1 gives no answers: nothing listens there (ECONNREFUSED)',
      unreachable: true,
    })
  })
})

describe('A redirect', () => {
  it('is not followed, so that no other host sees the credential', async () => {
    const seen: unknown[] = []
    const elsewhere = await serverThat((request, answer) => {
      seen.push(request.headers)
      answer.end('{}')
    })
    const { client } = clientFor(await serverThatSays(307, '', { location: elsewhere }))
    await client.call('updateContact', ada)
    expect(seen).toEqual([])
  })
})

describe('A request', () => {
  it('goes to the documented method and path, with the key and nothing of it in the curl line', async () => {
    const heard: unknown[] = []
    const url = await serverThat((request, answer) => {
      heard.push([request.method, request.url, request.headers['x-api-key']])
      answer.writeHead(500, { 'content-type': 'text/html' }).end()
    })
    const { client } = clientFor(url)
    await client.call('updateContact', { path: { contactId: "../a'b" }, body: { firstName: "O'Neil $(id) `id`" } })
    expect(heard).toEqual([['PUT', "/api/contacts/..%2Fa'b", key]])
    const [fault] = client.seen.all().faults
    expect(fault?.curl).toContain('-H "x-api-key: $CRM_API_KEY"')
    expect(fault?.curl).toContain(`--data-binary '{"firstName":"O'\\''Neil $(id) \`id\`"}'`)
    expect(JSON.stringify(client.seen.all())).not.toContain(key)
  })

  it.each([
    ['nobody', 'nobody', [undefined, undefined]],
    ['a wrong key', { key: 'wrong' }, ['wrong', undefined]],
    ['a wrong token', { token: 'wrong' }, [undefined, 'Bearer wrong']],
  ] as const)('can come from %s', async (_, who, credentials) => {
    const heard: unknown[] = []
    const url = await serverThat((request, answer) => {
      heard.push([request.headers['x-api-key'], request.headers.authorization])
      answer.end()
    })
    await clientFor(url).client.call('updateContact', { ...ada, who })
    expect(heard).toEqual([credentials])
  })

  it('by a caller whom the operator did not give stays here', async () => {
    const { client, sent } = clientFor(await serverThatSays(200, ok))
    await expect(client.call('updateContact', { ...ada, who: 'otherTeam' })).rejects.toThrow(
      'it takes the key of a second team, in CRM_OTHER_API_KEY',
    )
    expect(sent).toEqual([])
  })

  it('that says when to come again comes again then, and only then', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      const status = ++asked === 1 ? 429 : 200
      answer.writeHead(status, {
        'content-type': 'application/json',
        ...(status === 429 ? { 'retry-after': '1' } : {}),
      })
      answer.end(JSON.stringify(ok))
    })
    const { client } = clientFor(url)
    const startedAt = performance.now()
    expect((await client.call('updateContact', ada)).status).toBe(200)
    expect(performance.now() - startedAt).toBeGreaterThan(950)
    expect(client.seen.all().faults).toEqual([])
  })

  it('is not repeated when nothing says that it was not carried out', async () => {
    const { client, sent } = clientFor(await serverThatSays(429, { success: false, message: 'Slow down' }))
    await client.call('updateContact', ada)
    expect(sent.length).toBe(1)
  })

  it('waits for its turn where others share the service', async () => {
    const { client } = clientFor(await serverThatSays(200, ok), { rate: 20 })
    const startedAt = performance.now()
    await Promise.all([1, 2, 3].map(() => client.call('updateContact', ada)))
    expect(performance.now() - startedAt).toBeGreaterThan(95)
  })
})

describe('What is about to be made', () => {
  it('is written down before the request leaves', async () => {
    const order: unknown[] = []
    const url = await serverThat((_, answer) => {
      order.push(['asked', written.length])
      answer.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(ok))
    })
    const { client, mint, written } = clientFor(url)
    const email = mint.email()
    await client.call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace', email } })
    expect(order).toEqual([['asked', 1]])
    expect(written).toMatchObject([
      { operation: 'createContact', kind: 'contact', emails: [email] },
      { created: '1', id: 'c1', marked: false },
    ])
  })

  it('is struck out when it was refused, and stays open when the server failed', async () => {
    for (const [status, last] of [
      [400, { nothing: '1' }],
      [500, { kind: 'product' }],
    ] as const) {
      const { client, written } = clientFor(await serverThatSays(status, { success: false, message: 'no' }))
      await client.call('createProduct', { body: { name: 'x', unitPrice: 1 } })
      expect(written.at(-1)).toMatchObject(last)
    }
  })

  it('carries a key where only the same request could find it again', async () => {
    const { client, sent, written } = clientFor(await serverThatSays(400, { success: false, message: 'no' }))
    await client.call('createProduct', { body: { name: 'x' } })
    expect(written[0]).toMatchObject({ again: { key: sent[0]?.headers['idempotency-key'], body: { name: 'x' } } })
  })

  it('carries none when none is wanted', async () => {
    const { client, sent, written } = clientFor(await serverThatSays(400, { success: false, message: 'no' }))
    await client.call('createProduct', { body: { name: 'x' }, key: null })
    expect(sent[0]?.headers).not.toHaveProperty('idempotency-key')
    expect(written[0]).not.toHaveProperty('again')
  })

  it('can be looked for on a list of templates, though it was sent as a form', async () => {
    const { client, written } = clientFor(await serverThatSays(500, { success: false, message: 'no' }))
    const form = new FormData()
    form.append('uniqueName', 'order_has_left')
    await client.call('createTemplate', { form })
    expect(written).toMatchObject([{ kind: 'template', uniqueName: 'order_has_left' }])
  })

  it('names no address that the run did not mint', async () => {
    const { client, written } = clientFor(await serverThatSays(200, ok))
    await client.call('sendLiveMessage', { body: { channel: 'chat', content: 'x', to: '+14155550123' } })
    expect(written).toEqual([])
  })
})

describe('On a service that others share', () => {
  const elsewhere = { loopback: false, rate: Infinity }

  it.each(['createContact', 'updateContact', 'deleteContact', 'sendLiveMessage', 'createTemplate'] as const)(
    '%s stays here when the run may only read',
    async (operation) => {
      const { client, sent } = clientFor(await serverThatSays(200, ok), { upTo: 'read' })
      await expect(client.call(operation, ada)).rejects.toThrow(/which this run may not do: --up-to/)
      expect(sent).toEqual([])
    },
  )

  it('changes nothing that it did not make', async () => {
    const { client, mint, sent } = clientFor(await serverThatSays(200, ok), {}, elsewhere)
    await expect(client.call('updateContact', ada)).rejects.toThrow('it would change what this run did not make')
    await expect(client.call('deleteContactsByEmail', {})).rejects.toThrow(Skipped)
    await expect(client.call('deleteContactsByEmail', { query: { email: 'ada@example.com' } })).rejects.toThrow(Skipped)
    expect(sent).toEqual([])
    await client.call('deleteContactsByEmail', { query: { email: mint.email() } })
    await client.call('updateContact', { path: { contactId: mint.unknownId() }, body: {} })
    await client.call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace', email: mint.email() } })
    await client.call('updateContact', ada)
    expect(sent.length).toBe(4)
  })

  it('writes to nobody but those whom the operator named', async () => {
    const wanted = { phoneTo: ['+4915112345678'] }
    const { client, mint, sent } = clientFor(await serverThatSays(200, ok), wanted, elsewhere)
    const say = (target: object) =>
      client.call('sendLiveMessage', { body: { channel: 'chat', content: 'x', ...target } })
    for (const target of [{ to: mint.phone() }, { to: '+4915112345678,+491510000000' }, { contactId: 'c9' }, {}])
      await expect(say(target)).rejects.toThrow('a message goes only to those named')
    expect(sent).toEqual([])
    for (let i = 0; i < 20; i++) await say({ to: '+4915112345678' })
    await expect(say({ to: '+4915112345678' })).rejects.toThrow('at most 20 messages')
    expect(sent.length).toBe(20)
  })

  it('is not asked again after three failures', async () => {
    const failure = { success: false, message: 'Internal server error' }
    const { client } = clientFor(await serverThatSays(500, failure), {}, elsewhere)
    for (let i = 0; i < 3; i++) await client.call('listTemplates')
    await expect(client.call('listTemplates')).rejects.toThrow('stopped after three answers with 5xx')
  })

  it('is not asked again when a credential that opened opens no more', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      const status = ++asked === 1 ? 200 : 401
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(ok))
    })
    const { client } = clientFor(url, {}, elsewhere)
    await client.call('listTemplates')
    await client.call('listTemplates')
    await expect(client.call('listTemplates')).rejects.toThrow('a credential no longer opens')
  })

  it('is not asked again when it shows a record of another team', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      const data = { ...contact, teamId: ++asked === 1 ? 'acme' : 'globex' }
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...ok, data }))
    })
    const { client } = clientFor(url, {}, elsewhere)
    await client.call('getConversation', { path: { conversationId: 'a' } })
    await client.call('getConversation', { path: { conversationId: 'a' } })
    await expect(client.call('listTemplates')).rejects.toThrow('a record of another team')
  })
})
