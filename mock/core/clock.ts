/** The time, passed as a parameter, so that a test or the control plane can set it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that follows a base clock until it is set, stopped or moved. */
export class SteeredClock implements Clock {
  readonly #base: Clock
  #ahead = 0
  #stoppedAt: number | undefined
  #restarts = 0

  constructor(base: Clock) {
    this.#base = base
  }

  now(): number {
    return this.#stoppedAt ?? this.#base.now() + this.#ahead
  }

  get isStopped(): boolean {
    return this.#stoppedAt !== undefined
  }

  /** The number of resets to the base clock. */
  get restarts(): number {
    return this.#restarts
  }

  stopAt(time: number): void {
    this.#stoppedAt = time
  }

  goOnFrom(time: number): void {
    this.#stoppedAt = undefined
    this.#ahead = time - this.#base.now()
  }

  /** Resets to the base clock. */
  restart(): void {
    this.#stoppedAt = undefined
    this.#ahead = 0
    this.#restarts++
  }
}
