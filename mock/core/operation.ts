import type { Assumed } from '../../spec/assumed.ts'
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf, SuccessOf } from '../../spec/types.ts'
import type { Transaction } from './transaction.ts'

/** A request that has been checked against the document. */
export interface ParsedRequest<Id extends OperationId = OperationId> {
  readonly path: PathOf<Id>
  readonly query: QueryOf<Id>
  readonly body: BodyOf<Id>
  /** The file that came with a form. */
  readonly media: Media | undefined
}

/** The parameters of an operation, destructured by name. */
export interface Context<Id extends OperationId = OperationId> extends ParsedRequest<Id> {
  readonly tx: Transaction
}

export type Operation<Id extends OperationId> = (given: Context<Id>) => Promise<Reply<Id>>

/** An operation with work to do before its transaction, since a body may be long and others would wait. */
interface Prepared<Id extends OperationId> {
  prepare(asked: ParsedRequest<Id>, assumed: Assumed): Promise<Operation<Id>>
}

/** One entry for each operation of the document. A missing one does not compile. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> | Prepared<Id> }

/** The operations of one file, each with the type that it really has. */
export type OperationsOf<Id extends OperationId> = { readonly [One in Id]: Operation<One> }

/** The success of an operation: a status, a message, and the fields that the document lists for it. */
export type Reply<Id extends OperationId> = {
  [Status in SuccessOf<Id>]: { readonly status: Status; readonly message: string } & Omit<
    AnswerOf<Id, Status>,
    'success' | 'message' | 'meta'
  >
}[SuccessOf<Id>]

export const ok = <Data>(message: string, data: Data) => ({ status: 200, message, data }) as const
export const created = <Data>(message: string, data: Data) => ({ status: 201, message, data }) as const
export const done = (message: string) => ({ status: 200, message }) as const
export const page = <Data, Pagination>(message: string, data: Data, pagination: Pagination) =>
  ({ status: 200, message, data, pagination }) as const

/** An uploaded file, of which only size and digest are kept. */
export interface Media {
  readonly bytes: number
  readonly digest: string
}
