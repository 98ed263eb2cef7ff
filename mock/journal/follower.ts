import type { Journal } from './journal.ts'
import type { LogEntry } from './entries.ts'

/** A new request, or the number of missed requests. */
type Came = { readonly entry: LogEntry } | { readonly missed: number }

/**
 * Reads new requests one after another. It stores only its position, so it misses requests that the journal drops
 * before they are read.
 */
export class Follower implements AsyncIterableIterator<Came> {
  readonly #journal: Journal
  #place: number
  #isOver = false
  #wake: (() => void) | undefined

  constructor(journal: Journal) {
    this.#journal = journal
    this.#place = journal.next
  }

  async next(): Promise<IteratorResult<Came, undefined>> {
    const journal = this.#journal
    while (!this.#isOver && !journal.isClosed) {
      const missed = journal.first - this.#place
      if (missed > 0) {
        this.#place = journal.first
        return { done: false, value: { missed } }
      }
      const entry = journal.get(this.#place)
      if (entry) {
        this.#place++
        return { done: false, value: { entry } }
      }
      await this.#untilNext()
    }
    return over
  }

  async return(): Promise<IteratorResult<Came, undefined>> {
    this.#isOver = true
    if (this.#wake) this.#journal.forget(this.#wake)
    this.#wake?.()
    return over
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #untilNext(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      this.#journal.onNext(resolve)
    })
  }
}

const over = { done: true, value: undefined } as const
