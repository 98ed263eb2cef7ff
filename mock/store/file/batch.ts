import type { Happened } from './happened.ts'

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
