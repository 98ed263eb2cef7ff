import type { AssumptionName } from '../../spec/assumptions.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { curlOf, type Exchange } from '../../client/exchange.ts'
import type { Fault } from './faults-of-an-answer.ts'
import type { Answered, Finding, Observed } from './outcome.ts'

/** What was seen during one check. */
export class Seen {
  readonly #faults = new Map<string, Finding>()
  readonly #answers = new Map<OperationId, { successes: number; refusals: number; unlisted: Set<string> }>()
  readonly #observed = new Map<AssumptionName, string>()
  readonly #asked: string[] = []
  #last: Exchange | undefined

  exchange(exchange: Exchange): void {
    const { request, answer } = exchange
    this.#last = exchange
    this.#asked.push(`${request.method} ${new URL(request.url).pathname} ${answer?.status ?? 'no answer'}`)
  }

  faults(operation: OperationId, faults: readonly Fault[]): void {
    for (const { promise, expected, actual } of faults) {
      const name = `${promise} ${operation} ${expected}`
      if (!this.#faults.has(name)) this.#faults.set(name, this.finding(promise, expected, actual))
    }
  }

  answered(operation: OperationId, succeeded: boolean, faultless: boolean, unlisted: readonly string[]): void {
    const known = this.#answers.get(operation) ?? { successes: 0, refusals: 0, unlisted: new Set() }
    this.#answers.set(operation, known)
    if (faultless) known[succeeded ? 'successes' : 'refusals']++
    for (const field of unlisted) known.unlisted.add(field.replace(/\[\d+\]/g, '[]'))
  }

  observe(assumption: AssumptionName, choice: string): void {
    this.#observed.set(assumption, choice)
  }

  /** Something that is wrong with what was asked last. */
  finding(promise: PromiseId, expected: string, actual: string): Finding {
    const last = this.#last
    return {
      promise,
      expected,
      actual,
      ...(last ? { operation: last.operation, curl: curlOf(last), asked: this.#asked.slice(-12) } : {}),
    }
  }

  all(): { faults: readonly Finding[]; answers: readonly Answered[]; observed: readonly Observed[] } {
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
