import { expect } from 'vitest'
import { bulkChannel } from '../../client/bodies.ts'
import { sleep } from '../../client/sleep.ts'
import type { Target } from '../../client/target/target.ts'
import type { Tools } from '../../client/tools.ts'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import { Inconclusive, Skipped } from '../judge/outcome.ts'
import { approvedTemplate, findApprovedTemplate } from './approved-template.ts'
import { each } from './each-operation.ts'
import { historyOf, messagesOn } from './history.ts'
import { keeps } from './keeps.ts'
import { inAMonth, pick } from './records.ts'
import { acceptsMedia, extrasFor } from './media.ts'
import { tellingLines, tellingName, tellingText } from './telling-values.ts'

type Bulk = BodyOf<'sendBulkMessages'>
type Channel = Bulk['channel']

/** A channel for each kind of address, of those with a provider; without any, `provider` ends the check. */
function channels({ providers }: Target): readonly Channel[] {
  const possible = (['email', 'sms'] as const).filter((channel) => providers[channel])
  return possible.length === 0 ? ['email'] : possible
}

/** The addresses of so many people who may get a message. */
function chooseRecipients(count: number, channel: Channel, { mint, target }: Tools): string[] {
  const kind = channel === 'email' ? 'email' : 'phone'
  if (target.loopback) return Array.from({ length: count }, () => mint[kind]())
  const named = target.recipients[kind].slice(0, count)
  if (named.length < count) throw new Skipped(`needs ${count} people who may be written to: --${kind}-to`)
  return named
}

keeps('message.bulkAnswers200', async (given) => {
  const { call, requirement, target } = given
  expect((await call('sendBulkMessages', { body: given.some.bulk(bulkChannel(target)) })).status).toBe(
    requirement.status,
  )
})

keeps('message.bulkRequires', async (given) => {
  await given.requires('sendBulkMessages', () => ({ body: given.some.bulk(bulkChannel(given.target)) }))
})

keeps('message.bulkEmailRequiresASubject', async (given) => {
  await given.requires('sendBulkMessages', () => ({ body: given.some.bulk('email') }))
})

keeps('message.bulkSmsNeedsNoSubject', async (given) => {
  await given.accepts('sendBulkMessages', { body: given.some.bulk('sms') })
})

keeps('message.bulkChannelsAreTaken', async (given) => {
  const { accepts, ask, requirement } = given
  for (const channel of requirement.values) {
    const template = channel === 'whatsapp' ? await findApprovedTemplate(given) : undefined
    const body = { ...given.some.bulk(channel), ...template }
    // Whether WhatsApp takes a message without a template is left open.
    await (channel === 'whatsapp' && !template ? ask : accepts)('sendBulkMessages', { body })
  }
})

keeps('message.otherBulkChannelsAreRefused', async (given) => {
  const { requirement, refuses, target } = given
  for (const channel of requirement.values)
    for (const other of channels(target))
      await refuses('sendBulkMessages', { body: { ...given.some.bulk(other), channel } })
})

keeps('message.bulkTakesAList', async (given) => {
  for (const channel of channels(given.target)) {
    const to = chooseRecipients(2, channel, given).join(',')
    await given.accepts('sendBulkMessages', { body: given.some.bulk(channel, { to }) })
  }
})

keeps('message.bulkProviderMatchesTheChannel', async (given) => {
  const { provider, refuses } = given
  const others = [
    ['email', 'sms'],
    ['sms', 'whatsapp'],
    ['whatsapp', 'email'],
  ] as const
  for (const [channel, other] of others)
    await refuses('sendBulkMessages', { body: { ...given.some.bulk(channel), providerId: provider(other, 'id') } })
})

keeps('message.bulkTakesOptionalFields', async (given) => {
  const { requirement, target } = given
  const fields = pick(requirement.fields, { ...extrasFor(given), preheader: 'Also on Sundays' })
  const { preheader, ...others } = fields
  const { mediaUrl, mediaType, attachments, ...plain } = others
  for (const channel of channels(target)) {
    const body = given.some.bulk(channel, channel === 'email' ? fields : others)
    // A provider may send no files by SMS.
    const isPlain = channel === 'sms' && !(await given.call('sendBulkMessages', { body })).succeeded
    if (isPlain && target.providers.email)
      await given.accepts('sendBulkMessages', { body: given.some.bulk(channel, plain) })
    else await acceptsMedia(given, 'sendBulkMessages', body)
  }
})

