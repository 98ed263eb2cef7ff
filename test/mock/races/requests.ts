import type { OperationId } from '../../../spec/types.ts'

/** The contact of a round. It has an id when it exists before the race. */
export interface Person {
  readonly contactId?: string
  readonly email?: string
  readonly phone?: string
}

/** A request that may create a contact or a conversation. */
export interface Door {
  readonly id: OperationId
  readonly body: (person: Person) => object
}

const names = { firstName: 'Ada', lastName: 'Lovelace' }
const chat = { channel: 'chat', content: 'Hello' }
const mail = { channel: 'email', subject: 'News', content: 'Hello', providerId: 'email-provider' }
const sms = { channel: 'sms', content: 'Hello', providerId: 'sms-provider' }
const whatsapp = { channel: 'whatsapp', content: 'Hello', providerId: 'whatsapp-provider' }

const only = (body: object, field: string, value: string | undefined) => ({ ...body, [field]: value })

const byEmail: readonly Door[] = [
  { id: 'findOrCreateConversation', body: ({ email }) => ({ email }) },
  { id: 'createContactWithConversation', body: ({ email }) => ({ ...names, email }) },
  { id: 'createOrUpdateContact', body: ({ email }) => ({ ...names, email }) },
  { id: 'sendEmailMessage', body: ({ email }) => only(mail, 'to', email) },
  { id: 'sendBulkMessages', body: ({ email }) => only(mail, 'to', email) },
]

const byPhone: readonly Door[] = [
  { id: 'findOrCreateConversation', body: ({ phone }) => ({ phone }) },
  { id: 'createContactWithConversation', body: ({ phone }) => ({ ...names, phone }) },
  { id: 'createOrUpdateContact', body: ({ phone }) => ({ ...names, phone }) },
  { id: 'sendLiveMessage', body: ({ phone }) => only(chat, 'to', phone) },
  { id: 'sendMessage', body: ({ phone }) => only(sms, 'to', phone) },
  { id: 'sendMessage', body: ({ phone }) => only(whatsapp, 'to', phone) },
  { id: 'sendBulkMessages', body: ({ phone }) => only(sms, 'to', phone) },
]

const byBoth: readonly Door[] = [
  { id: 'findOrCreateConversation', body: ({ email, phone }) => ({ email, phone }) },
  { id: 'createContactWithConversation', body: ({ email, phone }) => ({ ...names, email, phone }) },
  { id: 'createOrUpdateContact', body: ({ email, phone }) => ({ ...names, email, phone }) },
]

const byId: readonly Door[] = [
  { id: 'createConversation', body: ({ contactId }) => ({ contactId }) },
  { id: 'sendLiveMessage', body: ({ contactId }) => only(chat, 'contactId', contactId) },
  { id: 'sendLiveMessage', body: ({ contactId }) => only(chat, 'recipientId', contactId) },
]
const byIdToEmail: Door = { id: 'sendEmailMessage', body: ({ contactId }) => ({ ...mail, recipientIds: [contactId] }) }
const byIdToPhone: Door = { id: 'sendMessage', body: ({ contactId }) => only(sms, 'contactId', contactId) }

export interface Crowd {
  readonly who: string
  readonly has: readonly ('email' | 'phone')[]
  /** Whether the contact exists before the race, without a conversation. */
  readonly isKnown: boolean
  readonly doors: readonly Door[]
}

export const crowds: readonly Crowd[] = [
  { who: 'a stranger with an e-mail address', has: ['email'], isKnown: false, doors: byEmail },
  { who: 'a stranger with a phone number', has: ['phone'], isKnown: false, doors: byPhone },
  { who: 'a stranger with both addresses', has: ['email', 'phone'], isKnown: false, doors: byBoth },
  { who: 'a contact with an e-mail address', has: ['email'], isKnown: true, doors: [...byEmail, ...byId, byIdToEmail] },
  { who: 'a contact with a phone number', has: ['phone'], isKnown: true, doors: [...byPhone, ...byId, byIdToPhone] },
  {
    who: 'a contact with both addresses',
    has: ['email', 'phone'],
    isKnown: true,
    doors: [...byEmail, ...byPhone, ...byBoth, ...byId, byIdToEmail, byIdToPhone],
  },
]

/** One request for each operation that sends. */
export const sends: readonly Door[] = [
  { id: 'sendLiveMessage', body: ({ phone }) => only(chat, 'to', phone) },
  { id: 'sendEmailMessage', body: ({ email }) => only(mail, 'to', email) },
  { id: 'sendMessage', body: ({ phone }) => only(sms, 'to', phone) },
  { id: 'sendBulkMessages', body: ({ email }) => only(mail, 'to', email) },
]
