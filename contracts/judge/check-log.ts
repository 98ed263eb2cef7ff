import { AsyncLocalStorage } from 'node:async_hooks'
import type { Answer } from '../client/answer.ts'
import type { ForeignRecord, Observer } from '../client/client.ts'
import type { Exchange } from '../client/exchange.ts'
import type { Incoming } from '../client/transport.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { ExchangeJudge } from './exchange-judge.ts'
import type { OnSeen, Verdict } from './judge.ts'
import { state, type Statement } from './laws/law.ts'
import { type LagKind, lagKindOf } from './lags.ts'
import { type Numbered, storyOf } from './steps.ts'
import type { Exchanges, Finding } from './outcome.ts'

const mostRecent = 500

type FaultDetails = Partial<Record<'field', Statement['field']>> & Pick<Statement, 'since'>

const isFirm = (fault: Statement) => promise(fault.promise).strength !== 'usual'

/** One for all sessions: Node 20 copies the value of each storage, also of a session that has ended, to each new promise. */
const storage = new AsyncLocalStorage<CheckLog>()

/** Has the judge see each exchange, and routes what it says to the log of the check that sent it. */
export class CheckLogs implements Observer {
  readonly #judge: ExchangeJudge

  /** The latest exchanges of all checks: the story of a finding is a selection of them. */
  readonly #recent: Numbered[] = []

  /** When the last write of any check was answered. */
  wroteAt: number | undefined

  constructor(onSeen?: OnSeen) {
    this.#judge = new ExchangeJudge(onSeen)
  }

  get current(): CheckLog | undefined {
    return storage.getStore()
  }

