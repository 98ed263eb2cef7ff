import { type Answer, fieldsOf } from '../../client/answer.ts'
import { sending, type SingleSend } from '../../client/operations.ts'
import type { Input } from '../../client/request.ts'
import type { Tools } from '../../client/tools.ts'
import type { BodyOf, OperationId, Schemas } from '../../spec/types.ts'
import { BrokenPromise, Skipped } from '../judge/outcome.ts'
import type { Context } from './keeps.ts'

type Conversation = Schemas['Conversation']

/** An address to which this operation can send, and the fields of a contact with that address only. */
export function newAddress(operation: SingleSend, { recipient }: Tools) {
  const kind = sending[operation].address
  const to = recipient[kind]()
  return { to, fields: { email: undefined, phone: undefined, [kind]: to } }
}

/** A conversation with such a contact. */
export const makeConversation = (operation: SingleSend, tools: Tools): Promise<Conversation> =>
  tools.make.conversation(newAddress(operation, tools).fields)

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
  ask('listMessages', { path: { conversationId }, query: { page: 1, limit: 10, ...query } })

/** The messages of a page, of all dates. */
export const messagesOn = ({ data }: Answer<'listMessages'>): Schemas['Message'][] =>
  data.flatMap(({ messages }) => messages)

export const idsOn = (page: Answer<'listMessages'>): string[] => messagesOn(page).map(({ _id }) => _id)
