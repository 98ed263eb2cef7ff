import type { TemplateRecord } from '../../fixtures/records.ts'
import type { World } from '../../fixtures/world.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Call, type Told, twoTeams } from './harness.ts'

export const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', phone: '+14155550123' }

export const grace = { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com', phone: '+14155550124' }

export const chat = { channel: 'chat', content: 'Hello' }

export const sms = { channel: 'sms', content: 'Hello', providerId: 'sms-provider' }

export const whatsapp = { channel: 'whatsapp', content: 'Hello', providerId: 'whatsapp-provider' }

export const email = { channel: 'email', content: '<p>Hello</p>', subject: 'Hello', providerId: 'email-provider' }

export const unknownId = '66f0a1b2c3d4e5f601239999'

export const operationOf = {
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
export const send = (call: Call, body: Body, key = 'acme-key') =>
  call(operationOf[body.channel as keyof typeof operationOf], { body, key })

export const contact = async (call: Call, body: object = ada, key = 'acme-key'): Promise<string> =>
  (await call('createContact', { body, key })).body.data._id

const conversation = async (call: Call, contactId: string, key = 'acme-key'): Promise<string> =>
  (await call('createConversation', { body: { contactId }, key })).body.data._id

/** The contents of the messages to a contact, newest first. */
export async function history(call: Call, contactId: string): Promise<string[]> {
  const conversationId = await conversation(call, contactId)
  const { data } = (await call('listMessages', { path: { conversationId } })).body
  return (data as { messages: { content: string }[] }[]).flatMap(({ messages }) => messages.map((each) => each.content))
}

export const idsIn = ({ body }: Told) => ({
  contactId: body.data.contactId as string,
  conversationId: body.data.conversationId as string,
})

export const plan = {
  fileName: 'plan.pdf',
  fileSize: '12 KB',
  mimeType: 'application/pdf',
  mediaUrl: 'https://files.example.com/plan.pdf',
  mediaType: 'file',
}

const template: TemplateRecord & { headerText?: string } = {
  _id: 'order-left',
  templateType: 'whatsapp',
  name: 'Order has left',
  uniqueName: 'order_left',
  content: 'Dear {{1}}, your order {{2}} has left, {{1}}',
  status: 'approved',
}

/** The two teams; acme has WhatsApp templates of each status, and one of another type. */
export const withTemplates: World = {
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

export const texts = (...of: string[]) => of.map((text) => ({ type: 'text', text }))

export const filled = { templateId: template._id, bodyParameters: texts('Ada', '{{1}}') }

export const sendTemplate = (call: Call, fields: object, body = whatsapp) =>
  send(call, { ...body, to: ada.phone, ...fields })
