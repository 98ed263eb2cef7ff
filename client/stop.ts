import type { Answer } from './answer.ts'
import type { As } from './exchange.ts'
import type { Stopped } from '../contracts/judge/outcome.ts'
import type { Target } from './target/target.ts'
import type { Unanswered } from './transport.ts'

/**
 * When a run gives up. Wherever it is, when there is nobody to talk to; and on a service that others share, at the first
 * signs that it does harm.
 */
export class Stop {
  readonly #shared: boolean
  readonly #host: string
  readonly #opened = new Set<As>()
  #failures = 0
  #silences = 0
  #noJson = 0
  stopped: Stopped | undefined

  constructor({ loopback, host }: Target) {
    this.#shared = !loopback
    this.#host = host
  }

  unanswered({ message }: Unanswered): void {
    if (++this.#silences < 3) return
    this.stopped = { reason: `${this.#host} gives no answers: ${message}`, unreachable: true }
  }

  /** `foreign`: it shows a record of another team than the answers before. */
  answered(answer: Answer, who: As, foreign: boolean): void {
    this.#silences = 0
    this.#noJson = answer.body === undefined ? this.#noJson + 1 : 0
    if (this.#noJson >= 20) this.now(`${this.#host} answers, but not with JSON: it may not be the service at all`)
    if (this.#shared) this.#watch(answer, who, foreign)
  }

  /** The first reason is the one that is told. */
  now(reason: string): void {
    this.stopped ??= { reason, unreachable: false }
  }

  #watch(answer: Answer, who: As, foreign: boolean): void {
    if (foreign) this.now('stopped, since an answer held a record of another team')
    if (answer.succeeded) this.#opened.add(who)
    if (answer.status >= 500 && ++this.#failures >= 3) this.now('stopped after three answers with 5xx')
    if (answer.status === 401 && this.#opened.has(who)) this.now('stopped, since a credential no longer opens')
  }
}
