import type { IncomingHttpHeaders } from 'node:http'
import type { AnyChosen } from '../../spec/choices.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Answered } from '../core/answered.ts'
import type { Because } from '../core/because.ts'

/** A request with its answer, as the journal keeps it. Nothing is copied until somebody reads it. */
export interface Noted {
  readonly id: string
  /** When it came, by the clock of the sandbox. */
  readonly at: number
  /** How long the answer took, in milliseconds. */
  readonly ms: number
  /** Undefined when what came was no request. */
  readonly method: string | undefined
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly sent: Text
  readonly operation: OperationId | undefined
  readonly team: string | undefined
  readonly status: number
  answer: Text
  readonly assumed: Answered['assumed']
  readonly learned: Answered['learned']
  readonly changed: Answered['changed']
  readonly because: Because | undefined
  /** The choice that decided, when an assumption did: it may be switched later. */
  readonly decided: AnyChosen | undefined
  /** Whether the client was gone before it had the whole answer. */
  isCutOff: boolean
  /** What failed, when the sandbox itself did, or the rule that made the answer. */
  readonly failure: string | undefined
}

/** A text, or the beginning of a long one. */
export type Text = string | Beginning | undefined

export interface Beginning {
  readonly beginning: string
  /** How many characters the whole has. */
  readonly length: number
}

export const longestText = 16 * 1024

/** The text itself unless it is long: then a copy of its beginning, since a part of a string keeps the whole in memory. */
export function beginningOf(text: string): string | Beginning {
  if (text.length <= longestText) return text
  return { beginning: copyOf(text.slice(0, longestText)), length: text.length }
}

export const copyOf = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le')

/** At most so many bytes are held by it: a character takes two at most, and its parts take some more. */
export function bytesOf({ url, headers, sent, answer }: Noted, rawHeaders = listed(headers)): number {
  let characters = url.length + lengthOf(sent) + lengthOf(answer)
  for (const text of rawHeaders) characters += text.length
  return overhead + 2 * characters
}

const overhead = 1024

const lengthOf = (text: Text) => (typeof text === 'string' ? text.length : (text?.beginning.length ?? 0))

/** Names and values in turn. Of a request that came over HTTP they are at hand, and to go through an object takes long. */
function listed(headers: IncomingHttpHeaders): readonly string[] {
  const list: string[] = []
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string') list.push(name, value)
    else for (const one of value ?? []) list.push(name, one)
  }
  return list
}
