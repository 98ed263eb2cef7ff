import { type Answer, fieldsOf } from '../../client/answer.ts'
import { sending, type SingleSend } from '../../client/operations.ts'
import type { Input } from '../../client/request.ts'
import type { Tools } from '../../client/tools.ts'
import type { BodyOf, OperationId, Schemas } from '../../spec/types.ts'
import { BrokenPromise, Inconclusive, Skipped } from '../judge/outcome.ts'
import type { Context } from './keeps.ts'

type Conversation = Schemas['Conversation']

/** An address to which this operation can send, and the fields of a contact with that address only. */
export function newAddress(operation: SingleSend, { recipient }: Tools) {
  const kind = sending[operation].address
  const to = recipient[kind]()
  return { to, fields: { email: undefined, phone: undefined, [kind]: to } }
}

/** A contact with an address for this operation. */
export const makeReceiver = (operation: SingleSend, tools: Tools): Promise<Schemas['Contact']> =>
  tools.make.contact(newAddress(operation, tools).fields)

/** A conversation with such a contact. */
export const makeConversation = (operation: SingleSend, tools: Tools): Promise<Conversation> =>
  tools.make.conversation(newAddress(operation, tools).fields)

/** Sends a message into a new conversation. */
export const send = async (operation: SingleSend, tools: Tools, write = sending[operation].message) =>
  sendInto(await makeConversation(operation, tools), operation, tools, write)

/** Returns the body of the request and the message in the answer. */
export async function sendInto(
  conversation: Conversation,
  operation: SingleSend,
  tools: Tools,
  write = sending[operation].message,
) {
  const body = write(tools, sending[operation].into(conversation))
  return { conversation, body, message: (await tools.ask(operation, { body })).data }
}

/** The channel, and a provider of it if there is one. */
export function onChannel(channel: string, { provider, target }: Tools): object {
  const known = (['email', 'sms', 'whatsapp'] as const).find((one) => one === channel && target.providers[one])
  return known ? { channel, providerId: provider(known) } : { channel }
}

/** Accepts an SMS or a WhatsApp message. WhatsApp may require a template for a contact without earlier messages. */
export async function acceptsText(context: Context, fields: Partial<BodyOf<'sendMessage'>>): Promise<void> {
  const body = context.some.text(fields)
  const isFree = fields.channel !== 'whatsapp' || (await context.call('sendMessage', { body })).succeeded
  const template = isFree ? {} : await findApprovedTemplate(context)
  if (!template) throw new Inconclusive('WhatsApp messages to strangers may need a template, and the team has none')
  await context.accepts('sendMessage', { body: { ...body, ...template } })
}

/** Accepts a message with all its media or, since a server may accept no more, with one kind at a time. */
export async function acceptsMedia({ accepts }: Context, operation: OperationId, body: object): Promise<void> {
  try {
    await accepts(operation, { body })
  } catch (error) {
    const { attachments, mediaUrl, mediaType, ...others } = fieldsOf(body)
    if (!(error instanceof BrokenPromise) || attachments === undefined) throw error
    await accepts(operation, { body: { ...others, mediaUrl, mediaType } })
    await accepts(operation, { body: { ...others, attachments } })
  }
}

/** The fields of a message that is sent from a template. */
type TemplateFields = Required<Pick<BodyOf<'sendMessage'>, 'templateId' | 'headerParameters' | 'bodyParameters'>>

/** An approved WhatsApp template with values: a run cannot create an approved one. */
export async function approvedTemplate(tools: Tools): Promise<TemplateFields> {
  const template = await findApprovedTemplate(tools)
  if (!template) throw new Skipped('needs an approved WhatsApp template of the team')
  return template
}

export async function findApprovedTemplate({ ask }: Tools): Promise<TemplateFields | undefined> {
  const query = { page: 1, limit: 10, types: ['whatsapp'], statuses: ['approved'] }
  const { data } = await ask('listTemplates', { query })
  const template = data.find(({ templateType, status }) => templateType === 'whatsapp' && status === 'approved')
  if (!template) return undefined
  const placeholders = new Set(template.content.match(/\{\{\d+\}\}/g))
  const bodyParameters = Array.from(placeholders, () => ({ type: 'text', text: '42' }))
  return { templateId: template._id, headerParameters: [], bodyParameters }
}

/** A page of the history of a conversation: the first, of ten messages, unless the query says otherwise. */
export const historyOf = ({ ask }: Tools, conversationId: string, query: Input['query'] = {}) =>
  ask('listMessages', firstPageOf(conversationId, query))

export const firstPageOf = (conversationId: string, query: Input['query'] = {}) => ({
  path: { conversationId },
  query: { page: 1, limit: 10, ...query },
})

/** The messages of a page, of all dates. */
export const messagesOn = ({ data }: Answer<'listMessages'>): Schemas['Message'][] =>
  data.flatMap(({ messages }) => messages)

export const idsOn = (page: Answer<'listMessages'>): string[] => messagesOn(page).map(({ _id }) => _id)
