import { bodyToFreeze, bodyToSet, type ClockControl } from '../../control/clock.ts'
import type { ControlBody, ControlSchemas } from '../../control/types.ts'
import { durationForm, readDuration } from '../../shared/duration.ts'
import { oneAtATime } from '../../shared/one-at-a-time.ts'
import { instantForm, isInstant, readInstant } from '../../shared/instant.ts'
import { refuse } from './refusals.ts'
import { checkBody } from './check.ts'
import type { ControlContext } from './context.ts'

export function clockIn({ clock, later, store }: ControlContext): ClockControl {
  /** One change at a time: what falls due is done on the way of one of them. */
  const inTurn = oneAtATime()
  const inOrder = (work: () => Promise<void>) => inTurn(work).then(state)
  const state = (): ControlSchemas['Clock'] => ({
    now: new Date(clock.now()).toISOString(),
    frozen: clock.isStopped,
  })

  const change = async (to: ControlBody<'setClock'> = {}) => {
    checkBody('setClock', to)
    if (to.now === undefined && to.frozen === undefined) refuse('the body must give now or frozen, or both')
    const at = to.now === undefined ? undefined : (readInstant(to.now) ?? refuse(`now must be ${instantForm}`))
    return inOrder(async () => {
      const frozen = to.frozen ?? clock.isStopped
      await moveTo(at ?? clock.now(), frozen)
    })
  }

  /** Stops at each time on the way at which something is due. */
  async function moveTo(target: number, frozen: boolean): Promise<void> {
    const { restarts } = clock
    const { failures } = later
    for (;;) {
      const next = await store.nextDue()
      // Work that fails is due again a little later, over and over.
      if (next === undefined || next > target || later.failures > failures) break
      clock.stopAt(Math.max(next, Math.min(clock.now(), target)))
      await later.wake()
      if (clock.restarts > restarts || later.isClosed) return
    }
    if (frozen) clock.stopAt(target)
    else clock.goOnFrom(target)
    await later.wake()
  }

  return {
    read: async () => state(),
    set: async (to) => change(bodyToSet(to)),
    freeze: (at) => change(bodyToFreeze(at)),
    resume: () => change({ frozen: false }),
    async advance(by) {
      checkBody('advanceClock', { by })
      const duration = readDuration(by) ?? refuse(`by must be ${durationForm}`)
      if (!isInstant(clock.now() + duration)) refuse('by must not take the clock beyond the year 9999')
      return inOrder(() => moveTo(clock.now() + duration, clock.isStopped))
    },
    restart: () =>
      inOrder(async () => {
        clock.restart()
        await later.wake()
      }),
  }
}
