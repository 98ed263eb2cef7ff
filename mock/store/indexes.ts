import type { Kind, Kinds } from '../../fixtures/records.ts'

/**
 * How records are found other than by id, declared once for every store. An index gives the values that a record is
 * found by. Addresses are filed under their most forgiving form; a rule that compares strictly looks again.
 */
export const indexes = {
  users: { all: () => ['all'] },
  providers: { address: (provider) => [foldedAddress(provider.address)], all: () => ['all'] },
  contacts: {
    email: (contact) => (contact.email === undefined ? [] : [foldedEmail(contact.email)]),
    phone: (contact) => (contact.phone === undefined ? [] : [foldedPhone(contact.phone)]),
    company: (contact) => (contact.company === undefined ? [] : [contact.company]),
  },
  conversations: { contactId: (conversation) => [conversation.contactId] },
  messages: {
    conversation: (message) => [message.conversationId],
    channelOfConversation: (message) => [channelOfConversation(message.conversationId, message.channel)],
  },
  templates: {
    uniqueName: (template) => [template.uniqueName],
    typeAndStatus: (template) => [typeAndStatus(template.templateType, template.status)],
    ownerTypeAndStatus: (template) => [
      ownerTypeAndStatus(template.ownerId ?? madeByKey, template.templateType, template.status),
    ],
    awaitingApproval: (template) => (template.approveAt === undefined ? [] : ['awaiting']),
  },
  companies: { contact: (company) => distinct(company.contacts ?? []) },
  products: {},
  deals: {
    contact: (deal) => distinct([deal.contactId, ...(deal.contacts ?? [])]),
    company: (deal) => distinct([deal.companyId, deal.company]),
  },
  quotes: { dealId: (quote) => [quote.dealId] },
  bulkSends: { waitsFor: (part) => [part.sendAt === undefined ? 'release' : 'time'] },
  answers: { all: () => ['all'], key: (answer) => [answer.key] },
  deleted: { all: () => ['all'] },
} as const satisfies { [K in Kind]: Readonly<Record<string, (record: Kinds[K]) => readonly string[]>> }

/** A record that names another twice is found by it once. */
function distinct(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids)].filter((id) => id !== undefined)
}

export type IndexOf<K extends Kind> = keyof (typeof indexes)[K] & string

export const foldedEmail = (email: string) => email.toLowerCase()
/** Its digits after a plus, which a number in E.164 form is already; one without any digit is only like itself. */
export function foldedPhone(phone: string): string {
  if (isFolded.test(phone)) return phone
  const digits = phone.replace(/[^0-9]/g, '')
  return digits === '' ? phone : `+${digits}`
}

const isFolded = /^\+[0-9]+$/

export const foldedAddress = (address: string) => (address.includes('@') ? foldedEmail(address) : foldedPhone(address))
export const channelOfConversation = (conversationId: string, channel: string) => `${conversationId} ${channel}`
export const typeAndStatus = (type: string, status: string) => `${type} ${status}`
/** The owner of a template that was made with an API key, which is nobody's. */
export const madeByKey = ''
export const ownerTypeAndStatus = (owner: string, type: string, status: string) => `${owner} ${type} ${status}`
