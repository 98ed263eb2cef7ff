import type { Observer } from '../../client/client.ts'
import type { Exchange } from '../../client/exchange.ts'
import { CheckLog } from './check-log.ts'
import { inspect } from './faults-of-an-answer.ts'

/** Compares every answer with the document, and writes what it finds into the log of the check that runs. */
export class Watch implements Observer {
  #log = new CheckLog()
  readonly #keys = new Set<string>()

  /** Begins the log of the next check. */
  startLog(): CheckLog {
    this.#log = new CheckLog()
    return this.#log
  }

  onAnswer: Observer['onAnswer'] = (answer, exchange, foreign) => {
    const { operation } = answer
    const inspection = inspect(answer, exchange.incoming, this.#repeatsKey(exchange))
    this.#log.addExchange(exchange)
    this.#log.addFaults(operation, [
      ...inspection.faults,
      ...foreign.map(({ ownTeam, team }) => ({
        promise: 'access.recordsCarryTheirTeam' as const,
        expected: `records of team ${ownTeam}`,
        actual: `one of ${team}`,
      })),
    ])
    this.#log.addAnswer(answer, inspection)
  }

  #repeatsKey({ request: { headers } }: Exchange): boolean {
    const key = headers['idempotency-key']
    const isKnown = key !== undefined && this.#keys.has(key)
    if (key !== undefined) this.#keys.add(key)
    return isKnown
  }

  onNoAnswer: Observer['onNoAnswer'] = (exchange, error) => {
    this.#log.addExchange(exchange)
    if (!error.isCut) return
    this.#log.addFaults(exchange.operation, [
      { promise: 'envelope.answersAreJson', expected: 'a whole answer', actual: error.message },
    ])
  }

  onChoice: Observer['onChoice'] = (assumption, choice) => {
    this.#log.addChoice(assumption, choice)
  }
}
