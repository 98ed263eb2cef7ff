import { describe, expect, it } from 'vitest'
import { openSandbox } from './harness.ts'
import {
  ada,
  chat,
  sms,
  whatsapp,
  email,
  unknownId,
  operationOf,
  send,
  contact,
  met,
  history,
  idsIn,
  plan,
} from './messaging.ts'

describe.each([
  ['chat', chat, ada.phone],
  ['sms', sms, ada.phone],
  ['whatsapp', whatsapp, ada.phone],
  ['email', email, ada.email],
])('A message on the channel %s', (channel, body, to) => {
  it('is answered as it is stored, with documented fields only', async () => {
    const { call } = await openSandbox({ clock: { now: () => Date.parse('2026-03-01T09:30:00.000Z') } })
    const { contactId, conversationId } = await met(call)
    const { status, body: told } = await send(call, { ...body, conversationId })
    const message = {
      _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
      channel,
      direction: 'outgoing',
      content: body.content,
      status: 'sent',
      conversationId,
      contactId,
      createdAt: '2026-03-01T09:30:00.000Z',
      ...(channel === 'email' ? { subject: 'Hello' } : {}),
    }
    expect(status).toBe(200)
    expect(told).toEqual({ success: true, message: expect.stringContaining('sent'), data: message })
    const read = (await call('listMessages', { path: { conversationId } })).body
    expect(read.data).toEqual([{ date: '2026-03-01', messages: [told.data] }])
  })

  it('to an unknown address creates a contact and a conversation, once', async () => {
    const { call } = await openSandbox()
    const first = await send(call, { ...body, to })
    const second = await send(call, { ...body, to })
    expect(idsIn(second)).toEqual(idsIn(first))
    const resolved = await call('findOrCreateConversation', {
      body: channel === 'email' ? { email: to } : { phone: to },
    })
    expect(resolved.body.data).toMatchObject({
      _id: idsIn(first).conversationId,
      contactId: { _id: idsIn(first).contactId },
    })
  })

  it.each([
    ['an unlisted field', { pigeon: 1 }, 'pigeon is not a field'],
    ['a content that is not a string', { content: 1 }, 'content must be a string'],
    ['no channel', { channel: undefined }, 'channel is required'],
    ['a channel of another operation', { channel: channel === 'chat' ? 'sms' : 'chat' }, 'channel must be'],
    ['a malformed address', { to: '12' }, 'to must be'],
    ['a source that is not a string', { source: 1 }, 'source must be a string'],
    ['no target', { to: undefined }, 'a recipient id is required'],
    ['an attachment of another type', { attachments: [{ ...plan, mediaType: 'scent' }] }, 'attachments'],
  ])('with %s is refused, and creates nothing', async (_, fault, message) => {
    const { call } = await openSandbox()
    const { contactId } = await met(call)
    const told = await call(operationOf[channel as keyof typeof operationOf], { body: { ...body, to, ...fault } })
    expect([told.status, told.body.message]).toEqual([400, expect.stringContaining(message)])
    expect(await history(call, contactId)).toEqual([])
  })

  it('into a conversation of another team is answered like one into an unknown conversation', async () => {
    const { call } = await openSandbox()
    const theirs = await met(call, ada, 'globex-key')
    const foreign = await send(call, { ...body, conversationId: theirs.conversationId })
    expect(foreign).toEqual(await send(call, { ...body, conversationId: unknownId }))
    expect([foreign.status, foreign.body]).toEqual([404, { success: false, message: 'Resource not found' }])
    const path = { conversationId: theirs.conversationId }
    expect((await call('listMessages', { path, key: 'globex-key' })).body.data).toEqual([])
  })

  it('to a contact of another team is answered like one to an unknown contact', async () => {
    const { call } = await openSandbox()
    const theirs = await contact(call, ada, 'globex-key')
    const naming = (id: string) => (channel === 'email' ? { recipientIds: [id] } : { contactId: id })
    const foreign = await send(call, { ...body, ...naming(theirs) })
    expect(foreign).toEqual(await send(call, { ...body, ...naming(unknownId) }))
    expect(foreign.status).toBe(404)
  })
})

describe('A send', () => {
  it.each([chat, sms, whatsapp])('on $channel accepts contactId, and recipientId as its alias', async (body) => {
    const { call } = await openSandbox()
    const contactId = await contact(call)
    const first = await send(call, { ...body, contactId })
    const second = await send(call, { ...body, recipientId: contactId })
    const third = await send(call, { ...body, recipientId: contactId, contactId, to: ada.phone })
    expect(idsIn(second)).toEqual(idsIn(first))
    expect(idsIn(third)).toEqual(idsIn(first))
    expect(third.assumed).not.toContain('disagreeingReceivers')
  })

  it.each([
    [sms, '+14155550100'],
    [whatsapp, '+14155550101'],
    [email, 'hello@acme.example.com'],
    [email, 'Hello@ACME.example.com'],
  ])('can name its provider by id or by address, as in %j: %s', async (body, address) => {
    const { call } = await openSandbox()
    const told = await send(call, { ...body, providerId: address, to: body === email ? ada.email : ada.phone })
    expect(told.status).toBe(200)
    expect(told.assumed).not.toContain('unknownProvider')
  })
})
