import { describe, expect, it } from 'vitest'
import { openSandbox, twoTeams, type Call, type ApiResponse } from './helpers.ts'
import type { TemplateRecord } from '../../fixtures/records.ts'
import type { World } from '../../fixtures/world.ts'
import type { OperationId } from '../../spec/types.ts'
import { ada, grace, unknownId } from './requests.ts'

const chat = { channel: 'chat', content: 'Hello' }

const sms = { channel: 'sms', content: 'Hello', providerId: 'sms-provider' }

const whatsapp = { channel: 'whatsapp', content: 'Hello', providerId: 'whatsapp-provider' }

const email = { channel: 'email', content: '<p>Hello</p>', subject: 'Hello', providerId: 'email-provider' }

const operationOf = {
  chat: 'sendLiveMessage',
  email: 'sendEmailMessage',
  sms: 'sendMessage',
  whatsapp: 'sendMessage',
} as const satisfies Record<string, OperationId>

interface Body {
  readonly channel: string
  readonly [field: string]: unknown
}

/** Sends a message with the operation of its channel. */
const send = (call: Call, body: Body, key = 'acme-key') =>
  call(operationOf[body.channel as keyof typeof operationOf], { body, key })

const contact = async (call: Call, body: object = ada, key = 'acme-key'): Promise<string> =>
  (await call('createContact', { body, key })).body.data._id

const conversation = async (call: Call, contactId: string, key = 'acme-key'): Promise<string> =>
  (await call('createConversation', { body: { contactId }, key })).body.data._id

/** The contents of the messages to a contact, newest first. */
async function history(call: Call, contactId: string): Promise<string[]> {
  const conversationId = await conversation(call, contactId)
  const { data } = (await call('listMessages', { path: { conversationId } })).body
  return (data as { messages: { content: string }[] }[]).flatMap(({ messages }) => messages.map((each) => each.content))
}

const idsIn = ({ body }: ApiResponse) => ({
  contactId: body.data.contactId as string,
  conversationId: body.data.conversationId as string,
})

const template: TemplateRecord & { headerText?: string } = {
  _id: 'order-left',
  templateType: 'whatsapp',
  name: 'Order has left',
  uniqueName: 'order_left',
  content: 'Dear {{1}}, your order {{2}} has left, {{1}}',
  status: 'approved',
}

/** The two teams; acme has WhatsApp templates of each status, and one of another type. */
const withTemplates: World = {
  teams: twoTeams.teams.map((team, at) =>
    at > 0
      ? team
      : {
          ...team,
          templates: [
            template,
            { ...template, _id: 'pending', status: 'pending' },
            { ...template, _id: 'with-header', headerText: 'Order {{1}}' },
            { ...template, _id: 'sms-template', templateType: 'sms', content: 'Dear customer' },
          ],
        },
  ),
}

const texts = (...of: string[]) => of.map((text) => ({ type: 'text', text }))

const filled = { templateId: template._id, bodyParameters: texts('Ada', '{{1}}') }

const sendTemplate = (call: Call, fields: object, body = whatsapp) => send(call, { ...body, to: ada.phone, ...fields })

describe('An e-mail', () => {
  it('to recipientIds and `to` reaches each of them once, and is answered with the message to `to`', async () => {
    const { call } = await openSandbox()
    const ids = [await contact(call), await contact(call, grace)]
    const recipientIds = [...ids, ...ids]
    const response = await send(call, { ...email, to: ada.email, recipientIds })
    expect(idsIn(response).contactId).toBe(ids[0])
    for (const id of ids) expect(await history(call, id)).toEqual([email.content])
  })

  it('with one unknown recipient is sent to none, and creates no contact', async () => {
    const { call } = await openSandbox()
    const id = await contact(call)
    const recipientIds = [id, unknownId]
    const response = await send(call, { ...email, to: grace.email, recipientIds })
    expect(response.status).toBe(404)
    expect(await history(call, id)).toEqual([])
    const deleted = await call('deleteContactsByEmail', { query: { email: grace.email } })
    expect(deleted.body.message).toBe('0 contacts deleted')
  })
})

