import type { Kind, Kinds } from '../../fixtures/records.ts'

/** One way to find records other than by id: returns the values that a record is found by. */
export type Index<Record> = (record: Record) => readonly string[]

/**
 * The indexes of every kind, declared once for every store. Addresses are found by their most forgiving form; a rule that
 * compares strictly looks again.
 */
export const indexes = {
  users: { all: () => ['all'] },
  providers: { address: ({ address }) => [foldedAddress(address)], all: () => ['all'] },
  contacts: {
    email: ({ email }) => (email === undefined ? [] : [foldedEmail(email)]),
    phone: ({ phone }) => (phone === undefined ? [] : [foldedPhone(phone)]),
    company: ({ company }) => (company === undefined ? [] : [company]),
  },
  conversations: { contactId: ({ contactId }) => [contactId] },
  messages: {
    conversation: ({ conversationId }) => [conversationId],
    channelOfConversation: ({ conversationId, channel }) => [channelOfConversation(conversationId, channel)],
    outgoing: ({ direction, channel }) => (direction === 'outgoing' ? [channel] : []),
    incoming: ({ direction, contactId, channel }) =>
      direction === 'outgoing' ? [] : [channelOfContact(contactId, channel)],
  },
  templates: {
    uniqueName: ({ uniqueName }) => [uniqueName],
    typeAndStatus: ({ templateType, status }) => [typeAndStatus(templateType, status)],
    ownerTypeAndStatus: ({ ownerId = madeByKey, templateType, status }) => [
      ownerTypeAndStatus(ownerId, templateType, status),
    ],
    awaitingApproval: ({ approveAt }) => (approveAt === undefined ? [] : ['awaiting']),
  },
  companies: { contact: ({ contacts = [] }) => distinct(contacts), domain: ({ domain }) => distinct([domain]) },
  products: { sku: ({ sku }) => distinct([sku]) },
  deals: {
    contact: ({ contactId, contacts = [] }) => distinct([contactId, ...contacts]),
    company: ({ companyId, company }) => distinct([companyId, company]),
  },
  quotes: { dealId: ({ dealId }) => [dealId] },
  bulkSends: { waitsFor: ({ sendAt }) => [sendAt === undefined ? 'release' : 'time'] },
  answers: { all: () => ['all'], key: ({ key }) => [key] },
  deleted: { all: () => ['all'] },
} as const satisfies { [K in Kind]: Readonly<Record<string, Index<Kinds[K]>>> }

/** So that a record that names another twice is found by it once. */
function distinct(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== undefined)
}

export type IndexOf<K extends Kind> = keyof (typeof indexes)[K] & string

export const foldedEmail = (email: string) => email.toLowerCase()
/** The digits after a plus, as in E.164. A number without digits stays as it is. */
export function foldedPhone(phone: string): string {
  if (phone.length > longestPhone || isFolded.test(phone)) return phone
  const digits = phone.replace(/[^0-9]/g, '')
  return digits === '' ? phone : `+${digits}`
}

/** A longer text is no phone number, and nothing is gained by going through it. */
const longestPhone = 100

const isFolded = /^\+[0-9]+$/

export const foldedAddress = (address: string) => (address.includes('@') ? foldedEmail(address) : foldedPhone(address))
export const channelOfConversation = (conversationId: string, channel: string) => `${conversationId} ${channel}`
export const channelOfContact = (contactId: string, channel: string) => `${contactId} ${channel}`
export const typeAndStatus = (type: string, status: string) => `${type} ${status}`
/** Stands for the owner of a template that was made with an API key, which belongs to no user. */
export const madeByKey = ''
export const ownerTypeAndStatus = (owner: string, type: string, status: string) => `${owner} ${type} ${status}`
