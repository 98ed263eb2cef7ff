import type { Clock } from './clock.ts'

/** A clock that goes as another does, until it is set, stopped or moved. */
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

  /** How often it has begun to go as the other again. */
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

  /** Goes as the other does again. */
  restart(): void {
    this.#stoppedAt = undefined
    this.#ahead = 0
    this.#restarts++
  }
}
