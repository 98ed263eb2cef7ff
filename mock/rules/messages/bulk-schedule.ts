import type { ByChoice } from '../../../spec/assumptions.ts'
import type { BodyOf } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { refuseIf } from '../refuse-if.ts'
import { checkNestedFields } from './message-media.ts'

type Schedule = Pick<BodyOf<'sendBulkMessages'>, 'scheduleType' | 'scheduleTime'>

/** When a send becomes due: a time in milliseconds, or when the control plane releases it. */
type DueTime = number | 'onRelease'

/** When a send that is queued now becomes due, or `undefined` when it waits to be released. */
export function resolveSendTime(schedule: Schedule, tx: Transaction): string | undefined {
  const due = bulkDelivery[tx.assumed.bulkDelivery](resolveSchedule(schedule, tx), tx)
  return due === 'onRelease' ? undefined : new Date(due).toISOString()
}

const bulkDelivery: ByChoice<'bulkDelivery', (due: DueTime, tx: Transaction) => DueTime> = {
  atOnce: (due) => due,
  afterDelay: (due, { assumed }) => (due === 'onRelease' ? due : due + assumed.amountOf('bulkDelivery')),
  onRelease: () => 'onRelease',
}

/** promise message.bulkSchedulesAreTaken: a bulk send may be for now, or scheduled with a date and a time. */
function resolveSchedule(schedule: Schedule, tx: Transaction): DueTime {
  const { timeZone } = tx.team.onFile
  const now = tx.clock.now()
  if (!isScheduled(schedule, tx)) return now
  const { date, time } = schedule.scheduleTime ?? {}
  if (date === undefined || time === undefined) {
    const sentence = 'scheduleTime must hold a date and a time, such as { "date": "2030-01-31", "time": "09:00" }'
    refuseIf(tx.assumed, 'scheduleMissing', 'refused', sentence, 'scheduleTime')
    return now
  }
  const localTime = parseLocalTime(date, time)
  if (localTime === undefined) {
    const sentence = 'scheduleTime must hold an ISO date and time, such as 2030-01-31 and 09:00 or 09:00:00'
    refuseIf(tx.assumed, 'scheduleForm', 'isoDateAndTime', sentence, 'scheduleTime')
    return 'onRelease'
  }
  const isLocal = timeZone !== undefined && tx.assumed.scheduleZone === 'teamZone'
  const at = isLocal ? toUtc(localTime, timeZone) : localTime
  if (at > now) checkHorizon(at - now, tx)
  if (at >= now) return at
  refuseIf(tx.assumed, 'scheduleInPast', 'refused', 'scheduleTime must not have passed', 'scheduleTime')
  return now
}

const day = 24 * 60 * 60 * 1000

function checkHorizon(ahead: number, { assumed }: Transaction): void {
  if (assumed.scheduleHorizon === 'none') return
  const days = assumed.amountOf('scheduleHorizon')
  const because = { assumption: 'scheduleHorizon', field: 'scheduleTime' } as const
  if (ahead > days * day) refuse(`scheduleTime must be at most ${days} days ahead`, because)
}

export function checkScheduleFields({ scheduleTime }: Schedule, tx: Transaction): void {
  checkNestedFields(scheduleTime, 'scheduleTime', ['date', 'time'], tx)
}

function isScheduled({ scheduleType, scheduleTime }: Schedule, { assumed }: Transaction): boolean {
  if (scheduleType !== undefined || scheduleTime === undefined) return scheduleType === 'scheduled'
  return assumed.scheduleTypeMissing === 'followsTime'
}

/** As if the time were UTC; `undefined` when it is not an ISO date with a time of day. */
function parseLocalTime(date: string, time: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time)) return undefined
  const at = Date.parse(`${date}T${time}Z`)
  // `Date` reads 30 February as 2 March, so the result is compared with the input.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date) ? at : undefined
}

/** The moment at which a clock in the zone shows this time. The time is given as if it were UTC. */
function toUtc(localTime: number, timeZone: string): number {
  const estimate = localTime - offsetAt(localTime, timeZone)
  // Near a change of the clocks, the offset at the estimate is the right one.
  return localTime - offsetAt(estimate, timeZone)
}

/** How far clocks in the zone are ahead of UTC. */
function offsetAt(moment: number, timeZone: string): number {
  // The Swedish locale writes times as YYYY-MM-DD hh:mm:ss.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return Date.parse(`${format.format(moment).replace(' ', 'T')}Z`) - Math.floor(moment / 1000) * 1000
}
