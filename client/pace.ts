import { sleep } from './sleep.ts'
import type { Incoming } from './transport.ts'

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

  /**
   * Lets nothing leave for some milliseconds after a refusal, and slows down: to at most twenty requests a second, at
   * least one. Without a limit of its own a run halves its pace only for a request that is refused again: where
   * refusals come by chance, a slower pace prevents none.
   */
  holdBack(milliseconds: number, isAgain: boolean): void {
    const gap = isAgain || this.#usual > 0 ? 2 * this.#gap : this.#gap
    // Requests that were on their way together are refused together, and count once.
    if (this.#heldUntil <= Date.now()) this.#gap = Math.max(this.#gap, Math.min(Math.max(gap, 50), 1000))
    this.hold(milliseconds)
  }

  /** Shortens the gap by a fifth, down to the initial one. */
  speedUp(): void {
    if (this.#gap === this.#usual) return
    const gap = 0.8 * this.#gap
    this.#gap = gap < Math.max(this.#usual, 1) ? this.#usual : gap
  }
}

/** Milliseconds to wait, from a Retry-After in seconds, or as a date by the clock of the server. */
export function readRetryAfter({ 'retry-after': given, date }: Incoming['headers']): number | undefined {
  const [retryAfter = ''] = [given].flat()
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return 1000 * Number(retryAfter)
  const now = Date.parse(String(date))
  const wait = Date.parse(retryAfter) - (Number.isNaN(now) ? Date.now() : now)
  return Number.isNaN(wait) || !retryAfter.includes(':') ? undefined : Math.max(wait, 0)
}
