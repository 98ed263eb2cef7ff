import { describe, expect, it } from 'vitest'
import { openSandbox } from './harness.ts'
import {
  ada,
  grace,
  whatsapp,
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

  it('of another team is answered like an unknown one', async () => {
    const { call } = await openSandbox({ world: withTemplates })
    const told = await send(call, { ...whatsapp, to: ada.phone, ...filled }, 'globex-key')
    expect(told.status).toBe(404)
  })

  it('that is refused creates neither message nor contact', async () => {
    const { call } = await openSandbox({ world: withTemplates })
    await sendTemplate(call, { templateId: 'pending' })
    const { body } = await call('findOrCreateConversation', { body: { phone: ada.phone } })
    expect(body.message).toBe('Conversation created')
  })
})
