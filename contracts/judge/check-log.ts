import { AsyncLocalStorage } from 'node:async_hooks'
import type { Observer } from '../client/client.ts'
import { type Exchange, toCurl } from '../client/exchange.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import { parseJson } from '../../lib/parse-json.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { type AnswerFault, inspect } from './inspection.ts'
import type { LagKind } from './lags.ts'
import type { CheckResult, Finding } from './outcome.ts'

const isFirm = (fault: AnswerFault) => promise(fault.promise).strength !== 'usual'

/** One for all sessions: Node 20 copies the value of each storage, also of a session that has ended, to each new promise. */
const storage = new AsyncLocalStorage<CheckLog>()

/** Routes each exchange to the log of the check that sent it. */
export class CheckLogs implements Observer {
  /** How often each Idempotency-Key was sent. */
  readonly #keys = new Map<string, number>()

  /** When the last write of any check was answered. */
  wroteAt: number | undefined

  get current(): CheckLog | undefined {
    return storage.getStore()
  }

  begin(): CheckLog {
    return new CheckLog((key) => (this.#keys.get(key) ?? 0) > 1, this.wroteAt)
  }

  run<Result>(log: CheckLog, work: () => Result): Result {
    return storage.run(log, work)
  }

  /** The response to the first of two requests with a key may come last. */
  onRequest(key: string | undefined): void {
    if (key !== undefined) this.#keys.set(key, (this.#keys.get(key) ?? 0) + 1)
  }

  onAnswer: Observer['onAnswer'] = (...answer) => {
    const { current } = this
    const before = current?.wroteAt
    current?.onAnswer(...answer)
    if (current?.wroteAt !== before) this.wroteAt = current?.wroteAt
  }

  onNoAnswer: Observer['onNoAnswer'] = (...exchange) => this.current?.onNoAnswer(...exchange)

  observe = (assumption: AssumptionName, choice: string): void => this.current?.observe(assumption, choice)
}

/** Compares every answer of a check with the document, and records its requests and faults. */
export class CheckLog implements Observer {
  readonly #repeatsKey: (key: string) => boolean
  readonly #faults = new Map<string, Finding>()
  readonly #answers = new Map<OperationId, { successes: number; refusals: number; unlisted: Set<string> }>()
  readonly #observed = new Map<AssumptionName, string>()
  readonly #requests: string[] = []
  readonly #readsAfterWrites = new Set<OperationId>()
  #writes = 0
  last: Exchange | undefined
  /** When the last write was answered, and the last one of other checks before this one. */
  wroteAt: number | undefined
  readonly othersWroteAt: number | undefined

  constructor(repeatsKey: (key: string) => boolean, othersWroteAt?: number) {
    this.#repeatsKey = repeatsKey
    this.othersWroteAt = othersWroteAt
  }

  onAnswer: Observer['onAnswer'] = (answer, exchange, foreign) => {
    const { operation, succeeded } = answer
    const { request, incoming } = exchange
    const sent = parseJson(request.body?.toString() ?? '')
    const { faults, unlisted } = inspect(answer, incoming.text, this.#isRepeated(exchange), sent)
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
    this.#observed.set(assumption, choice)
  }

  #isRepeated({ request: { headers } }: Exchange): boolean {
    const key = headers['idempotency-key']
    return key !== undefined && this.#repeatsKey(key)
  }

  #addExchange(exchange: Exchange): void {
    const { request, incoming } = exchange
    this.last = exchange
    if (request.method !== 'GET') this.#writes++
    else if ((this.wroteAt ?? this.othersWroteAt) !== undefined) this.#readsAfterWrites.add(exchange.operation)
    if (request.method !== 'GET' && incoming && incoming.status < 400) this.wroteAt = Date.now()
    this.#requests.push(`${request.method} ${new URL(request.url).pathname} ${incoming?.status ?? 'no response'}`)
  }

  #addFaults(operation: OperationId, faults: readonly AnswerFault[]): void {
    for (const { promise, expected, actual } of faults) {
      const name = `${promise} ${operation} ${expected}`
      if (!this.#faults.has(name)) this.#faults.set(name, this.finding(promise, expected, actual))
    }
  }

  get lastStatus(): number | undefined {
    return this.last?.incoming?.status
  }

  /** The reads that came after a write or, without any, a write after another. */
  get afterWrites(): readonly LagKind[] {
    if (this.#readsAfterWrites.size > 0) return [...this.#readsAfterWrites]
    return this.#writes > 1 ? ['write'] : []
  }

  /** The URL and the body of the last request. */
  get lastRequest(): string {
    const { url = '', body = '' } = this.last?.request ?? {}
    return `${decodeURIComponent(url)} ${String(body)}`
  }

  /** A finding about the last answer. */
  finding(promise: PromiseId, expected: string, actual: string): Finding {
    const { last } = this
    if (!last) return { promise, expected, actual }
    const { operation, incoming } = last
    const answered = incoming ? { answered: `${incoming.status} ${incoming.text}`.trimEnd() } : {}
    return { promise, expected, actual, operation, ...answered, curl: toCurl(last), asked: this.#requests.slice(-12) }
  }

  summary(): Pick<CheckResult, 'faults' | 'answers' | 'observed'> {
    return {
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