describe('An e-mail to several recipientIds', () => {
  it.each([
    ['alone', 'oneMessageEach', [1, 1]],
    ['alone', 'oneMessage', [1, 0]],
    ['in a conversation', 'oneMessageEach', [1, 1]],
    ['in a conversation', 'oneMessage', [0, 1]],
    ['in the conversation of another', 'oneMessageEach', [1, 1]],
    ['in the conversation of another', 'oneMessage', [0, 0]],
  ] as const)('%s, with severalRecipients=%s, puts %j messages into their histories', async (where, choice, counts) => {
    const { call } = await openSandbox({ assume: { severalRecipients: choice } })
    const recipientIds = [await contact(call), await contact(call, grace)]
    const third = await contact(call, { ...grace, email: 'mary@example.com', phone: '+14155550129' })
    const conversationId = await conversation(call, where === 'in a conversation' ? (recipientIds[1] ?? '') : third)
    const target = where === 'alone' ? {} : { conversationId }
    const response = await send(call, { ...email, ...target, recipientIds })
    expect([response.status, response.assumed]).toEqual([200, expect.arrayContaining(['severalRecipients'])])
    if (where !== 'alone') expect(idsIn(response).conversationId).toBe(conversationId)
    const histories = await Promise.all(recipientIds.map((id) => history(call, id)))
    expect(histories.map(({ length }) => length)).toEqual(counts)
  })

  it.each([
    ['notFound', 404],
    ['badRequest', 400],
  ] as const)('one of them unknown is refused in both modes with unknownTarget=%s', async (unknownTarget, status) => {
    const { call } = await openSandbox({ assume: { unknownTarget } })
    const one = await contact(call)
    const conversationId = await conversation(call, one)
    for (const target of [
      { ...email, recipientIds: [one, unknownId] },
      { ...email, recipientIds: [one, unknownId], conversationId },
      { ...chat, conversationId, contactId: unknownId },
      { ...chat, contactId: one, recipientId: unknownId },
    ]) {
      const response = await send(call, target)
      expect([response.status, response.assumed]).toEqual([status, expect.arrayContaining(['unknownTarget'])])
    }
    expect(await history(call, one)).toEqual([])
  })
})

