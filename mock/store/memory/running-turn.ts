import type { Change } from './memory-records.ts'

/** What the turn that runs now has done so far. */
export class RunningTurn {
  readonly changes: Change[] = []
  /** Why it may change nothing any more. */
  stopped: Error | undefined
  /** Whether `#due` replaces the time at which the team was due before. */
  #isDueAnew = false
  #due = Infinity

  constructor(stopped: Error | undefined) {
    this.stopped = stopped
  }

  dueBy(at: number): void {
    this.#due = Math.min(this.#due, at)
  }

  dueNext(next = Infinity): void {
    this.#isDueAnew = true
    this.#due = next
  }

  /** When the team is due after this turn. */
  dueAfter(before: number): number {
    return this.#isDueAnew ? this.#due : Math.min(before, this.#due)
  }
}
