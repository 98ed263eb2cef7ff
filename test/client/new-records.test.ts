import { describe, expect, it } from 'vitest'
import { CannotRun } from '../../client/errors.ts'
import { contact, ok } from './contact.ts'
import { clientFor, serverThat, serverThatSays } from './harness.ts'

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
