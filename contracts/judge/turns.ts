/** Lets so many checks run at a time. While one waits for its reads to follow its writes, others run. */
export class Turns {
  readonly #width: number
  /** Those that begin once all others have ended, and no two at a time. */
  readonly #last: (() => void)[] = []
  readonly #starting: (() => void)[] = []
  /** Those that have waited go before those that have not begun. */
  readonly #returning: (() => void)[] = []
  /** Those that have to be alone go first. */
  readonly #alone: (() => void)[] = []
  #running = 0
  #waiting = 0
  #isAlone = false

  constructor(width: number) {
    this.#width = width
  }

  async take(isLast = false): Promise<void> {
    await this.#queue(isLast ? this.#last : this.#starting)
  }

  pass(): void {
    this.#running--
    this.#isAlone = false
    this.#startNext()
  }

  /** From now until it passes, no other runs. */
  async beAlone(): Promise<void> {
    if (this.#isAlone) return
    this.#running--
    await this.#queue(this.#alone)
  }

  /** Lets others run until the time is over. */
  async passDuring(wait: Promise<void>): Promise<void> {
    this.#waiting++
    this.pass()
    await wait
    this.#waiting--
    await this.#queue(this.#returning)
  }

  async #queue(queue: (() => void)[]): Promise<void> {
    const turn = new Promise<void>((begin) => queue.push(begin))
    this.#startNext()
    await turn
  }

  #startNext(): void {
    for (;;) {
      if (this.#isAlone || this.#running >= this.#width) return
      const others = this.#returning.length > 0 ? this.#returning : this.#starting
      const isOver = this.#waiting === 0 && others.length === 0
      const isAlone = this.#alone.length > 0 || (isOver && this.#last.length > 0)
      if (isAlone && this.#running > 0) return
      const next = (isAlone ? (this.#alone.shift() ?? this.#last.shift()) : others.shift()) as (() => void) | undefined
      if (!next) return
      this.#isAlone = isAlone
      this.#running++
      next()
    }
  }
}
