import { operations } from '../spec/operations.ts'
import type { OperationId } from '../spec/types.ts'
import { fieldsOf, idOf } from './answer.ts'
import type { Input } from './request.ts'

/**
 * The records that a run can leave behind, with the operations that create, show and delete them: a read or, where there is
 * none, an empty update. A conversation and its messages go with their contact. In this order each kind comes before
 * those that it names.
 */
export const kinds = {
  quote: { createdBy: 'createQuote', seenBy: 'updateQuote', deletedBy: 'deleteQuote' },
  deal: { createdBy: 'createDeal', seenBy: 'updateDeal', deletedBy: 'deleteDeal' },
  product: { createdBy: 'createProduct', seenBy: 'updateProduct', deletedBy: 'deleteProduct' },
  company: { createdBy: 'createCompany', seenBy: 'updateCompany', deletedBy: 'deleteCompany' },
  template: { createdBy: 'createTemplate', seenBy: 'getTemplate', deletedBy: 'deleteTemplate' },
  contact: { createdBy: 'createContact', seenBy: 'updateContact', deletedBy: 'deleteContact' },
} as const satisfies Readonly<Record<string, Readonly<Record<'createdBy' | 'seenBy' | 'deletedBy', OperationId>>>>

export type Kind = keyof typeof kinds

export const kindNames = Object.keys(kinds) as Kind[]

/** The record that a success of an operation can leave behind. */
interface Making {
  readonly kind: Kind
  /** The id of the new record in the data of an answer. */
  readonly idIn?: (data: object) => unknown
  /** Whether only the same request, with the same key, can find what an unanswered one has made. */
  readonly isKeyed?: true
}

const idOfContact = (data: object) => idOf(fieldsOf(data).contactId)

export const makes: Readonly<Partial<Record<OperationId, Making>>> = {
  createCompany: { kind: 'company', idIn: idOf, isKeyed: true },
  createContact: { kind: 'contact', idIn: idOf },
  createOrUpdateContact: { kind: 'contact', idIn: idOf },
  createDeal: { kind: 'deal', idIn: idOf, isKeyed: true },
  sendLiveMessage: { kind: 'contact', idIn: (data) => fieldsOf(data).contactId },
  sendEmailMessage: { kind: 'contact', idIn: (data) => fieldsOf(data).contactId },
  sendMessage: { kind: 'contact', idIn: (data) => fieldsOf(data).contactId },
  sendBulkMessages: { kind: 'contact' },
  createProduct: { kind: 'product', idIn: idOf, isKeyed: true },
  createQuote: { kind: 'quote', idIn: idOf, isKeyed: true },
  createTemplate: { kind: 'template', idIn: idOf },
  findOrCreateConversation: { kind: 'contact', idIn: idOfContact },
  createContactWithConversation: { kind: 'contact', idIn: idOfContact },
}

/** The parameter of a path that names a record. */
export const pathTo = (kind: Kind | 'conversation', id: string) => ({ path: { [`${kind}Id`]: id } })

/** What shows a record: a read or, where there is none, an update that changes nothing. */
export function viewInput(kind: Kind, id: string): Input {
  const isRead = operations[kinds[kind].seenBy].method === 'get'
  return { ...pathTo(kind, id), ...(isRead ? {} : { body: {} }) }
}

/** The kind of record that the path of an operation names. */
export function kindIn(operation: OperationId): Kind {
  const [, name] = /\{(\w+)Id\}/.exec(operations[operation].path) ?? []
  const kind = kindNames.find((known) => known === name)
  if (!kind) throw new TypeError(`${operation} names no record`)
  return kind
}

/** The kinds of records that are read, added to or deleted; a message cannot be changed. */
export type OwnedKind = Kind | 'conversation'

/** The operation that shows a record, and its input. */
export const readOf = (kind: OwnedKind, id: string): readonly [OperationId, Input] =>
  kind === 'conversation' ? ['getConversation', pathTo(kind, id)] : [kinds[kind].seenBy, viewInput(kind, id)]

/** Whether a request reads only: an update that changes nothing does. */
export const isRead = (operation: OperationId, body: unknown) =>
  operations[operation].method === 'get' ||
  (operations[operation].method === 'put' && Object.keys(fieldsOf(body)).length === 0)

/** Whether it shows the record that its path names: a list of conversations does not show their contact. */
export const showsOne = (operation: OperationId, body: unknown) =>
  isRead(operation, body) && !operation.startsWith('list')

/** The records that a request with this body adds something to. */
export function idsAddedTo(body: unknown): string[] {
  const { conversationId, contactId, recipientId, recipientIds, dealId } = fieldsOf(body)
  return [conversationId, contactId, recipientId, recipientIds, dealId].flat().filter((id) => typeof id === 'string')
}

/** The ids in the data of an answer. */
export function idsIn(operation: OperationId, data: unknown): (readonly [OwnedKind, string])[] {
  const { _id, contactId, conversationId } = fieldsOf(data)
  const ids = [
    [kindShownBy(operation), _id],
    ['contact', typeof contactId === 'object' ? idOf(contactId) : contactId],
    ['conversation', conversationId],
  ] as const
  return ids.flatMap(([kind, id]) => (kind && typeof id === 'string' ? [[kind, id] as const] : []))
}

/** The kind of record that has the `_id` in the data of an answer. */
function kindShownBy(operation: OperationId): OwnedKind | undefined {
  if (operation.includes('Conversation')) return 'conversation'
  if (operations[operation].effect === 'send' || operation === 'listMessages') return undefined
  if (operation === 'listTemplates') return 'template'
  const name = /\{(\w+)Id\}/.exec(operations[operation].path)?.[1]
  return makes[operation]?.kind ?? (name as Kind | undefined)
}

/** A record that a request is about. */
export interface Subject {
  readonly _id: string
  readonly name?: string
  readonly firstName?: string
}
