import type { AssumptionName } from '../../spec/assumptions.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'

/** What became of a check. */
export type Outcome =
  | 'kept'
  /** A promise that is firm did not hold. */
  | 'broken'
  /** A promise that is only usual did not hold. */
  | 'warned'
  /** Something that the operator did not give or allow was needed. */
  | 'skipped'
  /** The server did what the specification leaves open, or never did what the check builds on. */
  | 'inconclusive'
  /** The check itself went wrong, and says nothing about the server. */
  | 'failed'

/** What was promised, what came instead, and how to see it again. */
export interface Finding {
  readonly promise: PromiseId
  readonly expected: string
  readonly actual: string
  readonly operation?: OperationId
  /** A line for a shell; credentials stand in it as `$CRM_API_KEY`. */
  readonly curl?: string
  /** What the check had asked so far, such as `POST /api/contacts 201`; the last of it at the end. */
  readonly asked?: readonly string[]
}

/** What one check found; plain data, since it crosses from a worker to whoever reports. */
export interface CheckResult {
  readonly promise: PromiseId
  readonly outcome: Outcome
  /** Why it was skipped, inconclusive or failed. */
  readonly reason?: string
  readonly finding?: Finding
  /** What any of its answers broke, whichever promise that was. */
  readonly faults: readonly Finding[]
  readonly answers: readonly Answered[]
  readonly observed: readonly Observed[]
  readonly seconds: number
  /** Why nothing more was asked after it. */
  readonly stopped?: Stopped
}

export interface Stopped {
  readonly reason: string
  /** Nobody answered at all. */
  readonly unreachable: boolean
}

/** How one operation answered during one check. */
export interface Answered {
  readonly operation: OperationId
  /** Answers with a success status that broke nothing. */
  readonly successes: number
  /** Refusals that broke nothing. */
  readonly refusals: number
  /** Fields that are not documented, such as `data.owner`. */
  readonly unlisted: readonly string[]
}

/** What the server was seen to do where the specification leaves it open. */
export interface Observed {
  readonly assumption: AssumptionName
  readonly choice: string
}

/** A promise does not hold. */
export class Broken extends Error {
  override readonly name = 'Broken'
  readonly expected: string
  readonly actual: string

  constructor(expected: string, actual: string) {
    super(`expected ${expected}, and got ${actual}`)
    this.expected = expected
    this.actual = actual
  }
}

/** A check needs something that the operator did not give or allow. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

/** A check cannot tell: what it builds on is left open by the specification, or did not work. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive'
}

/** What was asked of `verify` cannot be done. The message is one sentence that says what to do. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify'
}
