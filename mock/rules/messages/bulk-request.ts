import type { Awaitable } from '../../../lib/async.ts'
import type { Assumed } from '../../../spec/assumed.ts'
import { isEmailAddress, isPhoneNumber } from '../../../spec/forms.ts'
import type { BodyOf, Schemas } from '../../../spec/types.ts'
import { mapSlices } from '../../../lib/pause.ts'
import { refuse } from '../../core/refusals.ts'
import { foldedEmail } from '../../store/indexes.ts'
import { comparesIgnoringCase } from '../contacts.ts'
import { refuseIf } from '../refuse.ts'
import type { Transaction } from '../../core/transaction.ts'
import { checkNestedFields } from './message-fields.ts'
import { checkApprovedInBulk, findTemplate, renderTemplate } from './message-template.ts'

type BulkTarget = Pick<BodyOf<'sendBulkMessages'>, 'to' | 'channel'>
type Addresses = readonly string[]

/**
 * promise message.bulkTakesAList: a bulk send takes several addresses with commas between them. The specification does
 * not say what happens to spaces, empty items, malformed addresses and duplicates.
 */
export async function parseRecipients({ to, channel }: BulkTarget, assumed: Assumed): Promise<Addresses> {
  const isEmail = channel === 'email'
  const items = await trimItems(to, assumed)
  const addresses = await mapSlices(items, (slice) => slice.filter((item) => item !== ''))
  if (addresses.length === 0)
    refuse(`to must hold ${describeAddresses(isEmail)}`, { promise: 'message.bulkRequires', field: 'to' })
  if (addresses.length < items.length)
    refuseIf(assumed, 'bulkEmptyItem', 'refused', 'to must hold an address before and after each comma', 'to')
  return dropDuplicates(await dropMalformed(addresses, isEmail, assumed), isEmail, assumed)
}

function trimItems(to: string, assumed: Assumed): Awaitable<Addresses> {
  const items = to.split(',')
  const hasSpaces = /(?:^|,)\s|\s(?:,|$)/.test(to)
  return hasSpaces && assumed.bulkSpaces !== 'invalid'
    ? mapSlices(items, (slice) => slice.map((item) => item.trim()))
    : items
}

const describeAddresses = (isEmail: boolean) =>
  isEmail
    ? 'e-mail addresses with commas between them, such as ada@example.com,grace@example.com'
    : 'phone numbers in E.164 form with commas between them, such as +14155550123,+14155550124'

async function dropMalformed(addresses: Addresses, isEmail: boolean, assumed: Assumed): Promise<Addresses> {
  const valid = await mapSlices(addresses, (slice) => slice.filter(isEmail ? isEmailAddress : isPhoneNumber))
  if (valid.length === addresses.length) return valid
  const sentence = `to must hold nothing but ${describeAddresses(isEmail)}`
  refuseIf(assumed, 'bulkBadRecipient', 'refused', sentence, 'to')
  if (valid.length > 0) return valid
  refuse(`to must hold ${describeAddresses(isEmail)}`, { assumption: 'bulkBadRecipient', field: 'to' })
}

async function dropDuplicates(addresses: Addresses, isEmail: boolean, assumed: Assumed): Promise<Addresses> {
  const ignoringCase = await uniqueBy(isEmail ? foldedEmail : identity, addresses)
  if (ignoringCase.length === addresses.length) return addresses
  const exact = await uniqueBy(identity, addresses)
  const unique = ignoringCase.length < exact.length && comparesIgnoringCase(assumed) ? ignoringCase : exact
  return unique.length < addresses.length && assumed.bulkDuplicates === 'once' ? unique : addresses
}

const identity = (address: string) => address

function uniqueBy(keyOf: (address: string) => string, addresses: Addresses): Awaitable<Addresses> {
  const seen = new Set<string>()
  return mapSlices(addresses, (slice) => slice.filter((address) => seen.size < seen.add(keyOf(address)).size))
}

type Schedule = Pick<BodyOf<'sendBulkMessages'>, 'scheduleType' | 'scheduleTime'>

/** When a send becomes due: a time in milliseconds, or when the control plane releases it. */
export type DueTime = number | 'onRelease'

/** promise message.bulkSchedulesAreTaken: a bulk send may be for now, or scheduled with a date and a time. */
export function resolveSchedule(schedule: Schedule, tx: Transaction): DueTime {
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
  if (at >= now) return at
  refuseIf(tx.assumed, 'scheduleInPast', 'refused', 'scheduleTime must not have passed', 'scheduleTime')
  return now
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

interface BulkText {
  readonly content: string
  /** The text of the WhatsApp template, with its parameters filled in. */
  readonly template?: string
}

/**
 * promise message.bulkTakesATemplate: a bulk WhatsApp send may name an approved template and its parameters. The
 * specification does not say what a template does in a bulk SMS or e-mail.
 */
export async function resolveBulkText(body: BodyOf<'sendBulkMessages'>, tx: Transaction): Promise<BulkText> {
  const { channel, content, templateId } = body
  if (channel === 'whatsapp') {
    if (templateId === undefined) {
      const sentence = 'templateId is required when channel is whatsapp'
      refuseIf(tx.assumed, 'bulkWhatsappWithoutTemplate', 'refused', sentence, 'templateId')
    }
    const template = await renderTemplate(body, tx, checkApprovedInBulk)
    return template === undefined ? { content } : { content, template }
  }
  if (templateId === undefined || tx.assumed.templateInBulk === 'ignored') return { content }
  const template = await findTemplate(templateId, channel, tx)
  if (template) checkApprovedInBulk(template, tx)
  return { content: template?.content ?? content }
}

type BulkFields = Omit<Schemas['BulkMessage'], 'to' | 'scheduleType' | 'scheduleTime'>

/**
 * promise message.onlyEmailHasASubject: a message that is no e-mail has no subject. The specification does not say
 * whether a bulk send on another channel may have a subject, or the parameters of a WhatsApp template.
 */
export function dropFieldsOfOtherChannels(
  { to, scheduleType, scheduleTime, ...message }: BodyOf<'sendBulkMessages'>,
  { assumed }: Transaction,
): BulkFields {
  const { subject, preheader, headerParameters, bodyParameters } = message
  const { channel } = message
  const strange = {
    ...(channel === 'email' ? {} : { subject, preheader }),
    ...(channel === 'whatsapp' ? {} : { headerParameters, bodyParameters }),
  }
  const sent = Object.entries<unknown>(strange).filter(([, value]) => value !== undefined)
  const [first] = sent
  if (!first) return message
  const sentence = `${first[0]} is not for the channel ${channel}; leave it out`
  refuseIf(assumed, 'bulkFieldOfOtherChannel', 'refused', sentence, first[0])
  const fields = new Set(sent.map(([field]) => field))
  return Object.fromEntries(Object.entries(message).filter(([field]) => !fields.has(field))) as BulkFields
}
