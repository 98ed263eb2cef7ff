import type { Assumed } from '../../spec/assumed.ts'
import type { Because } from './because.ts'
import type { LongText } from './long-json.ts'
import type { Changed } from './tally.ts'

/** An answer as it goes over the wire, and as a repeated Idempotency-Key gets it again. */
export interface Answered<Body = string> {
  readonly status: number
  readonly body: Body
  /** The guesses that it relied on. */
  readonly assumed: readonly string[]
  /** The choices that it relied on and that were learned from a server, if there are any. */
  readonly learned?: readonly string[] | undefined
  /** What the request has changed. */
  readonly changed?: readonly Changed[]
  /** Why the request is refused. */
  readonly because?: Because
}

/** An answer that may be a list of any length, which no key gets again. */
export type AnsweredAtLength = Answered<string | LongText>

/** What an answer relied on. */
export function marksOf(assumed: Assumed): Pick<Answered, 'assumed' | 'learned'> {
  const learned = assumed.learned()
  return learned.length === 0 ? { assumed: assumed.relied() } : { assumed: assumed.relied(), learned }
}
