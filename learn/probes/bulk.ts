import type { bulk } from '../../spec/assumptions/bulk.ts'
import {
  type Asking,
  byRefusal,
  byStatus,
  byValue,
  CannotTell,
  Other,
  type Probes,
  requireThat,
  tryEach,
} from '../probe.ts'
import {
  arrives,
  checkDelivered,
  countQueued,
  historyOf,
  isThere,
  makeReader,
  notInTime,
  sendTo,
  timeOfDelivery,
  timeToArrive,
} from '../sent-messages.ts'

export const bulkProbes: Probes<typeof bulk> = {
  bulkDelivery: async (asking) => {
    await checkDelivered(asking)
    const delay = await timeToArrive(asking)
    requireThat(delay !== undefined, notInTime)
    return delay === 0 ? 'atOnce' : `afterDelay:${delay}`
  },

  bulkBadRecipient: async (asking) => {
    const { ask, call, some } = asking
    const { email: to } = await makeReader(asking)
    await ask('sendBulkMessages', { body: some.bulk('email', { to }) })
    const answer = await call('sendBulkMessages', { body: some.bulk('email', { to: `${to},x` }) })
    return byRefusal(answer, 'refused', 'skipped')
  },

  bulkEmptyItem: async (asking) => {
    const { ask, call, some } = asking
    const person = await makeReader(asking)
    await ask('sendBulkMessages', { body: some.bulk('email', { to: person.email }) })
    return byRefusal(
      await call('sendBulkMessages', { body: some.bulk('email', { to: `${person.email},` }) }),
      'refused',
      'ignored',
    )
  },

  bulkDuplicates: (asking) =>
    tryEach(
      async () => {
        const person = await makeReader(asking)
        const content = await sendTo(asking, person, { to: `${person.email},${person.email}` })
        await arrives(asking, person, content)
        // What is sent with the first comes right after it.
        await arrives(asking, person, await sendTo(asking, person))
        const messages = await historyOf(asking, person.conversationId)
        const count = messages.filter((message) => message.content === content).length
        return byValue('the number of messages', count, { once: 1, twice: 2 })
      },
      async () => {
        const { email } = await makeReader(asking)
        return (await countQueued(asking, `${email},${email}`)) === 1 ? 'once' : 'twice'
      },
    ),

  bulkRecipientLimit: () =>
    Promise.reject(new CannotTell('to find the limit, that many people would have to be messaged')),

  bulkWhatsappWithoutTemplate: async ({ call, some, recipient }) => {
    const answer = await call('sendBulkMessages', { body: some.bulk('whatsapp', { to: recipient.phone() }) })
    return byRefusal(answer, 'refused', 'accepted')
  },

  templateInBulk: (asking) =>
    tryEach(
      async () => {
        await checkDelivered(asking)
        const { ask, make, mint, some, recipient } = asking
        const phone = recipient.phone()
        const { _id: conversationId } = await make.conversation({ phone })
        const [used, ignored] = [mint.name('From the template'), mint.name('From the request')]
        const { _id: templateId } = await make.template('sms', { content: used })
        await ask('sendBulkMessages', { body: some.bulk('sms', { to: phone, content: ignored, templateId }) })
        const find = async () =>
          (await historyOf(asking, conversationId)).find(({ content }) => content === used || content === ignored)
        requireThat((await asking.timeUntil(async () => (await find()) !== undefined)) !== undefined, notInTime)
        return byValue('the content', (await find())?.content, { used, ignored })
      },
      () => templateIsLookedFor(asking),
    ),

  bulkFieldOfOtherChannel: async ({ ask, call, some, recipient }) => {
    const to = recipient.phone()
    await ask('sendBulkMessages', { body: some.bulk('sms', { to }) })
    return byRefusal(
      await call('sendBulkMessages', { body: some.bulk('sms', { to, subject: 'News' }) }),
      'refused',
      'ignored',
    )
  },

  scheduleForm: async (asking) => {
    const { call } = asking
    const good = await call('sendBulkMessages', { body: await scheduledBody(asking, inDays(30)) })
    requireThat(good.succeeded, `a send cannot be scheduled: ${good.summary}`)
    const [year, month, day] = inDays(30).date.split('-')
    const odd = await call('sendBulkMessages', {
      body: await scheduledBody(asking, { date: `${day}/${month}/${year}`, time: inDays(30).time }),
    })
    return byRefusal(odd, 'isoDateAndTime', 'anyString')
  },

  scheduleZone: async (asking) => {
    const person = await makeReader(asking)
    await arrives(asking, person, await sendTo(asking, person))
    const isPast = async (minutes: number) => {
      const content = asking.mint.name('At the time')
      const scheduleTime = inDays(minutes / (24 * 60))
      const body = asking.some.bulk('email', { to: person.email, content, scheduleType: 'scheduled', scheduleTime })
      const answer = await asking.call('sendBulkMessages', { body })
      if (!answer.succeeded) return byStatus(answer, { 400: true })
      await arrives(asking, person, await sendTo(asking, person))
      return isThere(asking, person, content)()
    }
    const good = await asking.call('sendBulkMessages', { body: await scheduledBody(asking, inDays(30)) })
    requireThat(good.succeeded, `a send cannot be scheduled: ${good.summary}`)
    const twoDays = 2 * 24 * 60
    requireThat(await isPast(-twoDays), 'a send of two days ago is not sent (scheduleInPast)')
    requireThat(!(await isPast(twoDays)), 'a send in two days is not kept until then (scheduleMissing)')
    const seen = [await isPast(-20), await isPast(20)]
    if (seen[0] === seen[1]) return 'teamZone'
    requireThat(seen[0] === true, 'a send of 20 minutes ago waits, and one in 20 minutes does not')
    throw new CannotTell('the time is UTC, which may be the time zone of the team')
  },

  scheduleInPast: async (asking) => {
    const { call } = asking
    const good = await call('sendBulkMessages', { body: await scheduledBody(asking, inDays(30)) })
    requireThat(good.succeeded, `a send cannot be scheduled: ${good.summary}`)
    const scheduleTime = inDays(-2)
    return isSentNow(asking, { scheduleTime })
  },

  scheduleHorizon: async (asking) => {
    const { call } = asking
    requireThat(asking.target.loopback, 'nothing can cancel a send that is scheduled in ten years')
    const accepts = async (days: number) => {
      const answer = await call('sendBulkMessages', { body: await scheduledBody(asking, inDays(days)) })
      return byStatus(answer, { ok: true, 400: false })
    }
    requireThat(await accepts(1), 'a send cannot be scheduled for tomorrow')
    if (await accepts(3650)) return 'none'
    let [accepted, refused] = [1, 3650]
    while (refused - accepted > 1) {
      const middle = Math.floor((accepted + refused) / 2)
      if (await accepts(middle)) accepted = middle
      else refused = middle
    }
    return `atMost:${accepted}`
  },

  scheduleMissing: async (asking) => {
    const { call } = asking
    const good = await call('sendBulkMessages', { body: await scheduledBody(asking, inDays(30)) })
    requireThat(good.succeeded, `a send cannot be scheduled: ${good.summary}`)
    return isSentNow(asking, {})
  },

  scheduleTypeMissing: (asking) =>
    tryEach(
      async () => {
        await checkDelivered(asking)
        const person = await makeReader(asking)
        const content = await sendTo(asking, person, { scheduleTime: inDays(30) })
        await arrives(asking, person, await sendTo(asking, person))
        return (await isThere(asking, person, content)()) ? 'sendsNow' : 'followsTime'
      },
      ...badTimes(asking).map((scheduleTime) => () => timeIsRead(asking, scheduleTime)),
    ),
}

