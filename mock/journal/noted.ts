import type { AnyChosen } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Answered } from '../core/answered.ts'
import type { Because } from '../core/because.ts'

/** A request with its answer, as the journal keeps it. */
export interface Noted extends Omit<Head, 'sent' | 'answer'> {
  readonly sent: Body
  readonly answer: Body
}

/** All but the texts of the bodies. */
export interface Head {
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
  /** How many characters the body has; undefined when there was none. */
  readonly sent: number | undefined
  readonly operation: OperationId | undefined
  readonly team: string | undefined
  readonly status: number
  /** How many characters the answer has. */
  readonly answer: number
  readonly assumed: Answered['assumed']
  readonly learned: Answered['learned']
  readonly changed: Answered['changed']
  readonly because: Because | undefined
  /** The choice that decided, when an assumption did: it may be switched later. */
  readonly decided: AnyChosen | undefined
  /** Whether the client was gone before it had the whole answer. */
  readonly isCutOff: boolean
  /** What failed, when the sandbox itself did, or the rule that made the answer. */
  readonly failure: string | undefined
}

/** A text, or the beginning of a long one. */
export type Body = string | Beginning | undefined

interface Beginning {
  readonly beginning: string
  /** How many characters the whole has. */
  readonly length: number
}

export const longestText = 16 * 1024

/** One text of all. The bodies follow the head as they are: to write them as JSON would take longer than all else. */
export function write(head: Head, sent: string, answer: string): string {
  return `${JSON.stringify(head)}\n${beginningOf(sent)}${beginningOf(answer)}`
}

const beginningOf = (text: string) => (text.length <= longestText ? text : text.slice(0, longestText))

export function read(text: string): Noted {
  const end = text.indexOf('\n')
  const head = JSON.parse(text.slice(0, end)) as Head
  const bodies = text.slice(end + 1)
  const middle = Math.min(head.sent ?? 0, longestText)
  return {
    ...head,
    sent: head.sent === undefined ? undefined : bodyOf(bodies.slice(0, middle), head.sent),
    answer: bodyOf(bodies.slice(middle), head.answer),
  }
}

const bodyOf = (beginning: string, length: number) => (beginning.length === length ? beginning : { beginning, length })
