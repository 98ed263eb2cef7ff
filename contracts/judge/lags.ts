import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'

/** What may look too early at earlier writes: the reads of one operation, or a write, such as an upsert. */
export type LagKind = OperationId | 'write'

export const lagKindOf = (operation: OperationId): LagKind =>
  operations[operation].method === 'get' ? operation : 'write'

/** The waits that are tried, in milliseconds: no promise says that a read shows a write at once. */
const waits = [300, 1100]

/** After so many trials in vain, reads of that kind follow writes as they should, and what they show is wrong. */
const mostInVain = 5

/** How long the reads of each kind lag behind writes, as the run has learned it. */
export class Lags {
  readonly #learned = new Map<LagKind, number>()
  readonly #inVain = new Map<LagKind, number>()

  of(kind: LagKind): number {
    return this.#learned.get(kind) ?? 0
  }

  /** The longer waits that a check may still be tried with. */
  untried(kind: LagKind): readonly number[] {
    if ((this.#inVain.get(kind) ?? 0) >= mostInVain) return []
    // Few servers look too early at a write, and a repeated write costs a record.
    return waits.filter((wait) => wait > this.of(kind) && (kind !== 'write' || wait === waits.at(-1)))
  }

  learn(kind: LagKind, wait: number): void {
    this.#learned.set(kind, wait)
  }

  addInVain(kind: LagKind): void {
    this.#inVain.set(kind, (this.#inVain.get(kind) ?? 0) + 1)
  }
}
