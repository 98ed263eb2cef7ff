import type { Assumed } from '../spec/assumed.ts'
import type { ByChoice } from '../spec/assumptions.ts'
import type { OperationId } from '../spec/types.ts'
import { isTakenElsewhere, type Keyed, refuseKey } from './idempotency.ts'

/** The keys that are being worked on. Who comes with one of them waits for who came before, or is refused. */
export class KeysInFlight {
  readonly #flights = new Map<string, Flight>()

  async inOrder<Result>(
    teamId: string,
    { key, operationId }: Keyed,
    assumed: Assumed,
    work: () => Promise<Result>,
  ): Promise<Result> {
    // No header holds the end of a line: so no two teams meet here, whatever they are called.
    const name = `${teamId}\n${key}`
    const before = this.#flights.get(name)
    if (before) checkOthers(before.operations, operationId, assumed)
    const mine = before ? before.last.then(work, work) : work()
    const flight = before ?? { operations: [], last: mine }
    flight.last = mine
    flight.operations.push(operationId)
    this.#flights.set(name, flight)
    try {
      return await mine
    } finally {
      flight.operations.splice(flight.operations.indexOf(operationId), 1)
      if (flight.operations.length === 0) this.#flights.delete(name)
    }
  }
}

interface Flight {
  readonly operations: OperationId[]
  last: Promise<unknown>
}

function checkOthers(others: readonly OperationId[], operationId: OperationId, assumed: Assumed): void {
  if (others.length === 0) return
  if (others.includes(operationId) || isTakenElsewhere[assumed.keyScope]) {
    repeatedKeyInFlight[assumed.repeatedKeyInFlight]()
  }
}

const repeatedKeyInFlight: ByChoice<'repeatedKeyInFlight', () => void> = {
  wait: () => undefined,
  refuse: () => {
    refuseKey('Idempotency-Key belongs to a request that is still being worked on; try again later')
  },
}
