import { describe, expect, it } from 'vitest'
import type { TemplateRecord } from '../../fixtures/records.ts'
import type { World } from '../../fixtures/world.ts'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Call, openSandbox, type Told, twoTeams } from './harness.ts'

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+14155550123' }
const grace = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '+14155550124' }
const chat = { channel: 'chat', content: 'Hello' }
const sms = { channel: 'sms', content: 'Hello', providerId: 'sms-provider' }
const whatsapp = { channel: 'whatsapp', content: 'Hello', providerId: 'whatsapp-provider' }
const email = { channel: 'email', content: '<p>Hello</p>', subject: 'Hello', providerId: 'email-provider' }
const unknownId = '66f0a1b2c3d4e5f601239999'

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
/** Creates a contact with its conversation. */
async function met(call: Call, body: object = ada, key = 'acme-key') {
  const contactId = await contact(call, body, key)
  return { contactId, conversationId: await conversation(call, contactId, key) }
}

/** The contents of the messages to a contact, newest first. */
async function history(call: Call, contactId: string): Promise<string[]> {
  const conversationId = await conversation(call, contactId)
  const { data } = (await call('listMessages', { path: { conversationId } })).body
  return (data as { messages: { content: string }[] }[]).flatMap(({ messages }) => messages.map((each) => each.content))
}

const idsIn = ({ body }: Told) => ({
  contactId: body.data.contactId as string,
  conversationId: body.data.conversationId as string,
})

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

  it('to the address of a known contact reaches it in its conversation', async () => {
    const { call } = await openSandbox()
    const ids = await met(call)
    expect(idsIn(await send(call, { ...body, to }))).toEqual(ids)
  })

  it('without a target is refused with a message that says what is missing', async () => {
    const { call } = await openSandbox()
    const told = await send(call, body)
    expect([told.status, told.body.message]).toEqual([400, expect.stringContaining('a recipient id is required')])
  })

  it.each([
    ['an unlisted field', { pigeon: 1 }, 'pigeon is not a field'],
    ['a content that is not a string', { content: 1 }, 'content must be a string'],
    ['an empty content', { content: '' }, 'content is required'],
    ['no channel', { channel: undefined }, 'channel is required'],
    ['a channel of another operation', { channel: channel === 'chat' ? 'sms' : 'chat' }, 'channel must be'],
    ['a malformed address', { to: '12' }, 'to must be'],
    ['a source that is not a string', { source: 1 }, 'source must be a string'],
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

  it('by a provider of another team is refused', async () => {
    const { call } = await openSandbox()
    const told = await send(call, { ...email, providerId: 'hello@globex.example.com', to: ada.email })
    expect([told.status, told.body.message]).toEqual([400, expect.stringContaining('providerId')])
  })

  it('by a number of two channels uses the provider of its own channel', async () => {
    const number = '+14155550109'
    const [acme] = twoTeams.teams
    const providers = (['whatsapp', 'sms'] as const).map((channel) => ({ _id: channel, channel, address: number }))
    const { call } = await openSandbox({ world: { teams: acme ? [{ ...acme, providers }] : [] } })
    for (const body of [sms, whatsapp]) {
      const told = await send(call, { ...body, providerId: number, to: ada.phone })
      expect([told.status, told.assumed.includes('providerOfOtherChannel')]).toEqual([200, false])
    }
  })

  it.each([
    [chat, { mediaUrl: null, mediaType: null, source: 'Website' }],
    [chat, { mediaUrl: 'https://files.example.com/plan.pdf', mediaType: 'file' }],
    [sms, { mediaUrl: 'https://files.example.com/plan.png', mediaType: 'image', source: 'Website' }],
    [email, { replyToMessageId: unknownId, quotedMessageId: '<a@b>', threadId: 'thread-1' }],
  ])('accepts its optional fields, such as %j with %j', async (body, fields) => {
    const { call } = await openSandbox()
    const told = await send(call, { ...body, ...fields, to: body === email ? ada.email : ada.phone })
    expect(told.status).toBe(200)
  })

  it.each(promise('message.attachmentTypesAreTaken').values)(
    'accepts attachments of the type "%s"',
    async (mediaType) => {
      const { call } = await openSandbox()
      const told = await send(call, { ...chat, to: ada.phone, attachments: [{ ...plan, mediaType }] })
      expect(told.status).toBe(200)
      expect(told.assumed).not.toContain('attachmentFields')
    },
  )

  it('with an attachment of another type is refused', async () => {
    const { call } = await openSandbox()
    const told = await send(call, { ...chat, to: ada.phone, attachments: [{ ...plan, mediaType: 'scent' }] })
    expect([told.status, told.body.message]).toEqual([400, expect.stringContaining('attachments[0].mediaType')])
  })
})

