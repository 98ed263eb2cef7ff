import type { Ask } from './ask.ts'
import type { ControlBody, ControlSchemas } from './types.ts'

type State = ControlSchemas['Clock']
type Instant = ControlSchemas['Instant'] | Date

/** The clock that everything in the sandbox uses. A reset sets it back to the time of the machine. */
export interface ClockControl {
  read(): Promise<State>
  /** Sets it, such as to `2030-01-31T09:00:00Z` or `{ now, frozen }`. A frozen clock stays frozen unless told otherwise. */
  set(to: Instant | ControlBody<'setClock'>): Promise<State>
  /** Stops it, now or at a time. */
  freeze(at?: Instant): Promise<State>
  /** Lets a frozen clock go on. */
  resume(): Promise<State>
  /** Moves it on, such as by `2d`. What falls due on the way is done in order, each at its own time. */
  advance(by: ControlBody<'advanceClock'>['by']): Promise<State>
  /** Sets it back to the time of the machine, or of the clock that the sandbox was given. */
  restart(): Promise<State>
}

export const clockOver = (ask: Ask): ClockControl => ({
  read: () => ask('getClock'),
  set: (to) => ask('setClock', { body: bodyToSet(to) }),
  freeze: (at) => ask('setClock', { body: bodyToFreeze(at) }),
  resume: () => ask('setClock', { body: { frozen: false } }),
  advance: (by) => ask('advanceClock', { body: { by } }),
  restart: () => ask('restartClock'),
})

// As it goes over HTTP.

export const bodyToSet = (to: Instant | ControlBody<'setClock'>): ControlBody<'setClock'> =>
  typeof to === 'string' || typeof to === 'number' || isDate(to) ? { now: written(to) } : to

export const bodyToFreeze = (at: Instant | undefined): ControlBody<'setClock'> => ({
  frozen: true,
  ...(at === undefined ? {} : { now: written(at) }),
})

/** The time of an invalid date is NaN, which is refused. */
const written = (instant: Instant) => (isDate(instant) ? instant.getTime() : instant)

/** Also of another realm, as under Jest. */
const isDate = (value: unknown): value is Date => Object.prototype.toString.call(value) === '[object Date]'
