import type { Because } from './because.ts'
import type { LongText } from './long-json.ts'
import type { Changed } from './tally.ts'

/** An answer as it goes over the wire, and as a repeated Idempotency-Key gets it again. */
export interface Answered<Body = string> {
  readonly status: number
  readonly body: Body
  readonly assumed: readonly string[]
  /** What the request has changed. */
  readonly changed?: readonly Changed[]
  /** Why the request is refused. */
  readonly because?: Because
}

/** An answer that may be a list of any length, which no key gets again. */
export type AnsweredAtLength = Answered<string | LongText>
