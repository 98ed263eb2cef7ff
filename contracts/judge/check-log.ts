import type { Observer } from '../../client/client.ts'
import { type Exchange, toCurl } from '../../client/exchange.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { type Fault, inspect } from './inspection.ts'
import type { CheckResult, Finding } from './outcome.ts'

/** Compares every answer with the document, and records the requests and faults of the current check. */
export class CheckLog implements Observer {
  readonly #keys = new Set<string>()
  #faults = new Map<string, Finding>()
  #answers = new Map<OperationId, { successes: number; refusals: number; unlisted: Set<string> }>()
  #observed = new Map<AssumptionName, string>()
  #requests: string[] = []
  #wrote = false
  #last: Exchange | undefined

  /** Empties the log for the next check. */
  start(): void {
    this.#faults = new Map()
    this.#answers = new Map()
    this.#observed = new Map()
    this.#requests = []
    this.#wrote = false
    this.#last = undefined
  }

  onAnswer: Observer['onAnswer'] = (answer, exchange, foreign) => {
    const { operation, succeeded } = answer
    const { faults, unlisted } = inspect(answer, exchange.incoming, this.#repeatsKey(exchange))
    this.#addExchange(exchange)
    this.#addFaults(operation, [
      ...faults,
      ...foreign.map(({ ownTeam, team }) => ({
        promise: 'access.recordsCarryTheirTeam' as const,
        expected: `records of team ${ownTeam}`,
        actual: `one of ${team}`,
      })),
    ])
    const known = this.#answers.get(operation) ?? { successes: 0, refusals: 0, unlisted: new Set() }
    this.#answers.set(operation, known)
    if (faults.length === 0) known[succeeded ? 'successes' : 'refusals']++
    for (const field of unlisted) known.unlisted.add(field.replace(/\[\d+\]/g, '[]'))
  }

  onNoAnswer: Observer['onNoAnswer'] = (exchange, error) => {
    this.#addExchange(exchange)
    if (!error.isCut) return
    const fault = { promise: 'envelope.answersAreJson', expected: 'a whole answer', actual: error.message } as const
    this.#addFaults(exchange.operation, [fault])
  }

  onChoice: Observer['onChoice'] = (assumption, choice) => {
    this.#observed.set(assumption, choice)
  }

  #repeatsKey({ request: { headers } }: Exchange): boolean {
    const key = headers['idempotency-key']
    if (key === undefined) return false
    const isKnown = this.#keys.has(key)
    this.#keys.add(key)
    return isKnown
  }

  #addExchange(exchange: Exchange): void {
    const { request, incoming } = exchange
    this.#last = exchange
    if (request.method !== 'GET' && incoming && incoming.status < 400) this.#wrote = true
    this.#requests.push(`${request.method} ${new URL(request.url).pathname} ${incoming?.status ?? 'no answer'}`)
  }

  #addFaults(operation: OperationId, faults: readonly Fault[]): void {
    for (const { promise, expected, actual } of faults) {
      const name = `${promise} ${operation} ${expected}`
      if (!this.#faults.has(name)) this.#faults.set(name, this.finding(promise, expected, actual))
    }
  }

  get lastStatus(): number | undefined {
    return this.#last?.incoming?.status
  }

  /** The URL and the body of the last request. */
  get lastRequest(): string {
    const { url = '', body = '' } = this.#last?.request ?? {}
    return `${decodeURIComponent(url)} ${String(body)}`
  }

  /** A finding about the last answer. */
  finding(promise: PromiseId, expected: string, actual: string): Finding {
    if (!this.#last) return { promise, expected, actual }
    const { operation, incoming } = this.#last
    const answered = incoming && `${incoming.status} ${incoming.text}`.trimEnd()
    const requests = this.#requests.slice(-12)
    return {
      promise,
      expected,
      actual,
      operation,
      ...(answered === undefined ? {} : { answered }),
      curl: toCurl(this.#last),
      asked: requests,
    }
  }

  summary(): Pick<CheckResult, 'faults' | 'answers' | 'observed' | 'wrote'> {
    return {
      wrote: this.#wrote,
      faults: [...this.#faults.values()],
      answers: [...this.#answers].map(([operation, { unlisted, ...counts }]) => ({
        operation,
        ...counts,
        unlisted: [...unlisted],
      })),
      observed: [...this.#observed].map(([assumption, choice]) => ({ assumption, choice })),
    }
  }
}
