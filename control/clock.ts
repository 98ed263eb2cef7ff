import type { Ask } from './ask.ts'
import type { ControlBody, ControlSchemas } from './types.ts'

type State = ControlSchemas['Clock']
type Instant = ControlSchemas['Instant']

/** The clock that everything in the sandbox follows. A reset lets it tell the time of the machine again. */
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
  /** Lets it tell the time of the machine again, or of the clock that the sandbox was given. */
  restart(): Promise<State>
}

export const clockOver = (ask: Ask): ClockControl => ({
  read: () => ask('getClock'),
  set: (to) => ask('setClock', { body: bodyToSet(to) }),
  freeze: (at) => ask('setClock', { body: { frozen: true, ...(at === undefined ? {} : { now: at }) } }),
  resume: () => ask('setClock', { body: { frozen: false } }),
  advance: (by) => ask('advanceClock', { body: { by } }),
  restart: () => ask('restartClock'),
})

/** As it goes over HTTP. */
export const bodyToSet = (to: Instant | ControlBody<'setClock'>): ControlBody<'setClock'> =>
  typeof to === 'string' || typeof to === 'number' ? { now: to } : to
