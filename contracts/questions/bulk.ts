import { byRefusal, byStatus, byValue, CannotTell, Other, requireThat } from './finding.ts'
import { byOddFields } from './odd-requests.ts'
import { type ProbeContext, tryEach, unknownId } from './probe.ts'
import type { Questions } from './question.ts'
import { checkDelivered, countQueued, hasEffect, newReceiver } from './sent-messages.ts'
import { notInTime, timeOfDelivery, timeToArrive } from './sent-messages.ts'
import type { bulk } from '../../spec/assumptions/bulk.ts'

export const bulkQuestions: Questions<typeof bulk> = {
  bulkDelivery: async (context) => {
    await checkDelivered(context)
    const delay = await timeToArrive(context)
    requireThat(delay !== undefined, notInTime)
    return delay === 0 ? 'atOnce' : `afterDelay:${delay}`
  },

  bulkBadRecipient: byOddFields('bulkEmail', ['refused', 'skipped'], {
    to: ({ recipient }) => `${recipient.email()},x`,
  }),

  bulkEmptyItem: byOddFields('bulkEmail', ['refused', 'ignored'], { to: ({ recipient }) => `${recipient.email()},` }),

  bulkSpaces: byOddFields('bulkEmail', ['invalid', 'ignored'], { to: ({ recipient }) => ` ${recipient.email()}` }),

  bulkDuplicates: (context) =>
    tryEach(
      async () => {
        const { to, send, arrives, messages } = await newReceiver(context)
        const content = await send({ to: `${to},${to}` })
        await arrives(content)
        // The second copy comes right after the first.
        await arrives(await send())
        const countCopies = async () => (await messages()).filter((message) => message.content === content).length
        await hasEffect(context, async () => (await countCopies()) > 1)
        return byValue('the number of messages', await countCopies(), { once: 1, twice: 2 })
      },
      async () => {
        const { to } = await newReceiver(context)
        return (await countQueued(context, `${to},${to}`)) === 1 ? 'once' : 'twice'
      },
    ),

  bulkRecipientLimit: () =>
    Promise.reject(new CannotTell('to find the limit, that many people would have to be messaged')),

  bulkWhatsappWithoutTemplate: async ({ call, some, recipient }) => {
    const answer = await call('sendBulkMessages', { body: some.bulk('whatsapp', { to: recipient.phone() }) })
    return byRefusal(answer, 'refused', 'accepted')
  },

  templateInBulk: (context) =>
    tryEach(
      async () => {
        await checkDelivered(context)
        const { make, mint, timeUntil } = context
        const { send, messages } = await newReceiver(context, 'sms')
        const [used, ignored] = [mint.name('From the template'), mint.name('From the request')]
        const { _id: templateId } = await make.template('sms', { content: used })
        await send({ content: ignored, templateId })
        const find = async () => (await messages()).find(({ content }) => content === used || content === ignored)
        requireThat((await timeUntil(async () => (await find()) !== undefined)) !== undefined, notInTime)
        return byValue('the content', (await find())?.content, { used, ignored })
      },
      () => templateIsLookedFor(context),
    ),

  bulkFieldOfOtherChannel: byOddFields('bulkSms', ['refused', 'ignored'], { subject: 'News' }),

  scheduleForm: async (context) => {
    await checkScheduling(context)
    const { date, time } = inDays(30)
    const { answer } = await schedule(context, { date: date.split('-').toReversed().join('/'), time })
    return byRefusal(answer, 'isoDateAndTime', 'anyString')
  },

  scheduleZone: async (context) => {
    const isPast = async (minutes: number) => {
      const { answer, isSent } = await schedule(context, inDays(minutes / (24 * 60)))
      return answer.succeeded ? isSent() : byStatus(answer, { 400: true })
    }
    await checkDelivered(context)
    await checkScheduling(context)
    const twoDays = 2 * 24 * 60
    requireThat(await isPast(-twoDays), 'a send of two days ago is not sent (scheduleInPast)')
    requireThat(!(await isPast(twoDays)), 'a send in two days is not kept until then (scheduleMissing)')
    const seen = [await isPast(-20), await isPast(20)]
    if (seen[0] === seen[1]) return 'teamZone'
    requireThat(seen[0] === true, 'a send of 20 minutes ago waits, and one in 20 minutes does not')
    throw new CannotTell('the time is UTC, which may be the time zone of the team')
  },

  scheduleInPast: (context) => isSentNow(context, inDays(-2)),

  scheduleMissing: (context) => isSentNow(context),

  scheduleTypeMissing: (context) =>
    tryEach(
      async () => {
        await checkDelivered(context)
        const { answer, isSent } = await schedule(context, inDays(30), 'untyped')
        requireThat(answer.succeeded, `a send with a time and no type is refused: ${answer.summary}`)
        return (await isSent()) ? 'sendsNow' : 'followsTime'
      },
      ...badTimes().map((scheduleTime) => () => timeIsRead(context, scheduleTime)),
    ),
}