const plan = {
  fileName: 'plan.pdf',
  fileSize: '12 KB',
  mimeType: 'application/pdf',
  mediaUrl: 'https://files.example.com/plan.pdf',
  mediaType: 'file',
}

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

  it('with an empty list of recipientIds only has no target', async () => {
    const { call } = await openSandbox()
    expect((await send(call, { ...email, recipientIds: [] })).status).toBe(400)
  })
})

it('refuses a contactId on an e-mail that is not a string, also when contactIdOnEmail=accepted', async () => {
  const { call } = await openSandbox({ assume: { contactIdOnEmail: 'accepted' } })
  const told = await send(call, { ...email, contactId: 5 })
  expect([told.status, told.body.message]).toEqual([400, 'contactId must be a string'])
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

/** Creates Ada and Grace, and reads the messages to each. */
async function bothMet(call: Call) {
  const first = await met(call)
  const second = await met(call, grace)
  const seen = async () => [
    (await history(call, first.contactId)).length,
    (await history(call, second.contactId)).length,
  ]
  return { ada: first, grace: second, seen }
}

seeEachChoice({
  unknownTarget: {
    story: async (call) => {
      const told = await send(call, { ...chat, conversationId: unknownId })
      const others = [
        { ...sms, contactId: unknownId },
        { ...chat, recipientId: unknownId },
        { ...email, recipientIds: [unknownId] },
      ]
      const statuses = await Promise.all(others.map(async (body) => (await send(call, body)).status))
      return { told, seen: [told.status, ...statuses] }
    },
    shows: { notFound: [404, 404, 404, 404], badRequest: [400, 400, 400, 400] },
    otherwise: (call) => send(call, { ...chat, to: ada.phone }),
  },
  disagreeingTargets: {
    story: async (call) => {
      const { ada: hers, grace: other, seen } = await bothMet(call)
      const { conversationId } = hers
      const told = await send(call, { ...chat, conversationId, contactId: other.contactId })
      await send(call, { ...sms, conversationId, recipientId: other.contactId })
      await send(call, { ...sms, conversationId, to: grace.phone })
      await send(call, { ...email, conversationId, recipientIds: [hers.contactId, other.contactId] })
      await send(call, { ...email, conversationId, to: grace.email })
      return { told, seen: [told.status, ...(await seen())] }
    },
    shows: { conversationWins: [200, 5, 0], refused: [400, 0, 0] },
    otherwise: async (call) => send(call, { ...chat, ...(await met(call)), to: ada.phone }),
  },
  disagreeingReceivers: {
    story: async (call) => {
      const { ada: hers, grace: other, seen } = await bothMet(call)
      const told = await send(call, { ...chat, contactId: hers.contactId, recipientId: other.contactId })
      await send(call, { ...sms, recipientId: hers.contactId, to: grace.phone })
      return { told, seen: [told.status, ...(await seen())] }
    },
    shows: { contactIdWins: [200, 2, 0], refused: [400, 0, 0] },
    otherwise: async (call) => send(call, { ...chat, contactId: await contact(call), to: ada.phone }),
  },
  receiverWithoutAddress: {
    story: async (call) => {
      const { email: _, ...unreachable } = ada
      const { contactId, conversationId } = await met(call, unreachable)
      const told = await send(call, { ...email, recipientIds: [contactId] })
      const within = await send(call, { ...email, conversationId })
      const { phone: __, ...silent } = grace
      const texted = await send(call, { ...sms, contactId: await contact(call, silent) })
      return { told, seen: [told.status, within.status, texted.status, (await history(call, contactId)).length] }
    },
    shows: { refused: [400, 400, 400, 0], accepted: [200, 200, 200, 2] },
    otherwise: async (call) => send(call, { ...chat, contactId: await contact(call, { ...ada, phone: undefined }) }),
  },
  unknownProvider: {
    story: async (call) => {
      const told = await send(call, { ...email, to: ada.email, providerId: 'nobody' })
      const texted = await send(call, { ...sms, to: ada.phone, providerId: '+14155559999' })
      return { told, seen: [told.status, texted.status] }
    },
    shows: { refused: [400, 400], accepted: [200, 200] },
    otherwise: (call) => send(call, { ...email, to: ada.email }),
  },
  providerOfOtherChannel: {
    story: async (call) => {
      const told = await send(call, { ...sms, to: ada.phone, providerId: 'email-provider' })
      const mailed = await send(call, { ...email, to: ada.email, providerId: '+14155550100' })
      return { told, seen: [told.status, mailed.status] }
    },
    shows: { refused: [400, 400], accepted: [200, 200] },
    otherwise: (call) => send(call, { ...sms, to: ada.phone }),
  },
  contactIdOnEmail: {
    story: async (call) => {
      const { contactId, conversationId } = await met(call)
      const told = await send(call, { ...email, contactId })
      const alias = await send(call, { ...email, recipientId: contactId, conversationId })
      const bad = await send(call, { ...email, contactId: 5 })
      const { length } = await history(call, contactId)
      return { told, seen: [told.status, alias.status, bad.status, length] }
    },
    shows: { refused: [400, 400, 400, 0], accepted: [200, 200, 400, 2] },
    otherwise: async (call) => send(call, { ...email, recipientIds: [await contact(call)] }),
  },
  severalRecipients: {
    story: async (call) => {
      const { ada: hers, grace: other, seen } = await bothMet(call)
      const told = await send(call, { ...email, recipientIds: [hers.contactId, other.contactId] })
      return { told, seen: [idsIn(told).contactId === hers.contactId, ...(await seen())] }
    },
    shows: { oneMessageEach: [true, 1, 1], oneMessage: [true, 1, 0] },
    otherwise: async (call) => {
      const id = await contact(call)
      return send(call, { ...email, recipientIds: [id, id] })
    },
  },
  emailWithoutRecipientIds: {
    story: async (call) => {
      const { contactId, conversationId } = await met(call)
      const told = await send(call, { ...email, conversationId })
      return { told, seen: [told.status, (await history(call, contactId)).length] }
    },
    shows: { contactOfConversation: [200, 1], refused: [400, 0] },
    otherwise: async (call) => {
      const { contactId, conversationId } = await met(call)
      return send(call, { ...email, conversationId, recipientIds: [contactId] })
    },
  },
  replyToUnknown: {
    story: async (call) => {
      const told = await send(call, { ...email, to: ada.email, replyToMessageId: unknownId })
      return { told, seen: told.status }
    },
    shows: { accepted: 200, refused: 400 },
    otherwise: async (call) => {
      const replyToMessageId = (await send(call, { ...email, to: ada.email })).body.data._id
      return send(call, { ...email, to: ada.email, replyToMessageId })
    },
  },
  attachmentFields: {
    story: async (call) => {
      const { fileSize, ...incomplete } = plan
      const insecure = { ...plan, mediaUrl: 'http://files.example.com/plan.pdf' }
      const told = await send(call, { ...chat, to: ada.phone, attachments: [plan, incomplete] })
      const others = [
        { ...email, to: ada.email, attachments: [insecure] },
        { ...sms, to: ada.phone, mediaUrl: 'plan.pdf' },
        { ...chat, to: ada.phone, mediaUrl: 'javascript:alert(1)' },
      ]
      const statuses = await Promise.all(others.map(async (body) => (await send(call, body)).status))
      return { told, seen: [told.status, ...statuses] }
    },
    shows: { accepted: [200, 200, 200, 200], refused: [400, 400, 400, 400] },
    otherwise: (call) => {
      const { mediaUrl } = plan
      return send(call, { ...chat, to: ada.phone, mediaUrl, attachments: [{ ...plan, mediaType: '' }] })
    },
  },
  messageFields: {
    story: async (call) => {
      const told = await send(call, { ...sms, to: ada.phone, source: 'Website', content: 'Hello {{phone}}' })
      const path = { conversationId: idsIn(told).conversationId }
      const read = await call('listMessages', { path })
      expect(read.body.data[0].messages).toEqual([told.body.data])
      expect(read.assumed).toContain('messageFields')
      const { _id, channel, direction, content, status, conversationId, contactId, createdAt, ...others } =
        told.body.data
      return { told, seen: others }
    },
    shows: { onlyShown: {}, allSent: { source: 'Website', providerId: sms.providerId, to: ada.phone } },
    otherwise: async (call) => send(call, { ...chat, ...(await met(call)) }),
  },
  unknownTemplate: {
    world: withTemplates,
    story: async (call) => {
      const told = await sendTemplate(call, { templateId: unknownId })
      return { told, seen: told.status }
    },
    shows: { notFound: 404, badRequest: 400 },
    otherwise: (call) => sendTemplate(call, filled),
  },
  templateOnSms: {
    world: withTemplates,
    story: async (call) => {
      const told = await sendTemplate(call, filled, sms)
      const other = await sendTemplate(call, { bodyParameters: texts('Ada') }, sms)
      return { told, seen: [told.body.data?.content, other.body.data?.content] }
    },
    shows: { refused: [undefined, undefined], ignored: ['Hello', 'Hello'] },
    otherwise: (call) => sendTemplate(call, {}, sms),
  },
  templateOfOtherType: {
    world: withTemplates,
    story: async (call) => {
      const told = await sendTemplate(call, { templateId: 'sms-template' })
      return { told, seen: told.body.data?.content }
    },
    shows: { refused: undefined, ignored: 'Hello' },
    otherwise: (call) => sendTemplate(call, filled),
  },
  templateContent: {
    world: withTemplates,
    story: async (call) => {
      await contact(call)
      const sent = await sendTemplate(call, { ...filled, content: 'Hello {{firstName}}' })
      expect(sent.assumed).toContain('templateContent')
      const told = await call('listMessages', { path: { conversationId: idsIn(sent).conversationId } })
      return { told, seen: [sent.body.data.content, told.body.data[0].messages[0].content] }
    },
    shows: {
      filledTemplate: Array(2).fill('Dear Ada, your order {{1}} has left, Ada'),
      fallbackText: ['Hello Ada', 'Hello Ada'],
    },
    otherwise: (call) => sendTemplate(call, {}),
  },
  missingParameters: {
    world: withTemplates,
    story: async (call) => {
      const told = await sendTemplate(call, { ...filled, bodyParameters: texts('Ada') })
      const headless = await sendTemplate(call, { ...filled, templateId: 'with-header' })
      return { told, seen: [told.body.data?.content, headless.status] }
    },
    shows: { leftAsIs: ['Dear Ada, your order {{2}} has left, Ada', 200], refused: [undefined, 400] },
    otherwise: (call) => sendTemplate(call, filled),
  },
  nameOfNewContact: {
    story: async (call) => {
      const told = await send(call, { ...email, to: ada.email, content: 'Dear {{firstName}}' })
      return { told, seen: told.body.data.content }
    },
    shows: { addressAsFirstName: `Dear ${ada.email}`, empty: 'Dear ' },
    otherwise: async (call) => send(call, { ...chat, contactId: await contact(call) }),
  },
  severalMatches: {
    story: async (call) => {
      const ids = [await contact(call), await contact(call)]
      const told = await send(call, { ...sms, to: ada.phone })
      return { told, seen: told.status === 400 ? 400 : ids.indexOf(idsIn(told).contactId) }
    },
    shows: { oldest: 0, newest: 1, refused: 400 },
    otherwise: async (call) => {
      await contact(call)
      return send(call, { ...sms, to: ada.phone })
    },
  },
  addressCompare: {
    story: async (call) => {
      const id = await contact(call)
      const told = await send(call, { ...email, to: 'ADA@example.com' })
      return { told, seen: idsIn(told).contactId === id }
    },
    shows: { ignoringCase: true, exact: false },
    otherwise: (call) => send(call, { ...email, to: ada.email }),
  },
  phoneCompare: {
    story: async (call) => {
      const id = await contact(call, { ...ada, phone: '+1 (415) 555-0123' })
      const told = await send(call, { ...sms, to: ada.phone })
      return { told, seen: idsIn(told).contactId === id }
    },
    shows: { exact: false, ignoringPunctuation: true },
    otherwise: (call) => send(call, { ...sms, to: ada.phone }),
  },
  emailStored: {
    story: async (call) => {
      const told = await send(call, { ...email, to: 'Ada@Example.com' })
      const { conversationId } = idsIn(told)
      const { body } = await call('getConversation', { path: { conversationId } })
      return { told, seen: body.data.contactId.email }
    },
    shows: { asSent: 'Ada@Example.com', lowerCase: 'ada@example.com' },
    otherwise: (call) => send(call, { ...email, to: ada.email }),
  },
  emptyString: {
    story: async (call) => {
      const told = await send(call, { ...chat, to: ada.phone, content: '' })
      return { told, seen: told.status }
    },
    shows: { refused: 400, accepted: 200 },
    otherwise: (call) => send(call, { ...chat, to: ada.phone, source: '' }),
  },
})
