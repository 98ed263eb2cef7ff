import type { OperationId } from '../../spec/types.ts'

/** What a run can leave behind; a conversation and its messages go with their contact. */
export type Kind = 'quote' | 'deal' | 'product' | 'company' | 'template' | 'contact'

/** Who names another comes before the one that it names. */
export const cleaningOrder = ['quote', 'deal', 'product', 'company', 'template', 'contact'] as const satisfies Kind[]

/** How a record of each kind is deleted, and where it is seen as it is: an update that changes nothing, or a read. */
export const kinds = {
  quote: { delete: 'deleteQuote', see: 'updateQuote', parameter: 'quoteId' },
  deal: { delete: 'deleteDeal', see: 'updateDeal', parameter: 'dealId' },
  product: { delete: 'deleteProduct', see: 'updateProduct', parameter: 'productId' },
  company: { delete: 'deleteCompany', see: 'updateCompany', parameter: 'companyId' },
  template: { delete: 'deleteTemplate', see: 'getTemplate', parameter: 'templateId' },
  contact: { delete: 'deleteContact', see: 'updateContact', parameter: 'contactId' },
} as const satisfies Record<Kind, { delete: OperationId; see: OperationId; parameter: string }>

interface Making {
  readonly kind: Kind
  /** The id of the new record in the data of an answer; a send leads to its contact by the address alone. */
  readonly idIn?: (data: object) => unknown
  /** Whether only the same request, with the same key, can say what became of a first one that was not answered. */
  readonly keyed?: true
}

const own = (data: object) => ('_id' in data ? data._id : undefined)
const ofContact = (data: object) =>
  'contactId' in data && typeof data.contactId === 'object' && data.contactId ? own(data.contactId) : undefined

/** The operations that can make a record, and how it is found again. */
export const makings: Readonly<Partial<Record<OperationId, Making>>> = {
  createQuote: { kind: 'quote', idIn: own, keyed: true },
  createDeal: { kind: 'deal', idIn: own, keyed: true },
  createProduct: { kind: 'product', idIn: own, keyed: true },
  createCompany: { kind: 'company', idIn: own, keyed: true },
  createTemplate: { kind: 'template', idIn: own },
  createContact: { kind: 'contact', idIn: own },
  createOrUpdateContact: { kind: 'contact', idIn: own },
  createContactWithConversation: { kind: 'contact', idIn: ofContact },
  findOrCreateConversation: { kind: 'contact', idIn: ofContact },
  sendLiveMessage: { kind: 'contact' },
  sendEmailMessage: { kind: 'contact' },
  sendMessage: { kind: 'contact' },
  sendBulkMessages: { kind: 'contact' },
}
