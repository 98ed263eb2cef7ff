import type { Assumed } from '../spec/assumed.ts'
import type { BodyOf, OperationId, PathOf, QueryOf } from '../spec/types.ts'
import type { Caller } from './caller.ts'
import type { Clock } from './clock.ts'
import type { Media } from './media.ts'
import type { Reply } from './replies.ts'
import type { Team } from './team.ts'

/** What an operation is given. It takes what it needs, by name. */
export interface Given<Id extends OperationId = OperationId> {
  readonly path: PathOf<Id>
  readonly query: QueryOf<Id>
  readonly body: BodyOf<Id>
  /** The file that came with a form. */
  readonly media: Media | undefined
  /** Whom a bulk send is for; nobody in any other request. */
  readonly recipients: readonly string[]
  /** The records of the caller's team, and of no other. */
  readonly team: Team
  readonly caller: Caller
  /** The choices for what the specification leaves open. Reading one marks the answer. */
  readonly assumed: Assumed
  readonly clock: Clock
}

export type Operation<Id extends OperationId> = (given: Given<Id>) => Promise<Reply<Id>>

/** One function for each operation of the document. A missing one does not compile. */
export type Operations = { readonly [Id in OperationId]: Operation<Id> }
