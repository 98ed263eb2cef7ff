import { describe, expect, it } from 'vitest'
import { openSandbox } from './harness.ts'
import {
  chat,
  sms,
  whatsapp,
  ada,
  grace,
  email,
  unknownId,
  send,
  contact,
  history,
  idsIn,
  withTemplates,
  filled,
  sendTemplate,
} from './messaging.ts'

describe('An e-mail', () => {
  it('to recipientIds and `to` reaches each of them once, and is answered with the message to `to`', async () => {
    const { call } = await openSandbox()
    const ids = [await contact(call), await contact(call, grace)]
    const recipientIds = [...ids, ...ids]
    const told = await send(call, { ...email, to: ada.email, recipientIds })
    expect(idsIn(told).contactId).toBe(ids[0])
    for (const id of ids) expect(await history(call, id)).toEqual([email.content])
  })

  it('with one unknown recipient is sent to none, and creates no contact', async () => {
    const { call } = await openSandbox()
    const id = await contact(call)
    const recipientIds = [id, unknownId]
    const told = await send(call, { ...email, to: grace.email, recipientIds })
    expect(told.status).toBe(404)
    expect(await history(call, id)).toEqual([])
    const deleted = await call('deleteContactsByEmail', { query: { email: grace.email } })
    expect(deleted.body.message).toBe('0 contacts deleted')
  })
})

describe('A WhatsApp template', () => {
  it('is filled in with its parameters, and braces in a parameter stay', async () => {
    const { call } = await openSandbox({ world: withTemplates })
    const { status, body } = await sendTemplate(call, filled)
    expect([status, body.data.content]).toEqual([200, 'Dear Ada, your order {{1}} has left, Ada'])
    expect(await history(call, body.data.contactId as string)).toEqual([body.data.content])
  })

  it('that is refused creates neither message nor contact', async () => {
    const { call } = await openSandbox({ world: withTemplates })
    await sendTemplate(call, { templateId: 'pending' })
    const { body } = await call('findOrCreateConversation', { body: { phone: ada.phone } })
    expect(body.message).toBe('Conversation created')
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
  ])('can name its provider by id or by address, as in %j: %s', async (body, address) => {
    const { call } = await openSandbox()
    const told = await send(call, { ...body, providerId: address, to: body === email ? ada.email : ada.phone })
    expect(told.status).toBe(200)
    expect(told.assumed).not.toContain('unknownProvider')
  })

  it.each([
    ['ignoringCase', 200],
    ['exact', 400],
  ] as const)(
    'names its provider by an address with other capitals when addressCompare=%s: %i',
    async (choice, status) => {
      const { call } = await openSandbox({ assume: { addressCompare: choice } })
      const told = await send(call, { ...email, providerId: 'Hello@ACME.example.com', to: ada.email })
      expect(told.status).toBe(status)
      expect(told.assumed).toContain('addressCompare')
    },
  )
})
