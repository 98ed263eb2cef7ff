import { describe, expect, it } from 'vitest'
import { NotAllowed, StepFailed } from '../../client/errors.ts'
import type { Observer } from '../../client/client.ts'
import { type Exchange, toCurl } from '../../client/exchange.ts'
import { Stop } from '../../client/stop.ts'
import { createTarget } from '../../client/target/target.ts'
import type { Unanswered } from '../../client/transport.ts'
import { ada, contact, ok } from './contact.ts'
import { clientFor, key, serverThat, serverThatSays } from './harness.ts'

describe('A server', () => {
  it('that hangs is given up after the timeout', async () => {
    const { client } = clientFor(await serverThat(() => undefined), { wanted: { timeout: 0.2 } })
    await expect(client.call('updateContact', ada)).rejects.toThrow('updateContact: no answer within 0.2 seconds')
  })

  it('that drips is given up after the timeout too', async () => {
    const url = await serverThat((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => answer.write(' '), 20)
      answer.on('close', () => {
        clearInterval(drip)
      })
    })
    const { client } = clientFor(url, { wanted: { timeout: 0.3 } })
    await expect(client.call('updateContact', ada)).rejects.toThrow('no answer within 0.3 seconds')
  })

  it('that breaks off in the middle of an answer is reported as such', async () => {
    const url = await serverThat((_, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      answer.write('{"success":', () => answer.destroy())
    })
    const { observer, missing } = observed()
    const { client } = clientFor(url, { observer })
    await expect(client.call('updateContact', ada)).rejects.toThrow(StepFailed)
    expect(missing).toMatchObject([{ message: 'the answer broke off', isCut: true }])
  })

  it('that gives no answer three times in a row gets no more requests', async () => {
    const { client, sent } = clientFor('http://127.0.0.1:1')
    for (let i = 0; i < 3; i++) await expect(client.call('updateContact', ada)).rejects.toThrow('nothing listens there')
    await expect(client.call('updateContact', ada)).rejects.toThrow(NotAllowed)
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
  it('goes to the documented method and path with the key, which the curl line does not show', async () => {
    const heard: unknown[] = []
    const url = await serverThat((request, answer) => {
      heard.push([request.method, request.url, request.headers['x-api-key']])
      answer.writeHead(500, { 'content-type': 'text/html' }).end()
    })
    const { observer, exchanges } = observed()
    const { client } = clientFor(url, { observer })
    await client.call('updateContact', { path: { contactId: "../a'b" }, body: { firstName: "O'Neil $(id) `id`" } })
    expect(heard).toEqual([['PUT', "/api/contacts/..%2Fa'b", key]])
    const [curl] = exchanges.map(toCurl)
    expect(curl).toContain('-H "x-api-key: $CRM_API_KEY"')
    expect(curl).toContain(`--data-binary '{"firstName":"O'\\''Neil $(id) \`id\`"}'`)
    expect(JSON.stringify(exchanges)).not.toContain(key)
  })

  it.each([
    ['nobody', 'nobody', [undefined, undefined]],
    ['a wrong key', { key: 'wrong' }, ['wrong', undefined]],
    ['a wrong token', { token: 'wrong' }, [undefined, 'Bearer wrong']],
  ] as const)('can come from %s', async (_, caller, credentials) => {
    const heard: unknown[] = []
    const url = await serverThat((request, answer) => {
      heard.push([request.headers['x-api-key'], request.headers.authorization])
      answer.end()
    })
    await clientFor(url).client.call('updateContact', { ...ada, caller })
    expect(heard).toEqual([credentials])
  })

  it('is not sent for a caller whose credential was not given', async () => {
    const { client, sent } = clientFor(await serverThatSays(200, ok))
    await expect(client.call('updateContact', { ...ada, caller: 'otherTeam' })).rejects.toThrow(
      'needs the key of a second team, in CRM_OTHER_API_KEY',
    )
    expect(sent).toEqual([])
  })

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

describe('A new record', () => {
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

  it('is crossed out when it was refused, and stays open when the server failed', async () => {
    for (const [status, last] of [
      [400, { nothing: '1' }],
      [500, { kind: 'product' }],
    ] as const) {
      const { client, written } = clientFor(await serverThatSays(status, { success: false, message: 'no' }))
      await client.call('createProduct', { body: { name: 'x', unitPrice: 1 } })
      expect(written.at(-1)).toMatchObject(last)
    }
  })

  it('is created with a key where only the same request can find it again', async () => {
    const { client, sent, written } = clientFor(await serverThatSays(400, { success: false, message: 'no' }))
    await client.call('createProduct', { body: { name: 'x' } })
    expect(written[0]).toMatchObject({ again: { key: sent[0]?.headers['idempotency-key'], body: { name: 'x' } } })
  })

  it('is created without a key when the caller wants none', async () => {
    const { client, sent, written } = clientFor(await serverThatSays(400, { success: false, message: 'no' }))
    await client.call('createProduct', { body: { name: 'x' }, key: null })
    expect(sent[0]?.headers).not.toHaveProperty('idempotency-key')
    expect(written[0]).not.toHaveProperty('again')
  })

  it('is written down with its unique name even when it is sent as a form', async () => {
    const { client, written } = clientFor(await serverThatSays(500, { success: false, message: 'no' }))
    const form = new FormData()
    form.append('uniqueName', 'order_has_left')
    await client.call('createTemplate', { form })
    expect(written).toMatchObject([{ kind: 'template', uniqueName: 'order_has_left' }])
  })

  it('is written down only with addresses that the run minted', async () => {
    const { client, written } = clientFor(await serverThatSays(200, ok))
    await client.call('sendLiveMessage', { body: { channel: 'chat', content: 'x', to: '+14155550123' } })
    expect(written).toEqual([])
  })
})

describe('On a shared service a run', () => {
  const elsewhere = { loopback: false, rate: Infinity }

  it.each(['createContact', 'updateContact', 'deleteContact', 'sendLiveMessage', 'createTemplate'] as const)(
    'does not send %s when it may only read',
    async (operation) => {
      const { client, sent } = clientFor(await serverThatSays(200, ok), { wanted: { upTo: 'read' } })
      await expect(client.call(operation, ada)).rejects.toThrow(/which this run may not call: --up-to/)
      expect(sent).toEqual([])
    },
  )

  it('changes nothing that it did not make', async () => {
    const { client, mint, sent } = clientFor(await serverThatSays(200, ok), { change: elsewhere })
    await expect(client.call('updateContact', ada)).rejects.toThrow('it would change what this run did not make')
    await expect(client.call('deleteContactsByEmail', {})).rejects.toThrow(NotAllowed)
    await expect(client.call('deleteContactsByEmail', { query: { email: 'ada@example.com' } })).rejects.toThrow(
      NotAllowed,
    )
    expect(sent).toEqual([])
    await client.call('deleteContactsByEmail', { query: { email: mint.email() } })
    await client.call('updateContact', { path: { contactId: mint.unknownId() }, body: {} })
    await client.call('createContact', { body: { firstName: 'Ada', lastName: 'Lovelace', email: mint.email() } })
    await client.call('updateContact', ada)
    expect(sent.length).toBe(4)
  })

  it('writes only to people whom the operator named', async () => {
    const wanted = { phoneTo: ['+4915112345678'] }
    const { client, mint, sent } = clientFor(await serverThatSays(200, ok), { wanted, change: elsewhere })
    const say = (target: object) =>
      client.call('sendLiveMessage', { body: { channel: 'chat', content: 'x', ...target } })
    for (const target of [{ to: mint.phone() }, { to: '+4915112345678,+491510000000' }, { contactId: 'c9' }, {}])
      await expect(say(target)).rejects.toThrow('a message goes only to those named')
    expect(sent).toEqual([])
    // Some of the 20 are kept for the other operations.
    for (let i = 0; i < 11; i++) await say({ to: '+4915112345678' })
    await expect(say({ to: '+4915112345678' })).rejects.toThrow('at most 20 messages')
    expect(sent.length).toBe(11)
  })

  it('counts only the messages that were not refused', async () => {
    const wanted = { phoneTo: ['+4915112345678'] }
    const url = await serverThatSays(400, { success: false, message: 'no' })
    const { client, sent } = clientFor(url, { wanted, change: elsewhere })
    const body = { channel: 'chat', content: 'x', to: '+4915112345678' }
    for (let i = 0; i < 30; i++) await client.call('sendLiveMessage', { body })
    expect(sent.length).toBe(30)
  })

  it('stops after three failures', async () => {
    const failure = { success: false, message: 'Internal server error' }
    const { client } = clientFor(await serverThatSays(500, failure), { change: elsewhere })
    for (let i = 0; i < 3; i++) await client.call('listTemplates')
    await expect(client.call('listTemplates')).rejects.toThrow('stopped after three answers with 5xx')
  })

  it('stops when a credential is no longer accepted', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      const status = ++asked === 1 ? 200 : 401
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(ok))
    })
    const { client } = clientFor(url, { change: elsewhere })
    await client.call('listTemplates')
    await client.call('listTemplates')
    await expect(client.call('listTemplates')).rejects.toThrow('a credential that was accepted no longer is')
  })

  it('stops when an answer shows a record of another team', async () => {
    let asked = 0
    const url = await serverThat((_, answer) => {
      const data = { ...contact, teamId: ++asked === 1 ? 'acme' : 'globex' }
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...ok, data }))
    })
    const { client } = clientFor(url, { change: elsewhere })
    await client.call('getConversation', { path: { conversationId: 'a' } })
    await client.call('getConversation', { path: { conversationId: 'a' } })
    await expect(client.call('listTemplates')).rejects.toThrow('a record of another team')
  })
})

/** An observer, and what the client has told it. */
function observed() {
  const exchanges: Exchange[] = []
  const missing: Unanswered[] = []
  const observer: Observer = {
    onAnswer: (_, exchange) => exchanges.push(exchange),
    onNoAnswer: (_, error) => missing.push(error),
    onChoice: () => undefined,
  }
  return { observer, exchanges, missing }
}
