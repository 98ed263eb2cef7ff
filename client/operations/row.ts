import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Input } from '../request.ts'
import type { Subjects } from '../subjects.ts'
import type { Tools } from '../tools.ts'
import type { Kind } from './index.ts'

/** What the client knows of an operation. */
export interface Row {
  /** A request that succeeds when it is about records that exist. */
  readonly request: (about: Subjects, tools: Tools) => Input | Promise<Input>
  /** The record that a success can leave behind. */
  readonly makes?: Making
  /** The promise that is broken when the shape of a success is not as documented. */
  readonly shape: ShapePromises
}

/** The rows of a group. */
export type Rows = Readonly<Partial<Record<OperationId, Row>>>

interface Making {
  readonly kind: Kind
  /** The id of the new record in the data of an answer; a send leads to its contact by the address alone. */
  readonly idIn?: (data: object) => unknown
  /** Whether only the same request, with the same key, can find what an unanswered one has made. */
  readonly keyed?: true
}

export const ownId = (data: object) => ('_id' in data ? data._id : undefined)
export const idOfContact = (data: object) =>
  'contactId' in data && typeof data.contactId === 'object' && data.contactId ? ownId(data.contactId) : undefined

/** How records of a kind are created, deleted, and seen: by a read or, where there is none, by an empty update. */
export interface KindRow {
  readonly createdBy: OperationId
  readonly seenBy: OperationId
  readonly deletedBy: OperationId
}

/** The promise for each complaint about a shape; the first pattern that matches the complaint counts. */
export type ShapePromises = readonly (readonly [complaint: RegExp, promise: PromiseId])[]

export const anything = /^/
export const time = /\.(createdAt|updatedAt) must be an ISO/
/** These answer with an outcome alone, and the promises about the envelope cover that. */
export const outcomeAlone: ShapePromises = []
