import { NotAllowed, type NotSentBecause, StepFailed } from '../client/errors.ts'
import type { Stopped } from '../client/sender.ts'
import type { StoryStep } from './steps.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'

/** The result of a check. */
export type Outcome =
  | 'kept'
  /** A firm promise did not hold. */
  | 'broken'
  /** A promise that is only usual did not hold. */
  | 'warned'
  /** The check needs something that the operator did not give or allow. */
  | 'skipped'
  /** The specification leaves the behaviour open, or a step of the check did not succeed. */
  | 'inconclusive'
  /** The check itself went wrong, which is no verdict on the server. */
  | 'failed'

/** The expected and the actual behaviour, and a request that shows the difference. */
export interface Finding {
  readonly promise: PromiseId
  readonly expected: string
  readonly actual: string
  readonly operation?: OperationId
  /** The last answer: its status and its body. */
  readonly answered?: string
  /** The requests that lead to it, the last one last. */
  readonly story?: readonly StoryStep[]
  /** The field with the wrong value, and the number of the request that set the expected one. */
  readonly field?: string
  readonly setBy?: number
}

/** The results of the exchanges of a check or of a story; plain data, since a worker sends it to the process that reports. */
export interface Exchanges {
  /** Every promise that one of its answers broke. */
  readonly faults: readonly Finding[]
  readonly answers: readonly OperationAnswers[]
  /** The choices of the server where the specification leaves a behaviour open. */
  readonly observed: readonly { readonly assumption: AssumptionName; readonly choice: string }[]
  /** How often each promise was judged in its exchanges. */
  readonly exercised: readonly { readonly promise: PromiseId; readonly count: number }[]
  readonly requests: number
  /** Why the run ended with it. */
  readonly stopped?: Stopped
}

/** The findings of one check. */
export interface CheckResult extends Exchanges {
  readonly promise: PromiseId
  readonly outcome: Outcome
  /** Why it was skipped, inconclusive or failed. */
  readonly reason?: string
  readonly skipped?: NotSentBecause
  readonly finding?: Finding
  readonly seconds: number
}

/** The answers of one operation during one check. */
export interface OperationAnswers {
  readonly operation: OperationId
  /** Answers with a success status that broke no promise, or only usual ones. */
  readonly successes: number
  /** Refusals that broke no promise, or only usual ones. */
  readonly refusals: number
  /** Undocumented fields, such as `data.owner`. */
  readonly unlisted: readonly string[]
}

/** A promise does not hold. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise'
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

  constructor(message: string) {
    super('missing', message)
  }
}

/** A check cannot decide, because it builds on a behaviour that the specification leaves open. */
export class Inconclusive extends StepFailed {
  override readonly name = 'Inconclusive'
}

/** The promises that one team cannot reach the records of another. */
export const isolation: readonly PromiseId[] = [
  'access.recordsCarryTheirTeam',
  'access.readsStayInTheTeam',
  'access.listsStayInTheTeam',
  'access.updatesStayInTheTeam',
  'access.deletesStayInTheTeam',
  'access.deletesByEmailStayInTheTeam',
  'access.sendsStayInTheTeam',
  'access.referencesStayInTheTeam',
  'access.sameAddressInTwoTeams',
]
