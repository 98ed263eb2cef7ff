import { refuse } from './refusals.ts'

/** Each wait reads records again after each change. */
const mostSubscribers = 100

/** Tells subscribers about changes of one subject, such as a team, or of all subjects: once per tick. */
export class Changes {
  /** By subject; `undefined` stands for all subjects. */
  readonly #subscribers = new Map<string | undefined, Set<() => void>>()
  readonly #due = new Set<() => void>()
  #isClosed = false

  get isClosed(): boolean {
    return this.#isClosed
  }

  notify(subject: string | undefined): void {
    if (this.#subscribers.size === 0) return
    if (this.#due.size === 0)
      setImmediate(() => {
        this.#callDue()
      })
    for (const one of new Set([subject, undefined]))
      for (const subscriber of this.#subscribers.get(one) ?? []) this.#due.add(subscriber)
  }

  notifyAll(): void {
    for (const subject of this.#subscribers.keys()) this.notify(subject)
  }

  /** Ends all waits. */
  close(): void {
    this.#isClosed = true
    for (const subscribers of [...this.#subscribers.values()]) for (const subscriber of [...subscribers]) subscriber()
  }

  /** Returns the function that ends the subscription. */
  subscribe(subject: string | undefined, subscriber: () => void): () => void {
    const subscribers = this.#subscribers.get(subject) ?? new Set()
    if (subscribers.size >= mostSubscribers)
      refuse(`${mostSubscribers} requests wait for ${subject ?? 'all teams'} already; let some of them end first`)
    this.#subscribers.set(subject, subscribers.add(subscriber))
    return () => {
      subscribers.delete(subscriber)
      this.#due.delete(subscriber)
      if (subscribers.size === 0) this.#subscribers.delete(subject)
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

  #callDue(): void {
    const due = [...this.#due]
    this.#due.clear()
    for (const subscriber of due) subscriber()
  }
}
