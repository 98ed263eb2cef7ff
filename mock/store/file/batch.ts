import { setImmediate } from 'node:timers/promises'
import type { Happened } from './happened.ts'

// Milliseconds.
const longestLull = 0.5
const longestWait = 10

/** Changes that become safe together, or not at all. */
export class Batch {
  readonly all: Happened[] = []
  readonly safe: Promise<void>
  readonly #takeBacks: ((error: Error) => void)[] = []
  #resolve: () => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  constructor() {
    this.safe = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  add(happened: Happened, takeBack: (error: Error) => void): void {
    this.all.push(happened)
    this.#takeBacks.push(takeBack)
  }

  /**
   * Waits as long as each turn of the event loop brings more, and a moment longer while there are fewer than in the last
   * batch: the same clients come again once they were answered. A sync costs as much as several requests.
   */
  async gathered(lastSize: number): Promise<void> {
    const start = performance.now()
    let size = 0
    let grewAt = start
    for (let now = start; now - start < longestWait; now = performance.now()) {
      if (this.all.length > size) grewAt = now
      else if (size >= lastSize || now - grewAt > longestLull) return
      size = this.all.length
      await setImmediate()
    }
  }

  resolve(): void {
    this.#resolve()
  }

  /** The latest first. */
  takeBack(error: Error): void {
    for (const takeBack of this.#takeBacks.toReversed()) takeBack(error)
  }

  reject(error: Error): void {
    this.#reject(error)
  }
}
