import type { Answer } from './answer.ts'
import type { Caller } from './target/credentials.ts'
import type { Target } from './target/target.ts'
import type { Unanswered } from './transport.ts'

/** Why a run sends nothing more. */
export interface Stopped {
  readonly reason: string
  /** The server gave no answer at all. */
  readonly unreachable: boolean
}

/**
 * Decides when a run gives up: when the server does not answer and, on a service that others share, at the first signs
 * that the run does harm.
 */
export class Stop {
  readonly #shared: boolean
  readonly #host: string
  readonly #accepted = new Set<Caller>()
  #failures = 0
  #silences = 0
  #withoutJson = 0
  stopped: Stopped | undefined

  constructor({ loopback, host }: Target) {
    this.#shared = !loopback
    this.#host = host
  }

  onNoAnswer({ message }: Unanswered): void {
    if (++this.#silences < 3) return
    this.stopped = { reason: `${this.#host} gives no answers: ${message}`, unreachable: true }
  }

  onAnswer(answer: Answer, caller: Caller, showsForeignRecords: boolean): void {
    this.#silences = 0
    this.#withoutJson = answer.body === undefined ? this.#withoutJson + 1 : 0
    if (this.#withoutJson >= 20) this.now(`${this.#host} answers, but not with JSON: it may not be the service at all`)
    if (this.#shared) this.#watchForHarm(answer, caller, showsForeignRecords)
  }

  /** Keeps the first reason. */
  now(reason: string): void {
    this.stopped ??= { reason, unreachable: false }
  }

  #watchForHarm(answer: Answer, caller: Caller, showsForeignRecords: boolean): void {
    if (showsForeignRecords) this.now('stopped, since an answer showed a record of another team')
    if (answer.succeeded) this.#accepted.add(caller)
    if (answer.status >= 500 && ++this.#failures >= 3) this.now('stopped after three answers with 5xx')
    if (answer.status === 401 && this.#accepted.has(caller)) {
      this.now('stopped, since a credential that was accepted no longer is')
    }
  }
}
