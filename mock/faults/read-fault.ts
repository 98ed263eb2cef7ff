import { durationForm, readDuration } from '../../shared/duration.ts'
import { refuse } from '../control/refusals.ts'
import type { Effect } from './effect.ts'
import { hasNoBody } from './fault-fired.ts'
import type { NewFault, Phase } from './faults.ts'
import type { NewGate } from './gates.ts'
import type { Match } from './match.ts'

type Duration = string | number

/** A fault as it is asked for. */
interface FaultGiven extends Match, EffectGiven {
  readonly phase?: Phase
  readonly times?: number
}

interface EffectGiven extends Omit<Effect, 'delay' | 'retryAfter'> {
  readonly delay?: Duration | { readonly from: Duration; readonly to: Duration }
  readonly retryAfter?: Duration
}

interface GateGiven extends Match {
  readonly timeout?: Duration
}

/** Refuses what does not go together, with one sentence. */
export function readFault(given: FaultGiven): NewFault {
  const { phase = 'onArrival', times = given.nth === undefined ? Infinity : 1 } = given
  const effect = readEffect(given)
  if (Object.keys(effect).length === 0) refuse('a fault needs a status, a connection, a body or a delay')
  if (phase === 'inBody' && (effect.status !== undefined || effect.body !== undefined))
    refuse('in the middle of the body there is a delay or a connection that ends; a status or a body comes before it')
  if (effect.body !== undefined && effect.status === undefined && phase !== 'afterCommit')
    refuse('body changes an answer: give the status of one, or the phase afterCommit')
  const match = readMatch(given)
  return { match, times, phase, effect, given: structuredClone(given) }
}

export function readGate(given: GateGiven): NewGate {
  const { timeout = 10_000 } = given
  const match = readMatch(given)
  return { match, timeout: readTime(timeout, 'timeout', longestHold), given: structuredClone(given) }
}

/** What becomes of a request, in milliseconds and seconds. */
export function readEffect(given: EffectGiven): Effect {
  const { delay, status, message, retryAfter, connection, body } = given
  if (connection !== undefined && (status ?? body ?? message ?? retryAfter) !== undefined)
    refuse('a connection that ends carries no answer: give either connection, or status, message, retryAfter and body')
  if (status === undefined && message !== undefined) refuse('message needs a status, such as 500')
  if (retryAfter !== undefined && status !== 429 && status !== 503) refuse('retryAfter needs the status 429 or 503')
  if (status !== undefined && hasNoBody(status) && (message ?? body) !== undefined)
    refuse(`an answer with the status ${status} has no body, so it has neither message nor body`)
  return {
    ...(delay === undefined ? {} : { delay: readDelay(delay) }),
    ...(status === undefined ? {} : { status }),
    ...(message === undefined ? {} : { message }),
    ...readRetryAfter(given),
    ...(connection === undefined ? {} : { connection }),
    ...(body === undefined ? {} : { body }),
  }
}

function readRetryAfter({
  status,
  retryAfter = status === 429 ? '1s' : undefined,
}: EffectGiven): Pick<Effect, 'retryAfter'> {
  if (retryAfter === undefined) return {}
  // As the header has it: a number alone is one of seconds.
  const duration = typeof retryAfter === 'number' ? retryAfter * 1000 : retryAfter
  return { retryAfter: Math.ceil(readTime(duration, 'retryAfter', oneDay) / 1000) }
}

const longestDelay = 60_000
const longestHold = 5 * 60_000
const oneDay = 24 * 60 * 60_000

function readDelay(delay: NonNullable<EffectGiven['delay']>): NonNullable<Effect['delay']> {
  if (typeof delay !== 'object') {
    const time = readTime(delay, 'delay', longestDelay)
    return { from: time, to: time }
  }
  const [from, to] = [readTime(delay.from, 'delay.from', longestDelay), readTime(delay.to, 'delay.to', longestDelay)]
  if (from > to) refuse('delay.from must not be longer than delay.to')
  return { from, to }
}

function readTime(given: Duration, field: string, longest: number): number {
  const time = readDuration(given)
  if (time === undefined) refuse(`${field} must be ${durationForm}`)
  if (time > longest) refuse(`${field} must be at most ${longest / 1000} seconds`)
  return time
}

/** Longer ones would take memory and time at each request. */
const longestWhere = 10_000

/** A copy, which nobody changes. */
function readWhere(where: NonNullable<Match['where']>): NonNullable<Match['where']> {
  const json = asJson(where)
  if (json.length > longestWhere) refuse(`where must be at most ${longestWhere} characters of JSON`)
  return JSON.parse(json) as NonNullable<Match['where']>
}

function asJson(where: object): string {
  try {
    return JSON.stringify(where, (_, value: unknown) => {
      if (typeof value === 'function' || typeof value === 'symbol' || value === undefined) throw new TypeError()
      return value
    })
  } catch {
    return refuse('where must hold values of JSON')
  }
}

function readMatch({ operation, team, where, nth }: Match): Match {
  return {
    ...(operation === undefined ? {} : { operation }),
    ...(team === undefined ? {} : { team }),
    ...(where === undefined ? {} : { where: readWhere(where) }),
    ...(nth === undefined ? {} : { nth }),
  }
}
