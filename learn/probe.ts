import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '../client/answer.ts'
import { NotAllowed, orOnceMore, StepFailed } from '../client/errors.ts'
import type { Tools } from '../client/tools.ts'
import type { AssumptionName } from '../spec/assumptions.ts'
import type { WrittenChoices } from '../spec/choices.ts'

/**
 * Asks a server which choice of an entry it made, on records of its own. A probe
 *
 * - returns a choice only when it saw its effect: that a request was not refused does not say that it was understood;
 * - throws `Other` when the server does something that no choice describes, and `CannotTell` when the answer would rest
 *   on something else that the server does. A step that fails (`ask`, `make`) counts as `CannotTell` too;
 * - declares nothing: a request beyond `--up-to`, or one that needs a key, a token or a provider that was not given, ends
 *   it with that reason.
 */
export type Probe<Name extends AssumptionName> = (asking: Asking) => Promise<NonNullable<WrittenChoices[Name]>>

/** A probe for each entry of a part of the register; a missing one does not compile. */
export type Probes<Part> = { readonly [Name in keyof Part & AssumptionName]: Probe<Name> }

/** What a probe works with. */
export interface Asking extends Tools {
  /**
   * Looks until something is so: how many milliseconds that took, which is 0 when it was so at the first look, and
   * `undefined` when it was not so in the time that the operator allows.
   */
  readonly timeUntil: (isSo: () => Promise<boolean>) => Promise<number | undefined>
  /** Finds out something that several entries depend on, such as what takes the server a while, once in a run. */
  readonly once: <Found>(what: string, find: () => Promise<Found>) => Promise<Found>
}

/** What was learned about an entry of the register. */
export type Finding =
  /** The choice that the server made, as a profile writes it. */
  | { readonly outcome: 'seen'; readonly written: string }
  /** The server does something that no choice describes. */
  | { readonly outcome: 'other'; readonly words: string }
  /** Asked twice, it did two things. */
  | { readonly outcome: 'unstable'; readonly words: string }
  | { readonly outcome: 'cannotTell'; readonly words: string }

/** The server does something that no choice describes. */
export class Other extends Error {}

/** Which choice it is cannot be determined, for this reason. */
export class CannotTell extends Error {}

/** One of two choices, by whether a request was refused with a 400. */
export function byRefusal<Refused, Accepted>(answer: Answer, refused: Refused, accepted: Accepted): Refused | Accepted {
  return byStatus<Refused | Accepted>(answer, { 400: refused, ok: accepted })
}

/** The choice for a status; `ok` is any success. */
export function byStatus<Choice>(answer: Answer, choices: Readonly<Record<number, Choice> & { ok?: Choice }>): Choice {
  if (answer.succeeded && !saysSo(answer))
    throw new Other(`${answer.summary}, and the body does not say that it is done`)
  const choice = answer.succeeded ? choices.ok : choices[answer.status]
  if (choice === undefined) throw new Other(answer.summary)
  return choice
}

/** An empty page with the status 200 says nothing. */
const saysSo = ({ body, fields }: Answer) => typeof body === 'object' && body !== null && fields.success !== false

/** The choice whose value was seen. */
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

/** What a server shows of what it accepted; what it does not show may be as it was sent. */
export function requireKept(what: string, shown: unknown, sent: unknown): void {
  if (shown !== undefined && !isDeepStrictEqual(shown, sent)) throw new Other(`${what} is ${describe(shown)}`)
}

export const describe = (value: unknown) => (value === undefined ? 'absent' : JSON.stringify(value))

/** Without this, what a probe would see has another cause. */
export function requireThat(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new CannotTell(otherwise)
}

/** A file for messages: the picture that the operator names, or one that nobody needs to fetch. */
export const fileUrl = ({ target }: Pick<Tools, 'target'>) => target.mediaUrl ?? 'https://www.example.com/plan.pdf'

/** Whether an error is a reason why something cannot be determined, rather than a bug of ours. */
export const isReason = (error: unknown): error is Error =>
  error instanceof CannotTell || error instanceof StepFailed || error instanceof NotAllowed

/**
 * Goes the first way that is open on this server. What one operation, record or channel does not show, another may: the
 * usual way comes first, and the reasons of all are reported when none is open.
 */
export async function tryEach<Result>(...ways: readonly (() => Promise<Result>)[]): Promise<Result> {
  const reasons = new Set<string>()
  for (const way of ways) {
    try {
      return await orOnceMore(way)
    } catch (error) {
      if (!isReason(error)) throw error
      reasons.add(error.message)
    }
  }
  throw new CannotTell([...reasons].join('; and '))
}

/**
 * What a server does in several places, such as with each kind of record. No choice describes one that differs among them; a
 * place where it cannot be told counts for nothing.
 */
export async function sameInAll<Choice extends string>(
  ways: Readonly<Record<string, () => Promise<Choice>>>,
): Promise<Choice> {
  const done = new Map<string, string[]>()
  const reasons = new Set<string>()
  let chosen: Choice | undefined
  for (const [place, way] of Object.entries(ways)) {
    try {
      chosen = await orOnceMore(way)
      done.set(chosen, [...(done.get(chosen) ?? []), place])
    } catch (error) {
      if (error instanceof Other) done.set(error.message, [...(done.get(error.message) ?? []), place])
      else if (isReason(error)) reasons.add(error.message)
      else throw error
    }
  }
  if (done.size === 0) throw new CannotTell([...reasons].join('; and '))
  if (done.size === 1 && chosen !== undefined) return chosen
  const told = [...done].map(([what, places]) => (done.size === 1 ? what : `${places.join(', ')}: ${what}`))
  throw new Other(told.join('; '))
}

/** A look that comes later than this, in milliseconds, does not show whether something was there at once. */
const late = 40

const mostTries = 4

/**
 * How long the server takes for something, in milliseconds; `undefined` when that is longer than may be waited. Here, where
 * it costs nothing, it is begun again when the first look came too late.
 */
export async function timeTaken(
  { timeUntil, target }: Asking,
  begin: () => Promise<() => Promise<boolean>>,
): Promise<number | undefined> {
  for (let tries = 1; ; tries++) {
    const begunAt = Date.now()
    const isSo = await begin()
    const delay = await timeUntil(isSo)
    if (delay !== 0 || Date.now() - begunAt <= late || tries === mostTries || !target.loopback) return delay
  }
}
