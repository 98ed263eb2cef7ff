import type { sends, singleSends } from '../../spec/operation-groups.ts'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import type { Target } from '../../client/target/target.ts'
import type { Tools } from '../../client/tools.ts'

export type SingleSend = (typeof singleSends)[number]
type Contact = Schemas['Contact']
type Conversation = Schemas['Conversation']

/** What makes a message one for somebody. */
interface Named {
  readonly to?: string
  readonly contactId?: string
  readonly recipientIds?: string[]
  readonly conversationId?: string
}

/** A chat message with the fields that it must have, and those that are given, such as whom it is for. */
export function chat({ mint }: Tools, fields: Partial<BodyOf<'sendLiveMessage'>> = {}): BodyOf<'sendLiveMessage'> {
  return { channel: 'chat', content: mint.name('Hello Ada'), ...fields }
}

type Email = BodyOf<'sendEmailMessage'>

export function email({ mint, provider }: Tools, fields: Partial<Email> = {}): Email {
  return {
    channel: 'email',
    subject: mint.name('Your order'),
    content: `<p>${mint.name('Thank you, Ada')}</p>`,
    providerId: provider('email'),
    ...fields,
  }
}

type Text = BodyOf<'sendMessage'>

/** Unless the channel is given, an SMS or, where that alone can be sent, a WhatsApp message. */
export function text({ mint, provider, target }: Tools, fields: Partial<Text> = {}): Text {
  const { channel = phoneChannel(target) } = fields
  return { channel, content: mint.name('Hello Ada'), providerId: provider(channel), ...fields }
}

const phoneChannel = ({ providers }: Target) => (providers.sms || !providers.whatsapp ? 'sms' : 'whatsapp')

interface Sending {
  /** Of the given fields and those that it must have. */
  readonly message: (given: Tools, fields?: Named) => BodyOf<SingleSend>
  /** The kind of address that `to` takes. */
  readonly address: 'email' | 'phone'
  readonly toContact: (contact: Pick<Contact, '_id'>) => Named
  readonly into: (conversation: Conversation) => Named
}

const byPhone = {
  address: 'phone',
  toContact: ({ _id }) => ({ contactId: _id }),
  into: ({ _id }) => ({ conversationId: _id }),
} as const satisfies Partial<Sending>

/** What each operation sends, and how it says to whom. */
export const sending: Readonly<Record<SingleSend, Sending>> = {
  sendLiveMessage: { message: chat, ...byPhone },
  sendEmailMessage: {
    message: email,
    address: 'email',
    toContact: ({ _id }) => ({ recipientIds: [_id] }),
    into: ({ _id, contactId }) => ({ conversationId: _id, recipientIds: [contactId._id] }),
  },
  sendMessage: { message: text, ...byPhone },
}

/** The address of somebody who may be sent a message by this operation, and nothing else of them. */
export function addressFor(operation: SingleSend, { recipient }: Tools) {
  const kind = sending[operation].address
  const to = recipient[kind]()
  return { to, fields: { email: undefined, phone: undefined, [kind]: to } }
}

/** Somebody with such an address. */
export async function addressee(operation: SingleSend, given: Tools): Promise<Contact> {
  return given.made.contact(addressFor(operation, given).fields)
}

/** A conversation with somebody like that. */
export async function talkBy(operation: SingleSend, given: Tools): Promise<Conversation> {
  return given.made.conversation(addressFor(operation, given).fields)
}

/** A message into a new conversation, as it was sent and as it was answered. */
export async function said(operation: SingleSend, given: Tools, message = sending[operation].message) {
  return saidIn(await talkBy(operation, given), operation, given, message)
}

export async function saidIn(
  conversation: Conversation,
  operation: SingleSend,
  given: Tools,
  message = sending[operation].message,
) {
  const body = message(given, sending[operation].into(conversation))
  return { conversation, body, message: (await given.ask(operation, { body })).data }
}

type Bulk = BodyOf<'sendBulkMessages'>

export function bulk(channel: Bulk['channel'], { mint, provider, recipient }: Tools, fields: Partial<Bulk> = {}): Bulk {
  return {
    to: channel === 'email' ? recipient.email() : recipient.phone(),
    channel,
    content: mint.name('We open at nine'),
    providerId: provider(channel),
    ...(channel === 'email' ? { subject: 'Opening hours' } : {}),
    ...fields,
  }
}

/** A channel on which many can be written to, where it need be none in particular. */
export const bulkChannel = ({ providers }: Target) => (providers.email || !providers.sms ? 'email' : 'sms')

/** A message by any operation to somebody, in which nothing is wrong. */
export const complete: Readonly<Record<(typeof sends)[number], (given: Tools) => object>> = {
  sendLiveMessage: (given) => chat(given, { to: given.recipient.phone() }),
  sendEmailMessage: (given) => email(given, { to: given.recipient.email() }),
  sendMessage: (given) => text(given, { to: given.recipient.phone() }),
  sendBulkMessages: (given) => bulk(bulkChannel(given.target), given),
}

/** Any channel, by a provider of it where there is one. */
export function onChannel(channel: string, { provider, target }: Tools): object {
  const known = (['email', 'sms', 'whatsapp'] as const).find((one) => one === channel && target.providers[one])
  return known ? { channel, providerId: provider(known) } : { channel }
}

export const attachment: Schemas['Attachment'] = {
  fileName: 'plan.pdf',
  fileSize: '12 KB',
  mimeType: 'application/pdf',
  mediaUrl: 'https://files.example.com/plan.pdf',
  mediaType: 'file',
}

/** What may go with a message besides. */
export const extras = {
  mediaUrl: 'https://files.example.com/plan.png',
  mediaType: 'image',
  source: 'Contract',
  attachments: [attachment],
}

/** The fields that a promise lists. */
export function listedOf<From extends object>(from: From, fields: readonly (keyof From)[]): Partial<From> {
  return Object.fromEntries(fields.map((field) => [field, from[field]])) as Partial<From>
}
