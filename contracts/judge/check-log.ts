import type { Observer } from '../client/client.ts'
import { type Exchange, toCurl } from '../client/exchange.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { type AnswerFault, inspect } from './inspection.ts'
import type { CheckResult, Finding } from './outcome.ts'

const isFirm = (fault: AnswerFault) => promise(fault.promise).strength !== 'usual'

const emptyRecord = () => ({
  faults: new Map<string, Finding>(),
  answers: new Map<OperationId, { successes: number; refusals: number; unlisted: Set<string> }>(),
  observed: new Map<AssumptionName, string>(),
  requests: [] as string[],
  wrote: false,
  last: undefined as Exchange | undefined,
})

/** Compares every answer with the document, and records the requests and faults of the current check. */
export class CheckLog implements Observer {
  readonly #keys = new Set<string>()
  #check = emptyRecord()

  /** Empties the log for the next check. */
  start(): void {
    this.#check = emptyRecord()
  }

  onAnswer: Observer['onAnswer'] = (answer, exchange, foreign) => {
    const { operation, succeeded } = answer
    const { faults, unlisted } = inspect(answer, exchange.incoming.text, this.#repeatsKey(exchange))
    this.#addExchange(exchange)
    this.#addFaults(operation, [
      ...faults,
      ...foreign.map(({ ownTeam, team }) => ({
        promise: 'access.recordsCarryTheirTeam' as const,
        expected: `records of team ${ownTeam}`,
        actual: `one of ${team}`,
      })),
    ])
    const known = this.#check.answers.get(operation) ?? { successes: 0, refusals: 0, unlisted: new Set() }
    this.#check.answers.set(operation, known)
    if (!faults.some(isFirm)) known[succeeded ? 'successes' : 'refusals']++
    for (const field of unlisted) known.unlisted.add(field.replace(/\[\d+\]/g, '[]'))
  }

  onNoAnswer: Observer['onNoAnswer'] = (exchange, error) => {
    this.#addExchange(exchange)
    if (error.how !== 'cut' && error.how !== 'unreadable') return
    const fault = { promise: 'envelope.answersAreJson', expected: 'a whole response', actual: error.message } as const
    this.#addFaults(exchange.operation, [fault])
  }

  observe = (assumption: AssumptionName, choice: string): void => {
    this.#check.observed.set(assumption, choice)
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
    this.#check.last = exchange
    if (request.method !== 'GET' && incoming && incoming.status < 400) this.#check.wrote = true
    this.#check.requests.push(`${request.method} ${new URL(request.url).pathname} ${incoming?.status ?? 'no response'}`)
  }

  #addFaults(operation: OperationId, faults: readonly AnswerFault[]): void {
    for (const { promise, expected, actual } of faults) {
      const name = `${promise} ${operation} ${expected}`
      if (!this.#check.faults.has(name)) this.#check.faults.set(name, this.finding(promise, expected, actual))
    }
  }

  get lastStatus(): number | undefined {
    return this.#check.last?.incoming?.status
  }

  /** Such as `createContact 400`. */
  get lastAnswer(): string {
    return `${this.#check.last?.operation ?? ''} ${this.lastStatus ?? ''}`
  }

  /** The URL and the body of the last request. */
  get lastRequest(): string {
    const { url = '', body = '' } = this.#check.last?.request ?? {}
    return `${decodeURIComponent(url)} ${String(body)}`
  }

  /** A finding about the last answer. */
  finding(promise: PromiseId, expected: string, actual: string): Finding {
    const { last, requests } = this.#check
    if (!last) return { promise, expected, actual }
    const { operation, incoming } = last
    const answered = incoming ? { answered: `${incoming.status} ${incoming.text}`.trimEnd() } : {}
    return { promise, expected, actual, operation, ...answered, curl: toCurl(last), asked: requests.slice(-12) }
  }

  summary(): Pick<CheckResult, 'faults' | 'answers' | 'observed' | 'wrote'> {
    const { wrote, faults, answers, observed } = this.#check
    return {
      wrote,
      faults: [...faults.values()],
      answers: [...answers].map(([operation, { unlisted, ...counts }]) => ({
        operation,
        ...counts,
        unlisted: [...unlisted],
      })),
      observed: [...observed].map(([assumption, choice]) => ({ assumption, choice })),
    }
  }
}
