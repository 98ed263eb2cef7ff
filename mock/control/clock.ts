import { Type } from 'typebox'
import { oneAtATime } from '../../lib/async.ts'
import { durationForm, instantForm, isInstant, readDuration, readInstant } from '../../lib/time.ts'
import { reject } from '../core/rejections.ts'
import { noun, route } from './route.ts'
import { Duration, flag, input, moment, output } from '../core/schemas.ts'
import { type ClockSetting, isFrozen, type Stands } from '../core/clock.ts'
import { restartClock } from './settings.ts'

/** To a time, or by a duration. */
interface Move {
  readonly to?: number | undefined
  readonly by?: number
}

const Instant = Type.Union([Type.String({ maxLength: 40 }), Type.Number()], {
  title: 'Instant',
  description: 'An ISO 8601 time, or milliseconds since 1970.',
  'x-form': instantForm,
})

const ClockToSet = input(
  'ClockToSet',
  {
    now: Type.Optional(Instant),
    frozen: Type.Optional(Type.Boolean({ 'x-form': 'true or false', description: 'Whether it stands still.' })),
  },
  'One of the fields, or both.',
)

const Clock = output('Clock', { now: moment(), frozen: flag() }, 'The clock after that.')

export const clock = noun('clock', 'The clock that everything in the sandbox follows.', (context) => {
  const { clock, scheduler, settings, store } = context
  // One change at a time, since due work is done on the way of each.
  const oneByOne = oneAtATime()
  const state = () => ({ now: new Date(clock.now()).toISOString(), frozen: clock.isFrozen })

  /**
   * Stops at each time on the way at which work is due. Without `frozen`, the clock stands still afterwards if it did before.
   * Each time is computed in the change that stores it, since another process may advance the same clock.
   */
  async function move({ to, by = 0 }: Move, frozen?: boolean): Promise<void> {
    const { restarts } = settings.now.clock
    let left = by
    const targetFrom = (now: number) => to ?? now + left
    /** Returns how far the clock went. */
    const step = (timeAt: (now: number, target: number) => number, standsAt: (setting: ClockSetting) => Stands) =>
      settings.change((all) => {
        const now = clock.timeOf(all.clock)
        const target = targetFrom(now)
        if (!isInstant(target)) reject('by must not take the clock beyond the year 9999')
        const time = timeAt(now, target)
        all.clock = clock.settingAt(time, all.clock, standsAt(all.clock))
        return time - now
      })
    for (let last: number | undefined; ;) {
      const next = await store.nextDue()
      // Work that fails stays due.
      if (next === undefined || next > targetFrom(clock.now()) || next === last) break
      last = next
      left -= await step(
        (now, target) => Math.min(Math.max(next, now), target),
        (setting) => (isFrozen(setting) ? 'frozen' : 'untilResumed'),
      )
      await scheduler.finishDue()
      if (settings.now.clock.restarts > restarts || scheduler.isClosed) return
    }
    await step(
      (_, target) => target,
      (setting) => ((frozen ?? isFrozen(setting)) ? 'frozen' : undefined),
    )
    await scheduler.runAllDue()
  }

  return {
    getClock: route('GET /clock', 'Say what time it is', {
      call: 'clock.read',
      message: 'The clock',
      data: Clock,
      handler: async () => state(),
    }),

    setClock: route('PUT /clock', 'Set the clock, freeze it, or let it go on', {
      description:
        'What falls due on the way to a later time is done in order, each at its own time, before this is answered. An earlier time undoes nothing.',
      body: ClockToSet,
      example: { now: '2030-01-31T09:00:00Z', frozen: true },
      message: 'Clock set',
      data: Clock,
      async handler({ body: { now, frozen } }) {
        if (now === undefined && frozen === undefined) reject('the body must give now or frozen, or both')
        const time = now === undefined ? undefined : (readInstant(now) ?? reject(`now must be ${instantForm}`))
        await oneByOne(() => move({ to: time }, frozen))
        return state()
      },
    }),

    restartClock: route(
      'DELETE /clock',
      'Let the clock tell the time of the machine again, or of the clock that the sandbox was given',
      {
        message: 'The clock tells its own time again',
        data: Clock,
        async handler() {
          await oneByOne(async () => {
            await settings.change(restartClock)
            await scheduler.runAllDue()
          })
          return state()
        },
      },
    ),

    advanceClock: route('POST /clock/advance', 'Advance the clock', {
      description: 'What falls due on the way is done in order, each at its own time, before this is answered.',
      body: input('Advance', { by: Duration }),
      example: { by: '2d' },
      message: 'Clock advanced',
      data: Clock,
      async handler({ body: { by } }) {
        const duration = readDuration(by) ?? reject(`by must be ${durationForm}`)
        await oneByOne(() => move({ by: duration }))
        return state()
      },
    }),
  }
})
