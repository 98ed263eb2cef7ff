import type { OperationId } from '../../spec/types.ts'
import type { Answered } from '../core/answered.ts'
import type { Changed } from '../core/tally.ts'

/** What became of a request, as far as it is often the same for the next one. */
export interface Outcome {
  readonly status: number
  readonly assumed: Answered['assumed']
  readonly learned: Answered['learned']
  readonly changed: Answered['changed']
  /** Whether the client was gone before it had the whole answer. */
  readonly isCutOff: boolean
}

/** Gives requests of one operation the same object while their outcomes are alike, so that few are kept. */
export class Outcomes {
  readonly #latest = new Map<OperationId | undefined, Outcome>()

  of(operation: OperationId | undefined, answered: Omit<Answered, 'body'>, isCutOff: boolean): Outcome {
    const latest = this.#latest.get(operation)
    if (latest?.isCutOff === isCutOff && areAlike(latest, answered)) return latest
    const { status, assumed, learned, changed } = answered
    const outcome = { status, assumed, learned, changed, isCutOff }
    this.#latest.set(operation, outcome)
    return outcome
  }
}

function areAlike(one: Outcome, other: Omit<Answered, 'body'>): boolean {
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
