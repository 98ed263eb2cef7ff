import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'

/** Requests that may look too early at earlier writes: the reads of one operation, or a write, such as an upsert. */
export type LagKind = OperationId | 'write'

export const lagKindOf = (operation: OperationId): LagKind =>
  operations[operation].method === 'get' ? operation : 'write'

/** The waits that are tried, in milliseconds: no promise says that a read shows a write at once. */
const waits = [300, 1100]
export const longestWait = 1100

/** After so many failed trials, a run takes the reads of that kind as they are. */
const mostFailed = 8

/** The longest sum of failed trials before one of them has shown a lag, in milliseconds. */
const longestFailed = { onThisMachine: 15_000, elsewhere: 300_000 }

/** How long the reads of each kind lag behind writes, as the run has learned it. */
export class Lags {
  readonly #learned = new Map<LagKind, number>()
  readonly #failed = new Map<LagKind, number>()
  #timeLeft: number

  constructor(isOnThisMachine: boolean) {
    this.#timeLeft = isOnThisMachine ? longestFailed.onThisMachine : longestFailed.elsewhere
  }

  /** How long the next trial may wait, in milliseconds. */
  get timeLeft(): number {
    return this.#learned.size > 0 ? Infinity : this.#timeLeft
  }

  of(kind: LagKind): number {
    return this.#learned.get(kind) ?? 0
  }

  get longest(): number {
    return Math.max(0, ...this.#learned.values())
  }

  /** The waits that a check with such requests may still be tried with. */
  untried(kinds: readonly LagKind[]): readonly number[] {
    if (this.timeLeft <= 0) return []
    const open = kinds.filter((kind) => (this.#failed.get(kind) ?? 0) < mostFailed)
    return waits.filter((wait) => open.some((kind) => wait > this.of(kind)))
  }

  /** A wait before each write would cost minutes, and few of them look at earlier ones. */
  learn(kinds: Iterable<LagKind>, wait: number): void {
    for (const kind of kinds) if (kind !== 'write' && wait > this.of(kind)) this.#learned.set(kind, wait)
  }

  addFailed(kinds: Iterable<LagKind>, time: number): void {
    this.#timeLeft -= time
    for (const kind of kinds) this.#failed.set(kind, (this.#failed.get(kind) ?? 0) + 1)
  }
}
