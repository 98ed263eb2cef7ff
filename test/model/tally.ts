import fc from 'fast-check'
import type { OperationId } from '../../spec/types.ts'
import { modelled, modelledIds } from './operations.ts'

/** Counts what was tried: a run that tried too little proves nothing. */
export class Tally {
  readonly #succeeded = new Map<OperationId, number>()
  readonly #foreign = new Map<OperationId, number>()

  count(id: OperationId, hasSucceeded: boolean, namedForeign: boolean): void {
    if (hasSucceeded) this.#succeeded.set(id, (this.#succeeded.get(id) ?? 0) + 1)
    if (namedForeign) this.#foreign.set(id, (this.#foreign.get(id) ?? 0) + 1)
  }

  /** The number of successes of the operation with the fewest. */
  get rarestSuccess(): number {
    return Math.min(...modelledIds.map((id) => this.#succeeded.get(id) ?? 0))
  }

  /** The number of tries with a record of the other team, of the operation with the fewest. */
  get rarestForeign(): number {
    return Math.min(...modelledIds.filter(namesRecords).map((id) => this.#foreign.get(id) ?? 0))
  }
}

const namesRecords = (id: OperationId) =>
  fc.sample(modelled[id].asks, { seed: 1, numRuns: 100 }).some((wanted) => JSON.stringify(wanted).includes('@own'))
