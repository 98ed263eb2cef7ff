import { type Answer, fieldsOf } from '../client/answer.ts'
import { findApprovedTemplate, fromTemplate, messagesOn } from '../client/messages.ts'
import { sending, type SingleSend } from '../client/operations.ts'
import type { Tools } from '../client/tools.ts'
import type { OperationId, Schemas } from '../../spec/types.ts'
import { BrokenPromise, Skipped } from '../judge/outcome.ts'
import type { Owner } from './each-operation.ts'
import type { Context } from './keeps.ts'
import { oncePerRun } from './values.ts'

type Conversation = Schemas['Conversation']

/** An address to which this operation can send, new on this machine, and the fields of a contact with that address only. */
export function newAddress(operation: SingleSend, { mint, recipient, target }: Tools) {
  const kind = sending[operation].address
  const to = (target.loopback ? mint : recipient)[kind]()
  return { to, fields: { email: undefined, phone: undefined, [kind]: to } }
}

/** A conversation with such a contact. */
export const makeConversation = (operation: SingleSend, tools: Tools): Promise<Conversation> =>
  tools.make.conversation(newAddress(operation, tools).fields)

/** The same, with the key of a team. On this machine it is one for all operations and checks. */
export function anyConversation(operation: SingleSend, tools: Tools, owner: Owner): Promise<Conversation> {
  const own = tools.as(owner)
  return tools.target.loopback
    ? oncePerRun(tools, `conversation of ${owner}`, () => own.make.conversation())
    : makeConversation(operation, own)
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

/** Skips the check for a team without an approved WhatsApp template. */
export async function approvedTemplate(tools: Tools) {
  const template = await findApprovedTemplate(tools)
  if (!template) throw new Skipped('needs an approved WhatsApp template of the team: --whatsapp-template')
  return fromTemplate(template)
}

export const idsOn = (page: Answer<'listMessages'>): string[] => messagesOn(page).map(({ _id }) => _id)
