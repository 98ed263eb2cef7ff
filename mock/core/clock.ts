/** The time, passed in wherever it is needed, so that a test or the control plane can set it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** The clock's time as text, formatted once per millisecond. */
export class Timestamps {
  readonly #clock: Clock
  #time = NaN
  #written = ''

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): string {
    const time = this.#clock.now()
    if (time !== this.#time) {
      this.#time = time
      this.#written = new Date(time).toISOString()
    }
    return this.#written
  }
}
