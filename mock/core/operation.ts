import type { Assumed } from '../../spec/assumed.ts'
import type { BodyOf, OperationId, PathOf, QueryOf } from '../../spec/types.ts'
import type { Media } from './media.ts'
import type { Reply } from './replies.ts'
import type { Turn } from './turn.ts'

/** A request that has been checked against the document. */
export interface Asked<Id extends OperationId = OperationId> {
  readonly path: PathOf<Id>
  readonly query: QueryOf<Id>
  readonly body: BodyOf<Id>
  /** The file that came with a form. */
  readonly media: Media | undefined
}

/** What an operation is given. It takes what it needs, by name. */
export interface Given<Id extends OperationId = OperationId> extends Asked<Id> {
  readonly turn: Turn
}

export type Operation<Id extends OperationId> = (given: Given<Id>) => Promise<Reply<Id>>

/** An operation with work to do before its turn, since a body may be long and others would wait. */
interface Prepared<Id extends OperationId> {
  prepare(asked: Asked<Id>, assumed: Assumed): Promise<Operation<Id>>
}

/** One entry for each operation of the document. A missing one does not compile. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> | Prepared<Id> }

/** The operations of one file, each with the type that it really has. */
export type OperationsOf<Id extends OperationId> = { readonly [One in Id]: Operation<One> }
