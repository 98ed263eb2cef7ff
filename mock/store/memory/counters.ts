import type { Count } from '../port.ts'

interface Counter {
  readonly until: number
  times: number
}

const fewestDropped = 1_000

/** Counts things until a time that each counter has, and then anew. */
export class Counters {
  readonly #counters = new Map<string, Counter>()
  #dropAt = fewestDropped

  get size(): number {
    return this.#counters.size
  }

  add(name: string, now: number, until: number): Count {
    const known = this.#counters.get(name)
    const counter = known && now < known.until && known.until <= until ? known : this.#begin(name, now, until)
    counter.times++
    return { ...counter }
  }

  #begin(name: string, now: number, until: number): Counter {
    if (this.#counters.size >= this.#dropAt) this.#dropExpired(now)
    const counter = { until, times: 0 }
    this.#counters.set(name, counter)
    return counter
  }

  /** Not before there are twice as many as were left the last time: so each counter is looked at a few times at most. */
  #dropExpired(now: number): void {
    for (const [name, { until }] of this.#counters) if (until <= now) this.#counters.delete(name)
    this.#dropAt = Math.max(fewestDropped, 2 * this.#counters.size)
  }
}
