import type { AnyChosen } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Because } from '../core/refusals.ts'
import type { ServiceResponse } from '../core/response.ts'
import type { Changed } from '../core/team.ts'

/** A request and its response in the journal. */
export interface LogEntry extends Outcome, Reason {
  readonly id: string
  /** When it came, by the clock of the sandbox. */
  readonly at: number
  /** How long the answer took, in milliseconds. */
  readonly ms: number
  /** Undefined when what came was no request. */
  readonly method: string | undefined
  readonly url: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly sent: Body
  readonly operation: OperationId | undefined
  readonly team: string | undefined
  readonly answer: Body
}

/** Why a request was refused, or has failed. */
export interface Reason {
  readonly because?: Because
  /** The choice that decided, when an assumption did: it may be switched later. */
  readonly decided?: AnyChosen | undefined
  /** The internal error, or the rule that replaced the response. */
  readonly failure?: string | undefined
}

/** A text, or the beginning of a long one. */
export type Body = string | Beginning | undefined

interface Beginning {
  readonly beginning: string
  /** How many characters the whole has. */
  readonly length: number
}

export const longestText = 16 * 1024

/** As long as a socket would take them; in process they may be longer. */
const longestHeaders = 64 * 1024
const longestMethod = 100

/** The facts that differ with each request, without the bodies. */
interface Head extends Pick<LogEntry, 'id' | 'method' | 'url' | 'headers'> {
  readonly reason: Reason | undefined
}

/** The other facts of a request: numbers, and shared objects. */
export interface Facts {
  at: number
  ms: number
  operation: OperationId | undefined
  team: string | undefined
  outcome: Outcome
  /** How many characters of the text come before the bodies. */
  head: number
  /** How many characters the body has; undefined when there was none. */
  sent: number | undefined
  /** How many characters the answer has. */
  answer: number
}

/** The head as lines, since none of its values contains a line break. The bodies follow. */
export function headOf({ id, method = '', url, headers, reason }: Head): string {
  const words = reason ? JSON.stringify(reason) : ''
  return `${id}\n${cut(method, longestMethod)}\n${cut(url, longestText)}\n${words}\n${wholeLines(headers.join('\n'))}`
}

export const beginningOf = (text: string): string => cut(text, longestText)

const cut = (text: string, longest: number) => (text.length <= longest ? text : text.slice(0, longest))

/** Half of a value could be half of a secret, which nothing would redact. */
function wholeLines(headers: string): string {
  if (headers.length <= longestHeaders) return headers
  return headers.slice(0, Math.max(0, headers.lastIndexOf('\n', longestHeaders)))
}

export function read(text: string, facts: Readonly<Facts>): LogEntry {
  const { at, ms, operation, team, outcome, head, sent, answer } = facts
  const [id = '', method, url = '', reason, ...headers] = text.slice(0, head).split('\n')
  const middle = head + Math.min(sent ?? 0, longestText)
  return {
    ...outcome,
    ...(reason ? (JSON.parse(reason) as Reason) : {}),
    id,
    at,
    ms,
    method: method === '' ? undefined : method,
    url,
    headers: headers[0] === '' ? [] : headers,
    sent: sent === undefined ? undefined : bodyOf(text.slice(head, middle), sent),
    operation,
    team,
    answer: bodyOf(text.slice(middle), answer),
  }
}

const bodyOf = (beginning: string, length: number) => (beginning.length === length ? beginning : { beginning, length })

/** The facts of a request that are often equal to the facts of the next one. */
export interface Outcome {
  readonly status: number
  readonly assumed: ServiceResponse['assumed']
  readonly learned: ServiceResponse['learned']
  readonly changed: ServiceResponse['changed']
  /** Whether the client left before it had the whole response. */
  readonly isCutOff: boolean
}

/** Gives requests of one operation the same object while their outcomes are alike, so that few are kept. */
export class Outcomes {
  readonly #latest = new Map<OperationId | undefined, Outcome>()

  of(operation: OperationId | undefined, answered: Omit<ServiceResponse, 'body'>, isCutOff: boolean): Outcome {
    const latest = this.#latest.get(operation)
    if (latest?.isCutOff === isCutOff && areAlike(latest, answered)) return latest
    const { status, assumed, learned, changed } = answered
    const outcome = { status, assumed, learned, changed, isCutOff }
    this.#latest.set(operation, outcome)
    return outcome
  }
}

function areAlike(one: Outcome, other: Omit<ServiceResponse, 'body'>): boolean {
  return (
    one.status === other.status &&
    haveSame(one.assumed, other.assumed) &&
    haveSame(one.learned, other.learned) &&
    haveSame(one.changed, other.changed, isSameChange)
  )
}

function haveSame<Item>(
  some: readonly Item[] = [],
  others: readonly Item[] = [],
  isSame: (one: Item, other: Item) => boolean = Object.is,
): boolean {
  if (some.length !== others.length) return false
  return some.every((item, at) => isSame(item, others[at] as Item))
}

const isSameChange = (one: Changed, other: Changed) =>
  one.kind === other.kind && one.added === other.added && one.updated === other.updated && one.removed === other.removed
