import { NotAllowed, StepFailed } from '../../client/errors.ts'
import type { Stopped } from '../../client/sender.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'

/** What became of a check. */
export type Outcome =
  | 'kept'
  /** A firm promise did not hold. */
  | 'broken'
  /** A promise that is only usual did not hold. */
  | 'warned'
  /** The check needs something that the operator did not give or allow. */
  | 'skipped'
  /** The server did what the specification leaves open, or a step that the check builds on did not succeed. */
  | 'inconclusive'
  /** The check itself went wrong, and says nothing about the server. */
  | 'failed'

/** What was promised, what came instead, and how to see it again. */
export interface Finding {
  readonly promise: PromiseId
  readonly expected: string
  readonly actual: string
  readonly operation?: OperationId
  /** The last answer: its status and its body. */
  readonly answered?: string
  /** A line for a shell, with credentials as `$CRM_API_KEY`. */
  readonly curl?: string
  /** The last requests of the check, such as `POST /api/contacts 201`. */
  readonly asked?: readonly string[]
}

/** What one check found; plain data, since it crosses from a worker to the process that reports. */
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
  /** Whether it wrote anything, which a read may see only later. */
  readonly wrote?: boolean
  readonly seconds: number
  /** Why nothing more was sent after it. */
  readonly stopped?: Stopped
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

/** What the server did where the specification leaves it open. */
interface Observed {
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
export class Skipped extends NotAllowed {
  override readonly name = 'Skipped'
}

/** A check cannot tell, because the specification leaves open what it builds on. */
export class Inconclusive extends StepFailed {
  override readonly name = 'Inconclusive'
}
