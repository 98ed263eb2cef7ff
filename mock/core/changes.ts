import { setImmediate } from 'node:timers/promises'
import { reject, RejectedNow } from './rejections.ts'

/** Each wait reads records again after each change. */
const mostSubscribers = 100

interface Subscriber {
  /** Such as the id of a team; undefined for all subjects. */
  readonly subject: string | undefined
  readonly call: () => void
}

/** Tells subscribers about changes of one subject, such as a team, or of all subjects. */
export class ChangeSubscriptions {
  /** Whether there are subscribers. A field, since every request reads it. */
  isObserved = false
  readonly #subscribers = new Set<Subscriber>()
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  notify(changed: string | undefined): void {
    for (const { subject, call } of this.#subscribers) if (subject === undefined || subject === changed) call()
  }

  notifyAll(): void {
    for (const { call } of this.#subscribers) call()
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true
    this.notifyAll()
  }

  /** Refuses a wait that ended without a result. */
  refuseLate(sentence: string): never {
    throw new RejectedNow(409, this.#isClosed ? 'The sandbox was closed' : sentence)
  }

  /** Returns the function that ends the subscription. */
  subscribe(subject: string | undefined, call: () => void): () => void {
    const waiting = [...this.#subscribers].filter((one) => one.subject === subject)
    if (waiting.length >= mostSubscribers)
      reject(`${mostSubscribers} requests wait for ${subject ?? 'all teams'} already; let some of them end first`)
    const subscriber = { subject, call }
    this.#subscribers.add(subscriber)
    this.isObserved = true
    return () => {
      this.#subscribers.delete(subscriber)
      this.isObserved = this.#subscribers.size > 0
    }
  }

  /** Calls `read` now and after changes, until it finds something or the time is over. Returns the last result. */
  async until<Result>(
    subject: string | undefined,
    milliseconds: number,
    read: () => Result | Promise<Result>,
    isFound: (result: Result) => boolean,
  ): Promise<Result> {
    if (milliseconds === 0) return read()
    let wake: () => void = () => undefined
    let isOver = false as boolean
    const unsubscribe = this.subscribe(subject, () => wake())
    const timer = setTimeout(() => {
      isOver = true
      wake()
    }, milliseconds)
    try {
      for (;;) {
        // Created before the read, so that no change is missed.
        const changed = new Promise<void>((resolve) => {
          wake = resolve
        })
        const isLast = isOver || this.#isClosed
        const result = await read()
        if (isFound(result) || isLast) return result
        await changed
        await setImmediate() // so that one read follows several changes
      }
    } finally {
      clearTimeout(timer)
      unsubscribe()
    }
  }
}
