import type { Journal } from './journal.ts'
import type { Noted } from './noted.ts'

/** A request that came, or how many were missed since the one before. */
type Came = { readonly noted: Noted } | { readonly missed: number }

/**
 * Reads the requests that come, one after another. It keeps nothing but its place: what is dropped from the journal before
 * it was read is missed.
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
      const noted = journal.get(this.#place)
      if (noted) {
        this.#place++
        return { done: false, value: { noted } }
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