/** A send needs an existing template only if it uses the template. */
async function templateIsLookedFor(context: ProbeContext): Promise<'used' | 'ignored'> {
  const { ask, call, make, some, recipient } = context
  const body = some.bulk('sms', { to: recipient.phone() })
  const { _id: templateId } = await make.template('sms')
  await ask('sendBulkMessages', { body: { ...body, templateId } })
  const unknown = await unknownId(context, 'template')
  const byWhatsapp = await call('sendBulkMessages', { body: some.bulk('whatsapp', { templateId: unknown }) })
  requireThat(!byWhatsapp.succeeded, 'a bulk send does not look for its template')
  const answer = await call('sendBulkMessages', { body: { ...body, templateId: unknown } })
  return byStatus<'used' | 'ignored'>(answer, { ok: 'ignored', 400: 'used', 404: 'used' })
}

/** Times that a server may refuse: in the past, in no known form, half a time. */
const badTimes = (): readonly object[] => [inDays(-2), { date: 'soon', time: 'soon' }, { date: inDays(30).date }]

/** Without a type, the server refuses the same times as for a scheduled send, if it reads the time at all. */
async function timeIsRead(context: ProbeContext, scheduleTime: object): Promise<'sendsNow' | 'followsTime'> {
  const typed = (await schedule(context, scheduleTime)).answer
  requireThat(typed.status === 400, 'a bad time is not refused (scheduleInPast, scheduleForm, scheduleMissing)')
  return byRefusal((await schedule(context, scheduleTime, 'untyped')).answer, 'followsTime', 'sendsNow')
}

/** Whether the server refuses a scheduled send. If it does not, the message must arrive where other bulk sends do. */
async function isSentNow(context: ProbeContext, scheduleTime?: object): Promise<'refused' | 'sendsNow'> {
  await checkScheduling(context)
  const { answer, isSent } = await schedule(context, scheduleTime)
  if (!answer.succeeded) return byStatus(answer, { 400: 'refused' })
  if ((await timeOfDelivery(context)) === undefined || (await isSent())) return 'sendsNow'
  throw new Other('it is accepted, and not sent when a send that is not scheduled is')
}

async function checkScheduling(context: ProbeContext): Promise<void> {
  const { answer } = await schedule(context, inDays(30))
  requireThat(answer.succeeded, `a send cannot be scheduled: ${answer.summary}`)
}

/** Schedules an e-mail to a new contact. `isSent` returns whether it arrives, if need be after a later e-mail. */
async function schedule(context: ProbeContext, scheduleTime?: object, typed: 'typed' | 'untyped' = 'typed') {
  const { to, send, isThere, arrives } = await newReceiver(context)
  const content = context.mint.name('At the time')
  const type = typed === 'typed' ? { scheduleType: 'scheduled' } : {}
  const body = context.some.bulk('email', { to, content })
  const answer = await context.call('sendBulkMessages', { body: { ...body, ...type, scheduleTime } })
  const isSent = async () => {
    await arrives(await send())
    return hasEffect(context, () => isThere(content))
  }
  return { answer, isSent }
}

/** Returns the time in so many days, to the minute. */
function inDays(days: number): { date: string; time: string } {
  const [date = '', time = ''] = new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().split('T')
  return { date, time: time.slice(0, 5) }
}
