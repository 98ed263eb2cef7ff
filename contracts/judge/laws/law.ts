import type { PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { type Answer, type Fields, fieldsOf } from '../../client/answer.ts'
import type { Facts, Open } from '../facts.ts'

/** An exchange as a law sees it. Its own effect is not among the facts yet. */
export interface Seen extends Pick<Open, 'request' | 'began' | 'repeatsKey'> {
  readonly answer: Answer
  readonly open: Open
  /** When the answer came, in the order of all requests and answers. */
  readonly ended: number
  /** No other write to the same records was in flight. */
  readonly wasAlone: boolean
}

/** Whether an exchange keeps a promise, with the expected and the actual value. */
export interface Statement {
  readonly promise: PromiseId
  readonly holds: boolean
  readonly expected: string
  readonly actual: string
  /** The field of the expected value. A report about the traffic of other clients names it, and hides the values. */
  readonly field?: string
  /** The number of the exchange that set the expected value. */
  readonly since?: number | undefined
  /** A read that lags behind writes could show the same. */
  readonly mayLag?: boolean
}

/** A promise as a predicate over an exchange and the facts that earlier exchanges established. It is silent unless it must be right. */
export interface Law {
  readonly promises: readonly PromiseId[]
  readonly operations: readonly OperationId[]
  /** The law needs to see every request that changes its records. */
  readonly needsAll?: true
  /** About an answer with a success, unless it says otherwise. */
  readonly status?: 'any'
  readonly judge: (seen: Seen, facts: Facts) => readonly Statement[]
}

type Details = Pick<Statement, 'field' | 'since' | 'mayLag'>

export const state = (
  promise: PromiseId,
  holds: boolean,
  expected: unknown,
  actual: unknown,
  details: Details = {},
): Statement => ({ promise, holds, expected: inWords(expected), actual: inWords(actual), ...details })

const inWords = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? 'nothing' : JSON.stringify(value)

/** Compares two values, unless one of them is missing or null: other promises are about that. */
export function same(promise: PromiseId, expected: unknown, actual: unknown): Statement[] {
  const isKnown = [expected, actual].every((value) => value !== undefined && value !== null)
  return isKnown ? [state(promise, expected === actual, expected, actual)] : []
}

/** Whether an answer says that a record exists, or that it does not. */
export const saysWhether = ({ succeeded, status }: Answer) => succeeded || status === 400 || status === 404

export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])
