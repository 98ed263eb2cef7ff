import type { Kind, Kinds } from '../../fixtures/records.ts'

/** One way to find records other than by id. */
export interface Index<Record> {
  /** The fields that its values come from: while they stay the same, the values do. */
  readonly fields: readonly (keyof Record)[]
  /** The values that a record is found by. */
  readonly valuesOf: (record: Record) => readonly string[]
}

/**
 * The indexes of every kind, declared once for every store. Addresses are found by their most forgiving form; a rule that
 * compares strictly looks again.
 */
export const indexes = {
  users: { all: index([], () => ['all']) },
  providers: {
    address: index(['address'], ({ address }) => [foldedAddress(address)]),
    all: index([], () => ['all']),
  },
  contacts: {
    email: index(['email'], ({ email }) => (email === undefined ? [] : [foldedEmail(email)])),
    phone: index(['phone'], ({ phone }) => (phone === undefined ? [] : [foldedPhone(phone)])),
    company: index(['company'], ({ company }) => (company === undefined ? [] : [company])),
  },
  conversations: { contactId: index(['contactId'], ({ contactId }) => [contactId]) },
  messages: {
    conversation: index(['conversationId'], ({ conversationId }) => [conversationId]),
    channelOfConversation: index(['conversationId', 'channel'], ({ conversationId, channel }) => [
      channelOfConversation(conversationId, channel),
    ]),
    text: index(['textId'], ({ textId }) => (textId === undefined ? [] : [textId])),
    outgoing: index(['direction', 'channel'], ({ direction, channel }) => (direction === 'outgoing' ? [channel] : [])),
  },
  templates: {
    uniqueName: index(['uniqueName'], ({ uniqueName }) => [uniqueName]),
    typeAndStatus: index(['templateType', 'status'], ({ templateType, status }) => [
      typeAndStatus(templateType, status),
    ]),
    ownerTypeAndStatus: index(
      ['ownerId', 'templateType', 'status'],
      ({ ownerId = madeByKey, templateType, status }) => [ownerTypeAndStatus(ownerId, templateType, status)],
    ),
    awaitingApproval: index(['approveAt'], ({ approveAt }) => (approveAt === undefined ? [] : ['awaiting'])),
  },
  companies: {
    contact: index(['contacts'], ({ contacts = [] }) => distinct(contacts)),
    domain: index(['domain'], ({ domain }) => distinct([domain])),
  },
  products: { sku: index(['sku'], ({ sku }) => distinct([sku])) },
  deals: {
    contact: index(['contactId', 'contacts'], ({ contactId, contacts = [] }) => distinct([contactId, ...contacts])),
    company: index(['companyId', 'company'], ({ companyId, company }) => distinct([companyId, company])),
  },
  quotes: { dealId: index(['dealId'], ({ dealId }) => [dealId]) },
  bulkSends: {
    waitsFor: index(['sendAt'], ({ sendAt }) => [sendAt === undefined ? 'release' : 'time']),
    text: index(['textId'], ({ textId }) => (textId === undefined ? [] : [textId])),
  },
  bulkTexts: {},
  answers: { all: index([], () => ['all']), key: index(['key'], ({ key }) => [key]) },
  deleted: { all: index([], () => ['all']) },
} as const satisfies { [K in Kind]: Readonly<Record<string, Index<Kinds[K]>>> }

/** Its values can come from the named fields only. */
function index<Record, Field extends keyof Record>(
  fields: readonly Field[],
  valuesOf: (record: Pick<Record, Field>) => readonly string[],
): Index<Record> {
  return { fields, valuesOf }
}

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
export const typeAndStatus = (type: string, status: string) => `${type} ${status}`
/** Stands for the owner of a template that was made with an API key, which belongs to no user. */
export const madeByKey = ''
export const ownerTypeAndStatus = (owner: string, type: string, status: string) => `${owner} ${type} ${status}`
