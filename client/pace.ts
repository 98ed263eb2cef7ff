import { sleep } from './sleep.ts'

/** Lets requests leave one after the other, at most so many a second. */
export class Pace {
  readonly #usual: number
  #gap: number
  #next = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(requestsASecond: number) {
    this.#usual = 1000 / requestsASecond
    this.#gap = this.#usual
  }

  get isUnlimited(): boolean {
    return this.#gap === 0
  }

  /** Without a limit nothing waits. An abort ends the waiting, not what `act` does. */
  async run<Value>(act: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    if (this.isUnlimited) return act()
    const turn = this.#last.then(async () => {
      await sleep(this.#next - Date.now(), signal)
      this.#next = Date.now() + this.#gap
      return act()
    })
    this.#last = turn.catch(() => undefined)
    return turn
  }

  /** Waits until the next request may leave, whatever became of those before: several may be on their way at once. */
  async wait(signal?: AbortSignal): Promise<void> {
    if (this.isUnlimited) return
    const start = Math.max(this.#next, Date.now())
    this.#next = start + this.#gap
    await sleep(start - Date.now(), signal)
  }

  /** A little faster again, up to the pace of the beginning. */
  speedUp(): void {
    if (this.#gap === this.#usual) return
    const gap = 0.95 * this.#gap
    this.#gap = gap < Math.max(this.#usual, 1) ? this.#usual : gap
  }

  /** Half as fast from now on, but for one request a second: at most ten. */
  slowDown(): void {
    this.#gap = Math.max(this.#gap, Math.min(Math.max(2 * this.#gap, 100), 1000))
  }
}

/** Milliseconds to wait, from a Retry-After in seconds or as a date. */
export function readRetryAfter(retryAfter: unknown): number | undefined {
  if (typeof retryAfter !== 'string') return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0) * 1000
}
