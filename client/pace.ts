import { sleep } from './sleep.ts'

/** Lets requests leave one after the other, at most so many a second, and fewer while the server takes no more. */
export class Pace {
  readonly #usual: number
  #gap: number
  #next = 0
  #heldUntil = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(requestsASecond: number) {
    this.#usual = 1000 / requestsASecond
    this.#gap = this.#usual
  }

  /** Whether a request may leave at once, beside others. */
  get isFree(): boolean {
    return this.#gap === 0 && this.#heldUntil <= Date.now()
  }

  /** An abort ends the waiting, not what `act` does. */
  async run<Value>(act: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    if (this.isFree) return act()
    const turn = this.#last.then(async () => {
      await this.wait(signal)
      return act()
    })
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Waits until the next request may leave, whatever became of those before: several may be on their way at once. */
  async wait(signal?: AbortSignal): Promise<void> {
    while (!this.isFree && !signal?.aborted) {
      const start = Math.max(this.#next, this.#heldUntil)
      this.#next = Math.max(start, Date.now()) + this.#gap
      await sleep(start - Date.now(), signal)
      if (this.#heldUntil <= Date.now()) return
    }
  }

  /** Lets nothing leave for some milliseconds. */
  hold(milliseconds: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, Date.now() + milliseconds)
  }

  /** Lets nothing leave for some milliseconds, and halves the pace: to at most ten requests a second, at least one. */
  holdBack(milliseconds: number): void {
    // Requests that were on their way together are refused together, and count once.
    if (this.#heldUntil <= Date.now()) this.#gap = Math.max(this.#gap, Math.min(Math.max(2 * this.#gap, 100), 1000))
    this.hold(milliseconds)
  }

  /** Shortens the gap by a tenth, down to the initial one. */
  speedUp(): void {
    if (this.#gap === this.#usual) return
    const gap = 0.9 * this.#gap
    this.#gap = gap < Math.max(this.#usual, 1) ? this.#usual : gap
  }
}

/** Milliseconds to wait, from a Retry-After in seconds or as a date. */
export function readRetryAfter(retryAfter: unknown): number | undefined {
  if (typeof retryAfter !== 'string') return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0) * 1000
}
