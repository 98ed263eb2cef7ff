import type { AnyChosen } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Because } from '../core/because.ts'
import type { Outcome } from './outcomes.ts'

/** A request with its answer, as the journal has it. */
export interface Noted extends Outcome, Reason {
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
  /** What failed, when the sandbox itself did, or the rule that made the answer. */
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

/** What is new with each request, but for the bodies. */
interface Head extends Pick<Noted, 'id' | 'method' | 'url' | 'headers'> {
  readonly reason: Reason | undefined
}

/** What else is known of a request: numbers, and objects that live longer than it does. */
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

/** The head, in lines, since nothing in it can have a line break of its own. The bodies follow. */
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

export function read(text: string, facts: Readonly<Facts>): Noted {
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
