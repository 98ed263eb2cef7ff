import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Input } from '../request.ts'
import type { Subjects } from '../subjects.ts'
import type { Tools } from '../tools.ts'

/** What the client knows of an operation. */
export interface Row {
  /** A request that succeeds when it is about records that exist. */
  readonly request: (about: Subjects, tools: Tools) => Input | Promise<Input>
  /** The promise that is broken when the shape of a success is not as documented. */
  readonly shape: ShapePromises
}

/** The rows of a group. */
export type Rows = Readonly<Partial<Record<OperationId, Row>>>

/** The promise for each complaint about a shape; the first pattern that matches the complaint counts. */
export type ShapePromises = readonly (readonly [complaint: RegExp, promise: PromiseId])[]

export const anything = /^/
export const time = /\.(createdAt|updatedAt) must be an ISO/
/** These answer with an outcome alone, and the promises about the envelope cover that. */
export const outcomeAlone: ShapePromises = []
