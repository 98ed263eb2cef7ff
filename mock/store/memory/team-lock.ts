/** A fair lock: one transaction alone or several reads together, in the order of the calls. */
export class TeamLock {
  readonly #waiting: Waiting[] = []
  #isInTransaction = false
  #reads = 0

  /** Undefined when the read may start at once, which saves a tick. */
  startRead(): Promise<void> | undefined {
    if (this.#isInTransaction || this.#waiting.length > 0) return this.#wait(true)
    this.#reads++
    return undefined
  }

  endRead(): void {
    this.#reads--
    this.#startWaiting()
  }

  /** Undefined when the transaction may start at once. */
  startTransaction(): Promise<void> | undefined {
    if (this.#isInTransaction || this.#reads > 0) return this.#wait(false)
    this.#isInTransaction = true
    return undefined
  }

  endTransaction(): void {
    this.#isInTransaction = false
    this.#startWaiting()
  }

  #wait(isRead: boolean): Promise<void> {
    return new Promise((start) => this.#waiting.push({ isRead, start }))
  }

  #startWaiting(): void {
    for (let [next] = this.#waiting; next && this.#mayStart(next); [next] = this.#waiting) {
      this.#waiting.shift()
      if (next.isRead) this.#reads++
      else this.#isInTransaction = true
      next.start()
    }
  }

  #mayStart({ isRead }: Waiting): boolean {
    return !this.#isInTransaction && (isRead || this.#reads === 0)
  }
}

interface Waiting {
  readonly isRead: boolean
  readonly start: () => void
}
