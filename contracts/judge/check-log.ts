import type { Answer } from '../../client/answer.ts'
import { type Exchange, toCurl } from '../../client/exchange.ts'
import type { AssumptionName } from '../../spec/assumptions.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Fault, Inspection } from './faults-of-an-answer.ts'
import { keep } from './keep.ts'
import type { CheckResult, Finding } from './outcome.ts'

/** What happened during one check. */
export class CheckLog {
  readonly #faults = new Map<string, Finding>()
  readonly #answers = new Map<OperationId, { successes: number; refusals: number; unlisted: Set<string> }>()
  readonly #observed = new Map<AssumptionName, string>()
  readonly #asked: string[] = []
  #last: Exchange | undefined
  /** Something was written. */
  wrote = false

  addExchange(exchange: Exchange): void {
    const { request, incoming } = exchange
    this.#last = exchange
    if (request.method !== 'GET' && incoming && incoming.status < 400) this.wrote = true
    this.#asked.push(`${request.method} ${new URL(request.url).pathname} ${incoming?.status ?? 'no answer'}`)
  }

  addFaults(operation: OperationId, faults: readonly Fault[]): void {
    for (const { promise, expected, actual } of faults) {
      const name = `${promise} ${operation} ${expected}`
      if (!this.#faults.has(name)) this.#faults.set(name, this.finding(promise, expected, actual))
    }
  }

  addAnswer({ operation, succeeded }: Answer, { faults, unlisted }: Inspection): void {
    const known = this.#answers.get(operation) ?? { successes: 0, refusals: 0, unlisted: new Set() }
    this.#answers.set(operation, known)
    if (faults.length === 0) known[succeeded ? 'successes' : 'refusals']++
    for (const field of unlisted) known.unlisted.add(field.replace(/\[\d+\]/g, '[]'))
  }

  addChoice(assumption: AssumptionName, choice: string): void {
    this.#observed.set(assumption, choice)
  }

  /** The status of the last answer. */
  get lastStatus(): number | undefined {
    return this.#last?.incoming?.status
  }

  /** The text of the last request. */
  get lastRequest(): string {
    const { url = '', body = '' } = this.#last?.request ?? {}
    return `${decodeURIComponent(url)} ${String(body)}`
  }

  /** Something that is wrong with the last answer. */
  finding(promise: PromiseId, expected: string, actual: string): Finding {
    const last = this.#last
    return {
      promise,
      expected,
      actual,
      ...(last
        ? { operation: last.operation, ...answered(last), curl: toCurl(last), asked: this.#asked.slice(-12) }
        : {}),
    }
  }

  summary(): Pick<CheckResult, 'faults' | 'answers' | 'observed' | 'wrote'> {
    return {
      wrote: this.wrote,
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

function answered({ incoming }: Exchange): Pick<Finding, 'answered'> {
  return incoming ? { answered: `${incoming.status} ${keep(incoming.text)}`.trimEnd() } : {}
}
