/** The time, passed as a parameter, so that a test or the control plane can set it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** How a clock differs from its base clock. */
export interface ClockSetting {
  readonly ahead: number
  readonly stoppedAt?: number
  /** The number of resets to the base clock. */
  readonly restarts: number
}

export const baseTime: ClockSetting = { ahead: 0, restarts: 0 }

/** A clock that follows a base clock until it is set, stopped or moved. */
export class SteeredClock implements Clock {
  readonly #base: Clock
  #setting = baseTime

  constructor(base: Clock) {
    this.#base = base
  }

  now(): number {
    return this.#setting.stoppedAt ?? this.#base.now() + this.#setting.ahead
  }

  get isStopped(): boolean {
    return this.#setting.stoppedAt !== undefined
  }

  set(setting: ClockSetting): void {
    this.#setting = setting
  }

  /** The setting with which it goes on from this time. */
  ahead(time: number): Pick<ClockSetting, 'ahead'> {
    return { ahead: time - this.#base.now() }
  }
}