  begin(isPatient = false): CheckLog {
    return new CheckLog(this.#recent, this.wroteAt, isPatient)
  }

  run<Result>(log: CheckLog, work: () => Result): Result {
    return storage.run(log, work)
  }

  onRequest = (exchange: Exchange): void => this.#judge.begin(exchange)

  onAnswer: Observer['onAnswer'] = (answer, exchange, foreign) => {
    const { current } = this
    const verdict = this.#judge.end(exchange)
    this.#recent.push({ exchange, began: verdict?.began ?? 0, ended: verdict?.ended ?? 0 })
    if (this.#recent.length > 2 * mostRecent) this.#recent.splice(0, mostRecent)
    const before = current?.wroteAt
    current?.onAnswer(answer, exchange, foreign, verdict)
    if (current?.wroteAt !== before) this.wroteAt = current?.wroteAt
  }

  /** An odd request is not judged. */
  onOddAnswer = (exchange: Exchange & { readonly incoming: Incoming }): void => this.#judge.endOdd(exchange)

  onNoAnswer: Observer['onNoAnswer'] = (exchange, error) => {
    this.#recent.push({ exchange, ...this.#judge.lose(exchange) })
    this.current?.onNoAnswer(exchange, error)
  }

  onTooMany = (exchange: Exchange): void => void this.#judge.lose(exchange)

  observe = (assumption: AssumptionName, choice: string): void => this.current?.observe(assumption, choice)
}

/** Records the requests of a check, and what the judge found in their answers. */
export class CheckLog {
  readonly #faults = new Map<string, Finding>()
  readonly #answers = new Map<OperationId, { successes: number; refusals: number; unlisted: Set<string> }>()
  readonly #observed = new Map<AssumptionName, string>()
  /** How often the judge spoke of each promise. */
  readonly #exercised = new Map<PromiseId, number>()
  readonly #readsAfterWrites = new Set<OperationId>()
  #writes = 0
  #requests = 0
  last: Exchange | undefined
  /** When the last write was answered, and the last one of other checks before this one. */
  wroteAt: number | undefined
  readonly othersWroteAt: number | undefined
  /** The kind of each read with an older value, which a lag may explain, by promise, operation and field. */
  readonly doubtful = new Map<string, LagKind>()

  /** Each read waits until it must show the writes, so that an older value is a fault. */
  readonly #isPatient: boolean

  readonly #recent: readonly Numbered[]

  constructor(recent: readonly Numbered[] = [], othersWroteAt?: number, isPatient = false) {
    this.#recent = recent
    this.#isPatient = isPatient
    this.othersWroteAt = othersWroteAt
  }

  onAnswer(
    { operation, succeeded }: Answer,
    exchange: Exchange,
    foreign: readonly ForeignRecord[],
    { statements = [], unlisted = [] }: Partial<Verdict> = {},
  ): void {
    this.#addExchange(exchange)
    const faults = [
      ...statements.filter(({ holds, mayLag = false }) => !holds && (this.#isPatient || !mayLag)),
      ...foreign.map(({ ownTeam, team }) =>
        state('access.recordsCarryTheirTeam', false, `records of team ${ownTeam}`, `one of ${team}`),
      ),
    ]
    this.#addFaults(operation, faults)
    for (const { promise, field = '', holds, mayLag = false } of statements)
      if (!holds && mayLag) this.doubtful.set(`${promise} ${operation} ${field}`, lagKindOf(operation))
    for (const { promise } of statements) this.#exercised.set(promise, (this.#exercised.get(promise) ?? 0) + 1)
    const known = this.#answers.get(operation) ?? { successes: 0, refusals: 0, unlisted: new Set() }
    this.#answers.set(operation, known)
    if (!faults.some(isFirm)) known[succeeded ? 'successes' : 'refusals']++
    for (const field of unlisted) known.unlisted.add(field.replace(/\[\d+\]/g, '[]'))
  }

  onNoAnswer: Observer['onNoAnswer'] = (exchange, error) => {
    this.#addExchange(exchange)
    if (error.how !== 'cut' && error.how !== 'unreadable') return
    const fault = state('envelope.answersAreJson', false, 'a whole response', error.message)
    this.#addFaults(exchange.operation, [fault])
  }

  observe = (assumption: AssumptionName, choice: string): void => {
    this.#observed.set(assumption, choice)
  }

  #addExchange(exchange: Exchange): void {
    const { request, incoming } = exchange
    this.last = exchange
    this.#requests++
    if (request.method !== 'GET') this.#writes++
    else if ((this.wroteAt ?? this.othersWroteAt) !== undefined) this.#readsAfterWrites.add(exchange.operation)
    if (request.method !== 'GET' && incoming && incoming.status < 400) this.wroteAt = Date.now()
  }

  #addFaults(operation: OperationId, faults: readonly Statement[]): void {
    for (const { promise, expected, actual, field, since } of faults) {
      const name = `${promise} ${operation} ${field ?? expected}`
      if (this.#faults.has(name)) continue
      const [of, words] = field === undefined ? ['', expected] : [`${field} `, JSON.stringify(expected)]
      const shown = field === undefined ? actual : `${of}${JSON.stringify(actual)}`
      this.#faults.set(name, this.finding(promise, `${of}${words}`, shown, { field, since }))
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
  finding(promise: PromiseId, expected: string, actual: string, about: FaultDetails = {}): Finding {
    const { last } = this
    const found = { promise, expected, actual, ...(about.field === undefined ? {} : { field: about.field }) }
    if (!last) return found
    const { operation, incoming } = last
    const answered = incoming ? { answered: `${incoming.status} ${incoming.text}`.trimEnd() } : {}
    const numbered = this.#recent.findLast(({ exchange }) => exchange === last)
    const story = numbered ? storyOf(numbered, this.#recent, about.since) : {}
    return { ...found, operation, ...answered, ...story }
  }

  summary(): Exchanges {
    return {
      faults: [...this.#faults.values()],
      answers: [...this.#answers].map(([operation, { unlisted, ...counts }]) => ({
        operation,
        ...counts,
        unlisted: [...unlisted],
      })),
      exercised: [...this.#exercised].map(([promise, count]) => ({ promise, count })),
      requests: this.#requests,
      observed: [...this.#observed].map(([assumption, choice]) => ({ assumption, choice })),
    }
  }
}