/** A template that a send ignores may as well not exist; one that it uses may not. */
async function templateIsLookedFor({ ask, call, make, mint, some, recipient }: Asking): Promise<'used' | 'ignored'> {
  const body = some.bulk('sms', { to: recipient.phone() })
  const { _id: templateId } = await make.template('sms')
  await ask('sendBulkMessages', { body: { ...body, templateId } })
  const unknownId = mint.unknownId()
  const byWhatsapp = await call('sendBulkMessages', { body: some.bulk('whatsapp', { templateId: unknownId }) })
  requireThat(!byWhatsapp.succeeded, 'a bulk send does not look for its template')
  const unknown = await call('sendBulkMessages', { body: { ...body, templateId: unknownId } })
  return byStatus<'used' | 'ignored'>(unknown, { ok: 'ignored', 400: 'used', 404: 'used' })
}

/** Times that a server may refuse when it reads them: in the past, in no known form, half of one, too far ahead. */
const badTimes = ({ target }: Asking): readonly object[] => [
  inDays(-2),
  { date: 'soon', time: 'soon' },
  { date: inDays(30).date },
  // Elsewhere nothing can cancel it, should it be accepted.
  ...(target.loopback ? [inDays(3650)] : []),
]

/** What is refused of a scheduled send is refused without a type, too, if the time counts then. */
async function timeIsRead(asking: Asking, scheduleTime: object): Promise<'sendsNow' | 'followsTime'> {
  const { call, some } = asking
  const { email: to } = await makeReader(asking)
  const typed = await call('sendBulkMessages', {
    body: some.bulk('email', { to, scheduleType: 'scheduled', scheduleTime }),
  })
  requireThat(
    typed.status === 400,
    'a bad time is not refused (scheduleInPast, scheduleForm, scheduleMissing, scheduleHorizon)',
  )
  const untyped = await call('sendBulkMessages', { body: some.bulk('email', { to, scheduleTime }) })
  return byRefusal(untyped, 'followsTime', 'sendsNow')
}

/** Whether a scheduled send is refused; one that is not must come, where those that are not scheduled do. */
async function isSentNow(asking: Asking, fields: object): Promise<'refused' | 'sendsNow'> {
  const person = await makeReader(asking)
  const content = asking.mint.name('Now, or never')
  const body = asking.some.bulk('email', { to: person.email, content, scheduleType: 'scheduled', ...fields })
  const answer = await asking.call('sendBulkMessages', { body })
  if (!answer.succeeded) return byStatus(answer, { 400: 'refused' })
  if ((await timeOfDelivery(asking)) === undefined) return 'sendsNow'
  await arrives(asking, person, await sendTo(asking, person))
  if (await isThere(asking, person, content)()) return 'sendsNow'
  throw new Other('it is accepted, and not sent when a send that is not scheduled is')
}

async function scheduledBody(asking: Asking, scheduleTime: { date: string; time: string }) {
  const { email: to } = await makeReader(asking)
  return asking.some.bulk('email', { to, scheduleType: 'scheduled', scheduleTime })
}

/** So many days from now, to the minute. */
function inDays(days: number): { date: string; time: string } {
  const [date = '', time = ''] = new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().split('T')
  return { date, time: time.slice(0, 5) }
}
