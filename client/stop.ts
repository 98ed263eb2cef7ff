import type { Answer } from './answer.ts'
import type { Caller } from './target/credentials.ts'
import type { Target } from './target/target.ts'
import type { Unanswered } from './transport.ts'

/** A server that asks for a longer wait gets no more requests. */
const longestWait = 60_000

/** So long a run waits in all where it is refused and not told how long to wait: an hour. */
const longestUntold = 3_600_000

/** Why a run sends nothing more. */
export interface Stopped {
  readonly reason: string
  /** The server gave no answer at all, or the run itself failed: nothing is said about the server. */
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
  readonly #controller = new AbortController()
  /** Resolves when the run stops, and never if it does not. */
  readonly happens: Promise<Stopped>
  #failures = 0
  #silences = 0
  #refusalsByRate = 0
  #untoldWait = 0
  #withoutJson = 0
  /** The 503 in a row, and the milliseconds that they asked to wait. */
  #unavailable = { answers: 0, wait: 0 }
  #stopped: Stopped | undefined

  constructor({ loopback, host }: Target) {
    this.#shared = !loopback
    this.#host = host
    this.happens = new Promise((resolve) => {
      this.signal.addEventListener('abort', () => {
        if (this.#stopped) resolve(this.#stopped)
      })
    })
  }

  get stopped(): Stopped | undefined {
    return this.#stopped
  }

  /** Aborts when the run stops, so that nothing waits any longer. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  onNoAnswer({ message }: Unanswered): void {
    if (++this.#silences >= 3) this.#stop({ reason: `${this.#host} gives no answers: ${message}`, unreachable: true })
  }

  /** Stops when the server asks for more milliseconds than a run waits. */
  isTooLong(wait = 0): boolean {
    const isTooLong = wait > longestWait
    const seconds = Math.ceil(wait / 1000)
    if (isTooLong) this.now(`${this.#host} asks to wait ${seconds} seconds (Retry-After): run again after that`)
    return isTooLong
  }

  /** Stops when nothing but 503 comes, however short a wait each asks for. */
  onUnavailable(wait = 0): void {
    this.#unavailable = { answers: this.#unavailable.answers + 1, wait: this.#unavailable.wait + wait }
    if (this.#unavailable.answers >= 20 || this.#unavailable.wait > longestWait)
      this.now(`${this.#host} is not available (503): run again later`)
  }

  onAvailable(): void {
    this.#unavailable = { answers: 0, wait: 0 }
  }

  /** A request was refused by rate, again and again. */
  onRefusalByRate(): void {
    if (++this.#refusalsByRate >= 3) this.#tooBusy()
  }

  /** Stops when such waits add up to too much, although each of them was short. */
  onUntoldWait(milliseconds: number): void {
    this.#untoldWait += milliseconds
    if (this.#untoldWait > longestUntold) this.#tooBusy()
  }

  onAnswer(answer: Answer, caller: Caller, showsForeignRecords: boolean): void {
    this.#silences = 0
    this.#refusalsByRate = 0
    this.#withoutJson = answer.body === undefined ? this.#withoutJson + 1 : 0
    if (this.#withoutJson >= 20) this.now(`${this.#host} answers, but not with JSON: it may not be the service at all`)
    if (this.#shared) this.#watchForHarm(answer, caller, showsForeignRecords)
  }

  /** Keeps the first reason. */
  now(reason: string): void {
    this.#stop({ reason, unreachable: false })
  }

  /** The run cannot go on, through no fault of the server. */
  failed(reason: string): void {
    this.#stop({ reason: reason.replace(/\.$/, ''), unreachable: true })
  }

  #stop(stopped: Stopped): void {
    this.#stopped ??= stopped
    this.#controller.abort()
  }

  #tooBusy(): void {
    this.now(`${this.#host} takes no more requests for now (429): run again later`)
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
