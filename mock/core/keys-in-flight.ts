import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { OperationId } from '../../spec/types.ts'
import { isTakenElsewhere, type Keyed, keyHeader, KeyRefused } from './idempotency.ts'

/** Requests under way by their key. A second request with the same key waits for the first, or is refused. */
export class KeysInFlight {
  readonly #flights = new Map<string, Flight>()

  inOrder<Result>(
    teamId: string,
    { key, operationId }: Keyed,
    assumed: Assumed,
    work: () => Promise<Result>,
  ): Promise<Result> {
    // A header cannot contain a line feed, so names of two teams never collide.
    const name = `${teamId}\n${key}`
    const before = this.#flights.get(name)
    if (before && !mayWait(before.operations, operationId, assumed)) return Promise.reject(stillRunning())
    const mine = before ? before.last.then(work, work) : work()
    const flight = before ?? { operations: [], last: mine }
    flight.last = mine
    flight.operations.push(operationId)
    this.#flights.set(name, flight)
    const over = () => {
      flight.operations.splice(flight.operations.indexOf(operationId), 1)
      if (flight.operations.length === 0) this.#flights.delete(name)
    }
    mine.then(over, over)
    return mine
  }
}

interface Flight {
  readonly operations: OperationId[]
  last: Promise<unknown>
}

function mayWait(others: readonly OperationId[], operationId: OperationId, assumed: Assumed): boolean {
  const isTheirs = others.includes(operationId) || isTakenElsewhere[assumed.keyScope]
  return !isTheirs || repeatedKeyInFlight[assumed.repeatedKeyInFlight]
}

const repeatedKeyInFlight: ByChoice<'repeatedKeyInFlight', boolean> = { wait: true, refuse: false }

const stillRunning = () =>
  new KeyRefused('Idempotency-Key belongs to a request that is still being worked on; try again later', {
    assumption: 'repeatedKeyInFlight',
    field: keyHeader,
  })
