import { sending, type SingleSend } from '../../client/operations.ts'
import type { Tools } from '../../client/tools.ts'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { findApprovedTemplate } from './approved-template.ts'
import type { Given } from './keeps.ts'

type Contact = Schemas['Contact']
type Conversation = Schemas['Conversation']

/** An address that may get a message by this operation, and the fields of a contact with that address only. */
export function newAddress(operation: SingleSend, { recipient }: Tools) {
  const kind = sending[operation].address
  const to = recipient[kind]()
  return { to, fields: { email: undefined, phone: undefined, [kind]: to } }
}

/** A contact who may get a message by this operation. */
export async function makeReceiver(operation: SingleSend, given: Tools): Promise<Contact> {
  return given.make.contact(newAddress(operation, given).fields)
}

/** A conversation with such a contact. */
export async function makeConversation(operation: SingleSend, given: Tools): Promise<Conversation> {
  return given.make.conversation(newAddress(operation, given).fields)
}

/** Sends a message into a new conversation. */
export async function send(operation: SingleSend, given: Tools, write = sending[operation].message) {
  return sendInto(await makeConversation(operation, given), operation, given, write)
}

/** Returns the body that was sent, and the message as it was answered. */
export async function sendInto(
  conversation: Conversation,
  operation: SingleSend,
  given: Tools,
  write = sending[operation].message,
) {
  const body = write(given, sending[operation].into(conversation))
  return { conversation, body, message: (await given.ask(operation, { body })).data }
}

/** The fields for any channel, by a provider of it where there is one. */
export function onChannel(channel: string, { provider, target }: Tools): object {
  const known = (['email', 'sms', 'whatsapp'] as const).find((one) => one === channel && target.providers[one])
  return known ? { channel, providerId: provider(known) } : { channel }
}

/** Sends an SMS or a WhatsApp message, where WhatsApp may want a template for somebody who has not written yet. */
export async function acceptsText(given: Given, fields: Partial<BodyOf<'sendMessage'>>): Promise<void> {
  const body = given.some.text(fields)
  const isFree = fields.channel !== 'whatsapp' || (await given.call('sendMessage', { body })).succeeded
  const template = isFree ? {} : await findApprovedTemplate(given)
  if (!template) throw new Inconclusive('WhatsApp messages to strangers may need a template, and the team has none')
  await given.accepts('sendMessage', { body: { ...body, ...template } })
}
