import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '../client/answer.ts'
import { NotAllowed, StepFailed } from '../client/errors.ts'

/** The result of the probe of an entry. */
export type ProbeFinding =
  /** The choice that the server made, as a profile writes it, and the exchange that shows it. */
  | { readonly outcome: 'seen'; readonly written: string; readonly where?: string }
  /** The server does something that no choice describes. */
  | { readonly outcome: 'other'; readonly words: string }
  /** The server did two different things. */
  | { readonly outcome: 'unstable'; readonly words: string }
  | { readonly outcome: 'cannotTell'; readonly words: string }

/** The choice of a finding, or the description. */
export const wordsOf = (finding: ProbeFinding) => (finding.outcome === 'seen' ? finding.written : finding.words)

/** Two measurements of a delay are never equal. */
export const withoutDelay = (written: string) => written.replace(/^(afterDelay):\d+$/, '$1')

/** The server does something that no choice describes. */
export class Other extends Error {}

/** The choice cannot be determined, for this reason. */
export class CannotTell extends Error {}

/** Returns one of two choices, by whether the server refused a request with a 400. */
export function byRefusal<const Refused, const Accepted>(
  answer: Answer,
  refused: Refused,
  accepted: Accepted,
): Refused | Accepted {
  return byStatus<Refused | Accepted>(answer, { 400: refused, ok: accepted })
}

/** Returns the choice for a status; `ok` is any success. */
export function byStatus<Choice>(answer: Answer, choices: Readonly<Record<number, Choice> & { ok?: Choice }>): Choice {
  if (answer.succeeded && !saysSo(answer))
    throw new Other(`${answer.summary}, and the body does not say that it is done`)
  const choice = answer.succeeded ? choices.ok : choices[answer.status]
  if (choice === undefined) throw new Other(answer.summary)
  return choice
}

/** A page with the status 200 is no success. */
const saysSo = ({ body, fields }: Answer) => typeof body === 'object' && body !== null && fields.success !== false

/** Returns the choice with the observed value. */
export function byValue<Choice extends string>(
  what: string,
  seen: unknown,
  values: Readonly<Record<Choice, unknown>>,
): Choice {
  const [choice, ...others] = (Object.keys(values) as Choice[]).filter((each) => isDeepStrictEqual(values[each], seen))
  if (choice === undefined) throw new Other(`${what} is ${describe(seen)}`)
  if (others.length > 0) throw new CannotTell(`${what} is ${describe(seen)}, which fits several choices`)
  return choice
}

/** Throws if the server shows a changed value. */
export function requireUnchanged(what: string, shown: unknown, sent: unknown): void {
  if (shown !== undefined && !isDeepStrictEqual(shown, sent)) throw new Other(`${what} is ${describe(shown)}`)
}

export const describe = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value))

/** Throws unless a condition holds that the probe depends on. */
export function requireThat(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new CannotTell(otherwise)
}

/** The reason why something cannot be determined. Any other error is a bug of ours, and is thrown again. */
export function reasonOf(error: unknown): string {
  if (error instanceof CannotTell || error instanceof StepFailed || error instanceof NotAllowed) return error.message
  throw error
}