describe('A WhatsApp template', () => {
  it('is filled in with its parameters, and braces in a parameter stay', async () => {
    const { call } = await openSandbox({ world: withTemplates })
    const { status, body } = await sendTemplate(call, filled)
    expect([status, body.data.content]).toEqual([200, 'Dear Ada, your order {{1}} has left, Ada'])
    expect(await history(call, body.data.contactId as string)).toEqual([body.data.content])
  })

  it('fills in merge fields of a parameter, and ignores parameters that it has no placeholder for', async () => {
    const { call } = await openSandbox({ world: withTemplates })
    const contactId = await contact(call)
    const parameters = { headerParameters: texts('News'), bodyParameters: texts('{{firstName}}', '42', 'x') }
    const { status, body } = await sendTemplate(call, { ...filled, ...parameters, to: undefined, contactId })
    expect([status, body.data.content]).toEqual([200, 'Dear Ada, your order 42 has left, Ada'])
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
  })

  it('goes to the conversation that it names, with any other receiver', async () => {
    const { call } = await openSandbox()
    const [one, other] = [await contact(call), await contact(call, grace)]
    const conversationId = await conversation(call, one)
    const expected = { contactId: one, conversationId }
    expect(idsIn(await send(call, { ...chat, conversationId, contactId: other }))).toEqual(expected)
    expect(idsIn(await send(call, { ...sms, conversationId, to: grace.phone }))).toEqual(expected)
    expect(idsIn(await send(call, { ...email, conversationId, to: grace.email }))).toEqual(expected)
    expect(await history(call, other)).toEqual([])
  })

  it.each([
    ['firstCounts', 200],
    ['refused', 400],
  ] as const)('that names two people is marked with severalTargets=%s: %i', async (severalTargets, status) => {
    const { call } = await openSandbox({ assume: { severalTargets } })
    const [one, other] = [await contact(call), await contact(call, grace)]
    const conversationId = await conversation(call, one)
    for (const body of [
      { ...chat, conversationId, contactId: other },
      { ...chat, contactId: one, recipientId: other },
      { ...sms, conversationId, to: grace.phone },
      { ...sms, recipientId: one, to: grace.phone },
      { ...email, conversationId, to: grace.email },
      { ...email, conversationId, recipientIds: [other] },
    ]) {
      const response = await send(call, body)
      expect([response.status, response.assumed], JSON.stringify(body)).toEqual([
        status,
        expect.arrayContaining(['severalTargets']),
      ])
    }
    for (const same of [
      { ...chat, conversationId, contactId: one, recipientId: one, to: ada.phone },
      { ...email, conversationId, to: ada.email, recipientIds: [one] },
    ]) {
      const response = await send(call, same)
      expect([response.status, response.assumed]).toEqual([200, expect.not.arrayContaining(['severalTargets'])])
    }
  })

  it('goes to contactId before recipientId, and to recipientId before to', async () => {
    const { call } = await openSandbox()
    const [one, other] = [await contact(call), await contact(call, grace)]
    const byBoth = await send(call, { ...chat, contactId: one, recipientId: other, to: grace.phone })
    const byAlias = await send(call, { ...chat, recipientId: one, to: grace.phone })
    expect([idsIn(byBoth).contactId, idsIn(byAlias).contactId]).toEqual([one, one])
  })

  it('takes any mediaType, also without a mediaUrl', async () => {
    const { call } = await openSandbox()
    for (const media of [{ mediaType: 'file' }, { mediaType: 'pigeon', mediaUrl: 'https://files.example.com/a.png' }])
      expect((await send(call, { ...chat, ...media, to: ada.phone })).status).toBe(200)
  })

  it.each([
    [sms, '+14155550100'],
    [whatsapp, '+14155550101'],
    [email, 'hello@acme.example.com'],
  ])('can name its provider by id or by address, as in %j: %s', async (body, address) => {
    const { call } = await openSandbox()
    const response = await send(call, { ...body, providerId: address, to: body === email ? ada.email : ada.phone })
    expect(response.status).toBe(200)
    expect(response.assumed).not.toContain('unknownProvider')
  })

  it.each([
    ['ignoringCase', 200],
    ['exact', 400],
  ] as const)(
    'names its provider by an address with other capitals when addressCompare=%s: %i',
    async (choice, status) => {
      const { call } = await openSandbox({ assume: { addressCompare: choice } })
      const response = await send(call, { ...email, providerId: 'Hello@ACME.example.com', to: ada.email })
      expect(response.status).toBe(status)
      expect(response.assumed).toContain('addressCompare')
    },
  )
})

describe('an optional id that is null', () => {
  it.each([chat, sms])('counts as not sent with emptyOptionalId=omitted, on $channel', async (message) => {
    const { call } = await openSandbox()
    const nulls = { contactId: null, conversationId: null, recipientId: null }
    const { status, assumed } = await send(call, { ...message, ...nulls, to: '+14155550123' })
    expect(status).toBe(200)
    expect(assumed).toContain('emptyOptionalId')
    expect(assumed).not.toContain('nullField')
  })

  it('is as in other fields with emptyOptionalId=unknown', async () => {
    const { call } = await openSandbox({ assume: { emptyOptionalId: 'unknown' } })
    const { status, assumed } = await send(call, { ...chat, contactId: null, to: '+14155550123' })
    expect([status, assumed]).toEqual([400, ['emptyOptionalId', 'nullField', 'badRequestMessage']])
  })
})