/** A day in several forms, since none is documented. It is far off, because nothing cancels a scheduled send. */
const iso = { date: '2099-01-31', time: '09:00' }
const others = ['2099-01-31', inAMonth().slice(0, '2099-01-31'.length)].flatMap((day) => {
  const [year, month, date] = day.split('-')
  return [
    { date: day, time: '09:00' },
    { date: day, time: '09:00:00' },
    { date: `${date}/${month}/${year}`, time: '09:00' },
    { date: `${date}.${month}.${year}`, time: '09:00' },
    { date: `${month}/${date}/${year}`, time: '9:00 AM' },
    { date: `${day}T09:00:00.000Z`, time: '09:00' },
  ]
})

/** Schedules a send for that day, or one within a year, in the first form that the server accepts. */
async function schedule(body: Bulk, { call, target }: Tools): Promise<Bulk> {
  if (!target.loopback) throw new Skipped('nothing cancels a scheduled send, so it is tried on this machine only')
  const scheduledFor = (scheduleTime: typeof iso): Bulk => ({ ...body, scheduleType: 'scheduled', scheduleTime })
  for (const scheduleTime of others)
    if ((await call('sendBulkMessages', { body: scheduledFor(scheduleTime) })).succeeded)
      return scheduledFor(scheduleTime)
  throw new Inconclusive(
    'the form of a scheduled time is left open, and this server takes none of those that were tried',
  )
}

keeps('message.bulkSchedulesAreTaken', async (given) => {
  const { accepts, target } = given
  const body = given.some.bulk(bulkChannel(target))
  await accepts('sendBulkMessages', { body: { ...body, scheduleType: 'now' } })
  await accepts('sendBulkMessages', { body: await schedule(body, given) })
})

keeps('message.otherBulkSchedulesAreRefused', async (given) => {
  const body = given.some.bulk(bulkChannel(given.target))
  await given.refuses('sendBulkMessages', { body: { ...body, scheduleType: 'someday' } })
  await given.refuses('sendBulkMessages', { body: { ...body, scheduleType: 'someday', scheduleTime: iso } })
})

keeps('message.bulkTakesATemplate', async (given) => {
  const template = await approvedTemplate(given)
  await given.accepts('sendBulkMessages', { body: given.some.bulk('whatsapp', template) })
})

/** The conversations of new contacts, and the list of their addresses. */
async function makeConversations(count: number, channel: Channel, given: Tools) {
  const addresses = chooseRecipients(count, channel, given)
  const ids: string[] = []
  for (const address of addresses) {
    const fields = channel === 'email' ? { email: address } : { phone: address }
    ids.push((await given.make.conversation(fields))._id)
  }
  return { ids, to: addresses.join(',') }
}

type Sent = Pick<Bulk, 'channel' | 'content' | 'subject'>
type IsMeant = (message: Schemas['Message'], sent: Sent) => boolean

const hasContent: IsMeant = ({ content }, sent) => content === sent.content

/** With the same channel and, as an e-mail, the same subject. */
const isLike: IsMeant = (message, { channel, content, subject }) =>
  message.content === content && message.channel === channel && (channel !== 'email' || message.subject === subject)

/** How many of these messages are in each of the conversations. */
async function countMessages(
  sent: Sent,
  ids: readonly string[],
  given: Tools,
  isMeant = hasContent,
): Promise<readonly number[]> {
  const counts: number[] = []
  for (const id of ids)
    counts.push(messagesOn(await historyOf(given, id)).filter((message) => isMeant(message, sent)).length)
  return counts
}

/** The same once there is one in each, or when no more have come for two seconds: how fast a queue is worked off is left open. */
async function countOnceDelivered(
  sent: Sent,
  ids: readonly string[],
  given: Tools,
  isMeant = hasContent,
): Promise<readonly number[]> {
  let came = 0
  let end = Date.now() + 2000
  for (let pause = 10; ; pause = Math.min(2 * pause, 200)) {
    const counts = await countMessages(sent, ids, given, isMeant)
    const delivered = counts.filter((count) => count > 0).length
    if (delivered > came) end = Date.now() + 2000
    if (delivered === ids.length || Date.now() > end) return counts
    came = delivered
    await sleep(pause)
  }
}

