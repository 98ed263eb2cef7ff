import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { CannotRun, NotAllowed, StepFailed } from '../../client/errors.ts'
import { toCurl } from '../../client/exchange.ts'
import { ada, contact, ok } from './contact.ts'
import { clientFor, key, observed, serverThat, serverThatSays } from './harness.ts'

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

  it('with a form and a file can be sent again from a shell', async () => {
    const heard: string[] = []
    const url = await serverThat((request, answer) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        heard.push(Buffer.concat(chunks).toString('latin1'))
        answer.end('{}')
      })
    })
    const { observer, exchanges } = observed()
    const { client } = clientFor(url, { observer })
    const form = new FormData()
    form.append('name', "O'Neil @file")
    form.append('file', new Blob([new Uint8Array([0, 1, 2, 255])], { type: 'image/png' }), 'header.png')
    await client.call('createTemplate', { form })
    const [curl = ''] = exchanges.map(toCurl)
    expect(curl).toContain('printf %s AAEC/w== | base64 -d | curl ')
    await promisify(execFile)('sh', ['-c', curl], { env: { ...process.env, CRM_API_KEY: key } })
    for (const body of heard) {
      expect(body).toContain('name="name"\r\n\r\nO\'Neil @file\r\n')
      expect(body).toMatch(/name="file"; filename="header.png"\r\nContent-Type: image\/png\r\n\r\n\0\x01\x02\xff\r\n/i)
    }
    expect(heard).toHaveLength(2)
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

  it('is a quote of this run when its deal is, whatever its name', async () => {
    const quotes: object[] = [
      { _id: 'q1', name: 'Quote', dealId: 'd1' },
      { _id: 'q2', name: 'Quote', dealId: 'd2' },
    ]
    const deal = { _id: 'd1', name: '' }
    const url = await serverThat((request, answer) => {
      const data = request.url === '/api/quotes' ? quotes.shift() : deal
      const status = request.method === 'POST' ? 201 : 200
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ data }))
    })
    const { client, mint, written } = clientFor(url)
    deal.name = mint.name('Engine')
    await client.call('createDeal', { body: { name: deal.name } })
    for (const dealId of ['d1', 'd2']) await client.call('createQuote', { body: { dealId } })
    expect(written.filter((one) => 'created' in one)).toMatchObject([{}, { marked: true }, { marked: false }])
  })

  it('is not asked for when it cannot be written down, nor is anything after it', async () => {
    const url = await serverThatSays(201, ok)
    const intend = () => {
      throw new CannotRun('The ledger x.jsonl cannot be written (ENOSPC).')
    }
    const { client, sent } = clientFor(url, { ledger: { intend } })
    for (const operation of ['createProduct', 'listTemplates'] as const)
      await expect(client.call(operation, { body: { name: 'x' } })).rejects.toThrow(
        'x.jsonl cannot be written (ENOSPC)',
      )
    expect(sent).toEqual([])
    expect(client.stopped).toEqual({ reason: 'The ledger x.jsonl cannot be written (ENOSPC)', unreachable: true })
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

  it('is written down only with addresses that the run minted, and a message to anybody else stays', async () => {
    const { client, written } = clientFor(await serverThatSays(200, ok))
    await client.call('sendLiveMessage', { body: { channel: 'chat', content: 'x', to: '+14155550123' } })
    expect(written).toEqual([{ stays: 'toPeople' }])
  })
})

describe('A record that the server only says it made', () => {
  const refusal = 'the server gave a new record the id of another one, so it is not touched'

  async function clientThatCreates(ids: string[], seenBefore: string[] = []) {
    const url = await serverThat((request, answer) => {
      const _id = request.method === 'POST' ? (ids.shift() ?? '') : 'c1'
      answer.writeHead(200, { 'content-type': 'application/json' })
      answer.end(JSON.stringify({ ...ok, data: { ...contact, source: given.mint.run, _id } }))
    })
    const given = clientFor(url, { seenBefore })
    const newContact = () => ({ body: { firstName: 'Ada', lastName: 'Lovelace', email: given.mint.email() } })
    return { ...given, newContact }
  }
  const about = (contactId: string) => ({ path: { contactId } })

  it('under an id that was there before is neither changed nor deleted', async () => {
    const { client, newContact, written, sent } = await clientThatCreates(['old', 'new'], ['old'])
    await client.call('createContact', newContact())
    await client.call('createContact', newContact())
    for (const operation of ['updateContact', 'deleteContact'] as const)
      await expect(client.call(operation, { ...about('old'), body: {} })).rejects.toThrow(refusal)
    await expect(client.call('createConversation', { body: { contactId: 'old' } })).rejects.toThrow(refusal)
    await client.call('deleteContact', about('new'))
    expect(written).toContainEqual({ foreign: '1', id: 'old' })
    expect(sent.map(({ method }) => method)).toEqual(['POST', 'POST', 'PUT', 'DELETE'])
  })

  it('under the id of another new one is not touched, nor is that one', async () => {
    const { client, newContact, written } = await clientThatCreates(['c1', 'c1'])
    await client.call('createContact', newContact())
    await client.call('createContact', newContact())
    await expect(client.call('deleteContact', about('c1'))).rejects.toThrow(refusal)
    expect(written.slice(-2)).toEqual([
      { foreign: '1', id: 'c1' },
      { foreign: '3', id: 'c1' },
    ])
  })

  it('is told from one that the same request found again', async () => {
    const { client, mint, newContact } = await clientThatCreates(['c1', 'c1', 'c1', 'c1', 'c1'])
    const input = newContact()
    await client.call('createContact', input)
    await client.call('createOrUpdateContact', { body: { ...input.body, email: input.body.email.toUpperCase() } })
    const email = mint.email()
    await client.call('updateContact', { ...about('c1'), body: { email } })
    await client.call('createContact', { body: { ...input.body, email } })
    await client.call('createContact', { ...newContact(), key: 'a-key' })
    await expect(client.call('deleteContact', about('c1'))).rejects.toThrow(refusal)
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
    const url = await serverThat(({ method }, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json' })
      const data = { ...contact, source: mint.run }
      answer.end(JSON.stringify(method === 'POST' ? { ...ok, data } : { success: true, message: 'Done' }))
    })
    const { client, mint, sent } = clientFor(url, { change: elsewhere })
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
    expect(sent.map(({ method }) => method)).toEqual(['DELETE', 'PUT', 'POST', 'PUT', 'PUT'])
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
