/** Lets one check run at a time. While it waits for its reads to follow its writes, others run. */
export class Turns {
  /** Those that have waited go before those that have not begun. */
  readonly #returning: (() => void)[] = []
  readonly #starting: (() => void)[] = []
  #isTaken = false

  async take(): Promise<void> {
    if (this.#isTaken) await new Promise<void>((begin) => this.#starting.push(begin))
    this.#isTaken = true
  }

  pass(): void {
    const next = this.#returning.shift() ?? this.#starting.shift()
    if (next) next()
    else this.#isTaken = false
  }

  /** Lets others run until the time is over. */
  async passDuring(wait: Promise<void>): Promise<void> {
    this.pass()
    await wait
    if (this.#isTaken) await new Promise<void>((go) => this.#returning.push(go))
    this.#isTaken = true
  }
}
