import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { fieldsOf, idOf } from './answer.ts'
import type { Input } from './request.ts'

/**
 * The records that a run can leave behind, with the operations that create, show and delete them. Where no operation reads
 * a kind, an empty update shows the record. Conversations and messages are deleted with their contact. Each kind comes
 * before the kinds that its records refer to.
 */
export const kinds = {
  quote: { createdBy: 'createQuote', shownBy: 'updateQuote', deletedBy: 'deleteQuote' },
  deal: { createdBy: 'createDeal', shownBy: 'updateDeal', deletedBy: 'deleteDeal' },
  product: { createdBy: 'createProduct', shownBy: 'updateProduct', deletedBy: 'deleteProduct' },
  company: { createdBy: 'createCompany', shownBy: 'updateCompany', deletedBy: 'deleteCompany' },
  template: { createdBy: 'createTemplate', shownBy: 'getTemplate', deletedBy: 'deleteTemplate' },
  contact: { createdBy: 'createContact', shownBy: 'updateContact', deletedBy: 'deleteContact' },
} as const satisfies Readonly<Record<string, Readonly<Record<'createdBy' | 'shownBy' | 'deletedBy', OperationId>>>>

export type CreatedKind = keyof typeof kinds

export const kindNames = Object.keys(kinds) as CreatedKind[]

/** The record that a successful request can leave behind. */
interface Making {
  readonly kind: CreatedKind
  /** If the answer is lost, only the same request with the same Idempotency-Key can find the record. */
  readonly isKeyed?: true
}

export const makes: Readonly<Partial<Record<OperationId, Making>>> = {
  createCompany: { kind: 'company', isKeyed: true },
  createContact: { kind: 'contact' },
  createOrUpdateContact: { kind: 'contact' },
  createDeal: { kind: 'deal', isKeyed: true },
  sendLiveMessage: { kind: 'contact' },
  sendEmailMessage: { kind: 'contact' },
  sendMessage: { kind: 'contact' },
  sendBulkMessages: { kind: 'contact' },
  createProduct: { kind: 'product', isKeyed: true },
  createQuote: { kind: 'quote', isKeyed: true },
  createTemplate: { kind: 'template' },
  findOrCreateConversation: { kind: 'contact' },
  createContactWithConversation: { kind: 'contact' },
}

/** The kinds of records that a run reads, changes or deletes. Messages cannot be changed. */
export type OwnedKind = CreatedKind | 'conversation'

/** The parameter of a path that names a record. */
export const pathTo = (kind: OwnedKind, id: string) => ({ path: { [`${kind}Id`]: id } })

/** The operation that shows a record, and its input. */
export function readOf(kind: OwnedKind, id: string): readonly [OperationId, Input] {
  if (kind === 'conversation') return ['getConversation', pathTo(kind, id)]
  const { shownBy } = kinds[kind]
  return [shownBy, { ...pathTo(kind, id), ...(operations[shownBy].method === 'get' ? {} : { body: {} }) }]
}

/** The kind of record that the path of an operation names. */
export function kindIn(operation: OperationId): CreatedKind {
  const kind = kindNames.find((known) => operations[operation].path.includes(`{${known}Id}`))
  if (!kind) throw new TypeError(`${operation} names no record`)
  return kind
}

/** Whether a request changes nothing: a GET or an empty update. */
export const isRead = (operation: OperationId, body: unknown) =>
  operations[operation].method === 'get' ||
  (operations[operation].method === 'put' && Object.keys(fieldsOf(body)).length === 0)

/** The ids of the records that a body refers to. */
export function idsInBody(body: unknown): string[] {
  const { conversationId, contactId, recipientId, recipientIds, dealId } = fieldsOf(body)
  return [conversationId, contactId, recipientId, recipientIds, dealId].flat().filter((id) => typeof id === 'string')
}

/** Whether a body has the id of a record, or of a provider, an owner, a pipeline or a stage. */
export const namesRecord = (body: unknown) =>
  Object.keys(fieldsOf(body)).some((name) => /(Ids?|company|contacts|owner|pipeline|provider|stage)$/.test(name))

/** The addresses that a body names. */
export function addressesIn(body: unknown): string[] {
  const { email, phone, to } = fieldsOf(body)
  const texts = [email, phone, to].flat().filter((text) => typeof text === 'string')
  return texts.flatMap((text) => text.split(',').map((address) => address.trim())).filter((address) => address !== '')
}

/** The records in the data of an answer: the record itself, its contact and its conversation. */
export function idsIn(operation: OperationId, data: unknown): (readonly [OwnedKind, string])[] {
  const { _id, contactId, conversationId } = fieldsOf(data)
  const ids = [
    [kindShownBy(operation), _id],
    ['contact', typeof contactId === 'object' ? idOf(contactId) : contactId],
    ['conversation', conversationId],
  ] as const
  return ids.flatMap(([kind, id]) => (kind && typeof id === 'string' ? [[kind, id] as const] : []))
}

/** The kind of the record with the `_id` at the top of the data. */
function kindShownBy(operation: OperationId): OwnedKind | undefined {
  if (operation.includes('Conversation')) return 'conversation'
  if (operations[operation].effect === 'send' || operation === 'listMessages') return undefined
  if (operation === 'listTemplates') return 'template'
  return makes[operation]?.kind ?? kindNames.find((kind) => operations[operation].path.includes(`{${kind}Id}`))
}

/** The fields by which a test recognizes a record. */
export interface Subject {
  readonly _id: string
  readonly name?: string
  readonly firstName?: string
}
