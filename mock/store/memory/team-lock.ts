/** Lets one turn run alone, or several reads together, in the order in which they were asked for: so nobody starves. */
export class TeamLock {
  readonly #waiting: Waiting[] = []
  #isInTurn = false
  #reads = 0

  /** Undefined when the read may start at once. */
  startRead(): Promise<void> | undefined {
    if (this.#isInTurn || this.#waiting.length > 0) return this.#wait(true)
    this.#reads++
    return undefined
  }

  endRead(): void {
    this.#reads--
    this.#startWaiting()
  }

  /** Undefined when the turn may start at once. */
  startTurn(): Promise<void> | undefined {
    if (this.#isInTurn || this.#reads > 0) return this.#wait(false)
    this.#isInTurn = true
    return undefined
  }

  endTurn(): void {
    this.#isInTurn = false
    this.#startWaiting()
  }

  #wait(isRead: boolean): Promise<void> {
    return new Promise((start) => this.#waiting.push({ isRead, start }))
  }

  #startWaiting(): void {
    for (let [next] = this.#waiting; next && this.#mayStart(next); [next] = this.#waiting) {
      this.#waiting.shift()
      if (next.isRead) this.#reads++
      else this.#isInTurn = true
      next.start()
    }
  }

  #mayStart({ isRead }: Waiting): boolean {
    return !this.#isInTurn && (isRead || this.#reads === 0)
  }
}

interface Waiting {
  readonly isRead: boolean
  readonly start: () => void
}
