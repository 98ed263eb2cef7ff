import type { ByChoice } from '../../../spec/assumptions.ts'
import type { BodyOf } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { utcOf } from './time-zones.ts'

type Schedule = Pick<BodyOf<'sendBulkMessages'>, 'scheduleType' | 'scheduleTime'>

/** When a send may go, in milliseconds; never, until somebody releases it. */
type SendAt = number | 'released'

/** When a send that is queued now may go; undefined when it waits to be released. */
export function sendAtOf(schedule: Schedule, turn: Turn): string | undefined {
  const at = bulkDelivery[turn.assumed.bulkDelivery](scheduledFor(schedule, turn), turn)
  return at === 'released' ? undefined : new Date(at).toISOString()
}

const bulkDelivery: ByChoice<'bulkDelivery', (at: SendAt, turn: Turn) => SendAt> = {
  atOnce: (at) => at,
  afterDelay: (at, { assumed }) => (at === 'released' ? at : at + assumed.amountOf('bulkDelivery')),
  onRelease: () => 'released',
}

/** promise message.bulkSchedulesAreTaken: now, or at the time that is given. */
function scheduledFor(schedule: Schedule, turn: Turn): SendAt {
  const { timeZone } = turn.team.onFile
  const now = turn.clock.now()
  if (!isScheduled(schedule, turn)) return now
  const { date, time } = schedule.scheduleTime ?? {}
  if (date === undefined || time === undefined) return scheduleMissing[turn.assumed.scheduleMissing](now)
  const onTheWall = readTime(date, time)
  if (onTheWall === undefined) return scheduleForm[turn.assumed.scheduleForm]()
  const at = timeZone === undefined ? onTheWall : scheduleZone[turn.assumed.scheduleZone](onTheWall, timeZone)
  return at < now ? scheduleInPast[turn.assumed.scheduleInPast](now) : at
}

function isScheduled({ scheduleType, scheduleTime }: Schedule, { assumed }: Turn): boolean {
  if (scheduleType !== undefined || scheduleTime === undefined) return scheduleType === 'scheduled'
  return scheduleTypeMissing[assumed.scheduleTypeMissing]
}

const scheduleTypeMissing: ByChoice<'scheduleTypeMissing', boolean> = { sendsNow: false, followsTime: true }

const scheduleMissing: ByChoice<'scheduleMissing', (now: number) => SendAt> = {
  refused: () => refuse('scheduleTime must hold a date and a time, such as { "date": "2030-01-31", "time": "09:00" }'),
  sendsNow: (now) => now,
}

/** As if it were UTC; nothing when it is no ISO date with a time of day. */
function readTime(date: string, time: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || !/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(time)) return undefined
  const at = Date.parse(`${date}T${time}Z`)
  // A day that the month does not have would be one of the next month.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date) ? at : undefined
}

const scheduleForm: ByChoice<'scheduleForm', () => SendAt> = {
  isoDateAndTime: () => refuse('scheduleTime must hold an ISO date and time, such as 2030-01-31 and 09:00 or 09:00:00'),
  anyString: () => 'released',
}

const scheduleZone: ByChoice<'scheduleZone', (onTheWall: number, timeZone: string) => number> = {
  utc: (onTheWall) => onTheWall,
  teamZone: utcOf,
}

const scheduleInPast: ByChoice<'scheduleInPast', (now: number) => SendAt> = {
  sendsNow: (now) => now,
  refused: () => refuse('scheduleTime must not have passed'),
}
