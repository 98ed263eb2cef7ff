/** The time, passed as a parameter, so that a test or the control plane can set it. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

interface OptionsOfTime {
  readonly seed?: number | undefined
  readonly clock?: Clock | undefined
}

/** When a story ends: now by the clock. With a seed or a clock of the caller its dates stay, the same in every run. */
export function endOfStory({ seed, clock: base = systemClock }: OptionsOfTime, clock = base): number | undefined {
  return seed === undefined && base === systemClock ? clock.now() : undefined
}

/** How a clock differs from its base clock. */
export interface ClockSetting {
  readonly ahead: number
  readonly stoppedAt?: number
  /** Whether it stands still only until an advance has done the work that falls due on the way. */
  readonly resumes?: boolean
  /** The number of resets to the base clock. */
  readonly restarts: number
}

export const baseTime: ClockSetting = { ahead: 0, restarts: 0 }

/** Whether it stands still, and until when: until a user resumes it, or an advance does. */
export type Stands = 'frozen' | 'untilResumed' | undefined

/** A clock that follows a base clock until it is set, stopped or moved. */
export class SteeredClock implements Clock {
  readonly #base: Clock
  #setting = baseTime

  constructor(base: Clock) {
    this.#base = base
  }

  now(): number {
    return this.timeOf(this.#setting)
  }

  get isStopped(): boolean {
    return this.#setting.stoppedAt !== undefined
  }

  /** Whether a user stopped it. */
  get isFrozen(): boolean {
    return isFrozen(this.#setting)
  }

  set(setting: ClockSetting): void {
    this.#setting = setting
  }

  timeOf({ ahead, stoppedAt }: ClockSetting): number {
    return stoppedAt ?? this.#base.now() + ahead
  }

  /** The setting with which it shows this time, and stands still or goes on from there. */
  settingAt(time: number, { restarts }: ClockSetting, stands: Stands): ClockSetting {
    if (stands === undefined) return { restarts, ahead: time - this.#base.now() }
    return { restarts, ahead: 0, stoppedAt: time, ...(stands === 'untilResumed' && { resumes: true }) }
  }
}

export const isFrozen = ({ stoppedAt, resumes = false }: ClockSetting) => stoppedAt !== undefined && !resumes
