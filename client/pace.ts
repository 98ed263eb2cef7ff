/** Lets requests leave one after the other, at most so many a second. */
export class Pace {
  readonly #gap: number
  #next = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(requestsASecond: number) {
    this.#gap = 1000 / requestsASecond
  }

  /** Without a limit nothing waits. */
  async run<Value>(act: () => Promise<Value>): Promise<Value> {
    if (this.#gap === 0) return act()
    const turn = this.#last.then(async () => {
      await sleep(this.#next - Date.now())
      this.#next = Date.now() + this.#gap
      return act()
    })
    this.#last = turn.catch(() => undefined)
    return turn
  }
}

export async function sleep(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Milliseconds to wait, from a Retry-After in seconds or as a date; at most a minute. */
export function readRetryAfter(retryAfter: unknown): number | undefined {
  if (typeof retryAfter !== 'string') return undefined
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), 60) * 1000
}
