import { refuse } from './refusals.ts'

/** Each wait reads records again after each change. */
const mostSubscribers = 100

interface Subscriber {
  /** Such as the id of a team; undefined for all subjects. */
  readonly subject: string | undefined
  readonly call: () => void
}

/** Tells subscribers about changes of one subject, such as a team, or of all subjects: once per tick. */
export class Changes {
  readonly #subscribers = new Set<Subscriber>()
  readonly #due = new Set<Subscriber>()
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  notify(changed: string | undefined): void {
    this.#schedule(({ subject }) => subject === undefined || subject === changed)
  }

  notifyAll(): void {
    this.#schedule(() => true)
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true
    for (const { call } of [...this.#subscribers]) call()
  }

  /** Returns the function that ends the subscription. */
  subscribe(subject: string | undefined, call: () => void): () => void {
    const waiting = [...this.#subscribers].filter((one) => one.subject === subject)
    if (waiting.length >= mostSubscribers)
      refuse(`${mostSubscribers} requests wait for ${subject ?? 'all teams'} already; let some of them end first`)
    const subscriber = { subject, call }
    this.#subscribers.add(subscriber)
    return () => {
      this.#subscribers.delete(subscriber)
      this.#due.delete(subscriber)
    }
  }

  /** Calls `read` now and after each change, until it finds something or the time is over. Returns the last result. */
  async until<Result>(
    subject: string | undefined,
    milliseconds: number,
    read: () => Result | Promise<Result>,
    isFound: (result: Result) => boolean,
  ): Promise<Result> {
    if (milliseconds === 0) return read()
    let isOver = false as boolean
    let wake: () => void = () => undefined
    const unsubscribe = this.subscribe(subject, () => {
      wake()
    })
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
        const result = await read()
        if (isFound(result) || isOver || this.#isClosed) return result
        await changed
      }
    } finally {
      clearTimeout(timer)
      unsubscribe()
    }
  }

  #schedule(isConcerned: (subscriber: Subscriber) => boolean): void {
    for (const subscriber of this.#subscribers) {
      if (!isConcerned(subscriber)) continue
      if (this.#due.size === 0)
        setImmediate(() => {
          this.#callDue()
        })
      this.#due.add(subscriber)
    }
  }

  #callDue(): void {
    const due = [...this.#due]
    this.#due.clear()
    for (const { call } of due) call()
  }
}
