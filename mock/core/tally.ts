import type { Kind } from '../../fixtures/records.ts'

/** How many records of a kind a turn has changed. */
export interface Changed {
  readonly kind: Kind
  added: number
  updated: number
  removed: number
}

/** Counts what the turn that runs now changes. */
export class Tally {
  #changed: Changed[] = []

  /** Starts over. What was counted before stays as it is for those who have it. */
  begin(): void {
    if (this.#changed.length > 0) this.#changed = []
  }

  count(kind: Kind, step: 'added' | 'updated' | 'removed', records = 1): void {
    if (records === 0) return
    let line = this.#changed.find((known) => known.kind === kind)
    if (!line) this.#changed.push((line = { kind, added: 0, updated: 0, removed: 0 }))
    line[step] += records
  }

  changed(): readonly Changed[] {
    return this.#changed.length > 0 ? this.#changed : nothing
  }
}

/** Not the list of a turn that changed nothing, which the next turn goes on with. */
const nothing: readonly Changed[] = []
