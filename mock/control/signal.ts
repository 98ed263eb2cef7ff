import { refuse } from './refusals.ts'

/** Each wait takes memory until it ends. */
const mostWaits = 1_000

/** Wakes those who wait until something has changed. */
export class Signal {
  readonly #waits = new Set<Wait>()
  #isClosed = false

  get isAwaited(): boolean {
    return this.#waits.size > 0
  }

  /** Something has changed. */
  tell(): void {
    for (const wait of this.#waits) wait.wake()
  }

  /** Nothing changes any more, so nobody waits any longer. */
  close(): void {
    this.#isClosed = true
    this.tell()
  }

  /** Looks at once and after each change, until something is found or the time is over. Gives what it saw last. */
  async until<Result>(
    look: () => Result | Promise<Result>,
    isFound: (result: Result) => boolean,
    milliseconds: number,
  ): Promise<Result> {
    if (this.#waits.size >= mostWaits) refuse(`${mostWaits} requests wait already; let some of them end first`)
    const wait = new Wait(milliseconds)
    this.#waits.add(wait)
    try {
      for (;;) {
        const changed = wait.forChange() // before the look, which then misses no change
        const result = await look()
        if (isFound(result) || wait.isOver || this.#isClosed) return result
        await changed
      }
    } finally {
      wait.end()
      this.#waits.delete(wait)
    }
  }
}

class Wait {
  isOver = false
  wake: () => void = () => undefined
  readonly #timer: NodeJS.Timeout

  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => {
      this.isOver = true
      this.wake()
    }, milliseconds)
  }

  forChange(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