const notYet = () => new Inconclusive('no queued message has been sent so far')

keeps('message.bulkReachesEveryone', async (given) => {
  const { target } = given
  const all: readonly Channel[] = [...channels(target), ...(target.providers.whatsapp ? (['whatsapp'] as const) : [])]
  await each<Channel>(target.loopback ? all : [bulkChannel(target)], (channel) => reachesEveryone(channel, given))
})

/** Sends to more than ten, or to as many as the server takes at once. */
async function reachesEveryone(channel: Channel, given: Tools): Promise<void> {
  const isFirst = channel === bulkChannel(given.target)
  for (const count of given.target.loopback ? [isFirst ? 12 : 3, 3, 2] : [2]) {
    const { ids, to } = await makeConversations(count, channel, given)
    const body = given.some.bulk(channel, { to })
    if (!(await given.call('sendBulkMessages', { body })).succeeded) continue
    const counts = await countOnceDelivered(body, ids, given)
    if (counts.every((one) => one === 0)) throw notYet()
    expect(counts).toEqual(ids.map(() => 1))
    expect(await countMessages(body, ids, given, isLike)).toEqual(counts)
    if (given.target.loopback && isFirst) await keepsTellingText(body, ids, given)
    return
  }
  throw new Inconclusive(`no send to several was accepted on channel ${channel}`)
}

/** A text beyond ASCII reaches everyone as it is: a long one or, where that is refused, a short one. */
async function keepsTellingText(body: Bulk, ids: readonly string[], given: Tools): Promise<void> {
  for (const text of [tellingText, tellingName]) {
    const telling = { ...body, content: `${body.content} ${text}` }
    if (!(await given.call('sendBulkMessages', { body: telling })).succeeded) continue
    expect(await countOnceDelivered(telling, ids, given)).toEqual(ids.map(() => 1))
    return
  }
}

/** However the lines are broken. */
const hasWords: IsMeant = ({ content }, sent) =>
  content.split(/\s+/).join(' ').includes(sent.content.split(/\s+/).join(' '))

/** How a line break is written is left open. */
const hasLines: IsMeant = ({ content }, sent) => content.replaceAll(/\r\n?/g, '\n').includes(sent.content)

keeps('message.bulkKeepsItsLineBreaks', async (given) => {
  const { ids, to } = await makeConversations(1, 'sms', given)
  const body = given.some.bulk('sms', { to, content: `${given.mint.name('Text')}\n${tellingLines}` })
  await given.ask('sendBulkMessages', { body })
  const counts = await countOnceDelivered(body, ids, given, hasWords)
  if (counts.includes(0)) throw notYet()
  expect(await countMessages(body, ids, given, hasLines)).toEqual(counts)
})

keeps('message.bulkMakesMissingContacts', async (given) => {
  const { ask, target } = given
  const channel = bulkChannel(target)
  const [address = ''] = chooseRecipients(1, channel, given)
  const body = given.some.bulk(channel, { to: address })
  await ask('sendBulkMessages', { body })
  await sleep(target.loopback ? 50 : 2000)
  // Finds the contact that the send has created; one that is created now has an empty history.
  const known = channel === 'email' ? { email: address } : { phone: address }
  const { data } = await ask('findOrCreateConversation', { body: known })
  expect(await countOnceDelivered(body, [data._id], given)).toEqual([1])
})

keeps('message.bulkWaitsForItsTime', async (given) => {
  const { ask, target } = given
  const channel = bulkChannel(target)
  const { ids, to } = await makeConversations(target.loopback ? 2 : 1, channel, given)
  const later = given.some.bulk(channel, { to })
  await ask('sendBulkMessages', { body: await schedule(later, given) })
  const now = given.some.bulk(channel, { to })
  await ask('sendBulkMessages', { body: now })
  // The send that was queued later has been delivered.
  if ((await countOnceDelivered(now, ids, given)).includes(0)) throw notYet()
  expect(await countMessages(later, ids, given)).toEqual(ids.map(() => 0))
})
