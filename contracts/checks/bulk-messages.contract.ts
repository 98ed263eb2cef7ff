import { expect } from 'vitest'
import { bulkChannel } from '../client/bodies.ts'
import { findApprovedTemplate, fromTemplate, historyOf, messagesOn } from '../client/messages.ts'
import { sleep } from '../client/sleep.ts'
import type { Target } from '../client/target/target.ts'
import type { Tools } from '../client/tools.ts'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import { Inconclusive, Skipped } from '../judge/outcome.ts'
import { each } from './each-operation.ts'
import { keeps } from './keeps.ts'
import { acceptsMedia, approvedTemplate } from './sends.ts'
import { inAMonth, longText, optionalFields, pick, severalLines, unusualName, withLineFeeds } from './values.ts'

type Bulk = BodyOf<'sendBulkMessages'>
type Channel = Bulk['channel']

/** The channels with a provider. Without any, the tools skip the check of an e-mail. */
function channels({ providers }: Target): readonly Channel[] {
  const possible = (['email', 'sms'] as const).filter((channel) => providers[channel])
  return possible.length === 0 ? ['email'] : possible
}

const kindOf = (channel: Channel) => (channel === 'email' ? 'email' : 'phone')

/** The addresses of so many possible recipients. */
function chooseRecipients(count: number, channel: Channel, { mint, target }: Tools): string[] {
  const kind = kindOf(channel)
  if (target.loopback) return Array.from({ length: count }, () => mint[kind]())
  const named = target.recipients[kind].slice(0, count)
  if (named.length < count) throw new Skipped(`needs ${count} people who may be written to: --${kind}-to`)
  return named
}

keeps('message.bulkSmsNeedsNoSubject', async ({ accepts, some }) => {
  await accepts('sendBulkMessages', { body: some.bulk('sms') })
})

keeps('message.bulkChannelsAreTaken', async ({ accepts, ask, requirement, some }, context) => {
  for (const channel of requirement.values) {
    const template = channel === 'whatsapp' ? await findApprovedTemplate(context) : undefined
    const body = { ...some.bulk(channel), ...(template && fromTemplate(template)) }
    // The specification leaves open whether WhatsApp accepts a message without a template.
    await (channel === 'whatsapp' && !template ? ask : accepts)('sendBulkMessages', { body })
  }
})

keeps('message.otherBulkChannelsAreRefused', async ({ requirement, refuses, some, target }) => {
  for (const channel of requirement.values)
    for (const other of channels(target)) await refuses('sendBulkMessages', { body: { ...some.bulk(other), channel } })
})

keeps('message.bulkTakesAList', async (context) => {
  for (const channel of channels(context.target)) {
    const to = chooseRecipients(2, channel, context).join(',')
    await context.accepts('sendBulkMessages', { body: context.some.bulk(channel, { to }) })
  }
})

keeps('message.bulkProviderMatchesTheChannel', async ({ call, provider, requirement, some }) => {
  const all = ['email', 'sms', 'whatsapp'] as const
  for (const channel of all)
    for (const other of all.filter((one) => one !== channel)) {
      const body = { ...some.bulk(channel), providerId: provider(other, 'id') }
      expect(requirement.values).toContain((await call('sendBulkMessages', { body })).status)
    }
})

keeps('message.bulkTakesOptionalFields', async ({ accepts, call, requirement, some, target }, context) => {
  const fields = pick(requirement.fields, { ...optionalFields(context), preheader: 'Also on Sundays' })
  const { preheader, ...others } = fields
  const { mediaUrl, mediaType, attachments, ...plain } = others
  for (const channel of channels(target)) {
    const body = some.bulk(channel, channel === 'email' ? fields : others)
    // A provider may send no files by SMS.
    const isPlain = channel === 'sms' && !(await call('sendBulkMessages', { body })).succeeded
    if (isPlain && target.providers.email) await accepts('sendBulkMessages', { body: some.bulk(channel, plain) })
    else await acceptsMedia(context, 'sendBulkMessages', body)
  }
})

/** A time on this day in several formats, since none is documented; the first two can be read in one way only. */
function formatsOf(day: string): readonly NonNullable<Bulk['scheduleTime']>[] {
  const [year, month, date] = day.split('-')
  return [
    { date: day, time: '09:00' },
    { date: day, time: '09:00:00' },
    { date: `${date}/${month}/${year}`, time: '09:00' },
    { date: `${date}.${month}.${year}`, time: '09:00' },
    { date: `${month}/${date}/${year}`, time: '9:00 AM' },
    { date: `${day}T09:00:00.000Z`, time: '09:00' },
  ]
}

/** Far off, because no operation cancels a send. */
const inManyYears = formatsOf('2099-01-31')
const nextMonth = formatsOf(inAMonth().slice(0, '2099-01-31'.length))

/** The bodies that the server accepts for one of these times, up to so many. */
async function schedule(
  write: () => Bulk,
  times: readonly NonNullable<Bulk['scheduleTime']>[],
  { call, target }: Tools,
  most = Infinity,
): Promise<readonly Bulk[]> {
  if (!target.loopback) throw new Skipped('nothing cancels a scheduled send, so it is tried on this machine only')
  const accepted: Bulk[] = []
  for (const scheduleTime of times) {
    const body: Bulk = { ...write(), scheduleType: 'scheduled', scheduleTime }
    if ((await call('sendBulkMessages', { body })).succeeded) accepted.push(body)
    if (accepted.length === most) break
  }
  if (accepted.length > 0) return accepted
  throw new Inconclusive(
    'the form of a scheduled time is left open, and this server takes none of those that were tried',
  )
}

keeps('message.bulkSchedulesAreTaken', async (context) => {
  const write = () => context.some.bulk(bulkChannel(context.target))
  await context.accepts('sendBulkMessages', { body: { ...write(), scheduleType: 'now' } })
  await schedule(write, [...inManyYears, ...nextMonth], context, 1)
})

keeps('message.bulkTakesATemplate', async (context) => {
  const template = await approvedTemplate(context)
  // Beyond this machine, one person is enough.
  const to = context.target.loopback ? { to: chooseRecipients(2, 'whatsapp', context).join(',') } : {}
  await context.accepts('sendBulkMessages', { body: context.some.bulk('whatsapp', { ...template, ...to }) })
})

/** The conversations of new contacts, and the list of their addresses. */
async function makeConversations(count: number, channel: Channel, tools: Tools) {
  const addresses = chooseRecipients(count, channel, tools)
  const ids: string[] = []
  for (const address of addresses) ids.push((await tools.make.conversation({ [kindOf(channel)]: address }))._id)
  return { ids, to: addresses.join(',') }
}

type Sent = Pick<Bulk, 'channel' | 'content' | 'subject'>
type Matches = (message: Schemas['Message'], sent: Sent) => boolean

/** A server may append a text, such as how to unsubscribe. A digit would make it another message of the run. */
const hasContent: Matches = ({ content }, sent) => {
  const at = content.indexOf(sent.content)
  return at >= 0 && !/^\d/.test(content.slice(at + sent.content.length))
}

/** With the same channel and, as an e-mail, the same subject. */
const isAlike: Matches = (message, sent) =>
  hasContent(message, sent) &&
  message.channel === sent.channel &&
  (sent.channel !== 'email' || message.subject === sent.subject)

/** How many of these messages each of the conversations contains. */
async function countMessages(sent: Sent, ids: readonly string[], tools: Tools, matches = hasContent) {
  return (await readHistories(ids, tools)).map((messages) => countIn(messages, sent, matches))
}

type Messages = readonly Schemas['Message'][]

async function readHistories(ids: readonly string[], tools: Tools): Promise<readonly Messages[]> {
  const histories: Messages[] = []
  for (const id of ids) histories.push(messagesOn(await historyOf(tools, id)))
  return histories
}

const countIn = (messages: Messages, sent: Sent, matches: Matches) =>
  messages.filter((message) => matches(message, sent)).length

/** The longest pause, in milliseconds, before the first message of a bulk send, and between its messages. */
const longestPause = { before: 2000, between: 10_000 }

/** Counts once each conversation contains a message, or when no other message arrives. */
const countOnceDelivered = async (sent: Sent, ids: readonly string[], tools: Tools, matches = hasContent) =>
  (await readOnceDelivered(sent, ids, tools, matches)).map((messages) => countIn(messages, sent, matches))

async function readOnceDelivered(
  sent: Sent,
  ids: readonly string[],
  tools: Tools,
  matches = hasContent,
): Promise<readonly Messages[]> {
  let before = 0
  let end = Date.now() + longestPause.before
  for (let pause = 10; ; pause = Math.min(2 * pause, 200)) {
    const histories = await readHistories(ids, tools)
    const delivered = histories.filter((messages) => countIn(messages, sent, matches) > 0).length
    if (delivered > before) end = Date.now() + longestPause.between
    if (delivered === ids.length || Date.now() > end) return histories
    before = delivered
    await sleep(pause)
  }
}

const notYet = () => new Inconclusive('no queued message has been sent so far')

keeps('message.bulkReachesEveryone', async ({ target }, context) => {
  const all: readonly Channel[] = [...channels(target), ...(target.providers.whatsapp ? (['whatsapp'] as const) : [])]
  await each<Channel>(target.loopback ? all : [bulkChannel(target)], (channel) => reachesEveryone(channel, context))
})

/** Sends to more than ten, or to as many as the server accepts at once. */
async function reachesEveryone(channel: Channel, tools: Tools): Promise<void> {
  const { call, some, target } = tools
  const isFirst = channel === bulkChannel(target)
  for (const count of target.loopback ? [isFirst ? 11 : 2, 3, 2] : [2]) {
    const { ids, to } = await makeConversations(count, channel, tools)
    const body = some.bulk(channel, { to })
    if (!(await call('sendBulkMessages', { body })).succeeded) continue
    const histories = await readOnceDelivered(body, ids, tools)
    const counts = histories.map((messages) => countIn(messages, body, hasContent))
    if (counts.every((one) => one === 0)) throw notYet()
    expect(counts).toEqual(ids.map(() => 1))
    expect(histories.map((messages) => countIn(messages, body, isAlike))).toEqual(counts)
    if (!target.loopback || !isFirst) return
    // The longest of these texts that the server accepts arrives as it is.
    for (const text of [longText, unusualName]) {
      const unusual = { ...body, content: `${body.content} ${text}` }
      if (!(await call('sendBulkMessages', { body: unusual })).succeeded) continue
      expect(await countOnceDelivered(unusual, ids.slice(0, 2), tools)).toEqual([1, 1])
      return
    }
    return
  }
  throw new Inconclusive(`no send to several was accepted on channel ${channel}`)
}

const withoutBreaks = (text: string) => text.split(/\s+/).join(' ')

keeps('message.bulkKeepsItsLineBreaks', async (context) => {
  const { ids, to } = await makeConversations(1, 'sms', context)
  const body = context.some.bulk('sms', { to, content: `${context.mint.name('Text')}\n${severalLines}` })
  await context.ask('sendBulkMessages', { body })
  const hasWords: Matches = ({ content }, sent) => withoutBreaks(content).includes(withoutBreaks(sent.content))
  const hasLines: Matches = ({ content }, sent) => withLineFeeds(content)?.includes(sent.content) ?? false
  const counts = await countOnceDelivered(body, ids, context, hasWords)
  if (counts.includes(0)) throw notYet()
  expect(await countMessages(body, ids, context, hasLines)).toEqual(counts)
})

keeps('message.bulkForNowIsSentAtOnce', async ({ ask, some, target }, context) => {
  const channel = bulkChannel(target)
  const { ids, to } = await makeConversations(target.loopback ? 2 : 1, channel, context)
  const body = some.bulk(channel, { to, scheduleType: 'now' })
  await ask('sendBulkMessages', { body })
  expect(await countOnceDelivered(body, ids, context)).toEqual(ids.map(() => 1))
})

keeps('message.bulkMakesMissingContacts', async ({ ask, make, some, target }, context) => {
  const channel = bulkChannel(target)
  const [known = '', stranger = ''] = chooseRecipients(2, channel, context)
  const { _id } = await make.conversation({ [kindOf(channel)]: known })
  const body = some.bulk(channel, { to: `${stranger},${known}` })
  await ask('sendBulkMessages', { body })
  if ((await countOnceDelivered(body, [_id], context)).includes(0)) throw notYet()
  // Finds the contact that the send has created. A contact that this request creates has an empty history.
  const { data } = await ask('findOrCreateConversation', { body: { [kindOf(channel)]: stranger } })
  expect(await countOnceDelivered(body, [_id, data._id], context)).toEqual([1, 1])
})

keeps('message.bulkWaitsForItsTime', async ({ ask, some, target }, context) => {
  const channel = bulkChannel(target)
  const { ids, to } = await makeConversations(target.loopback ? 2 : 1, channel, context)
  const write = () => some.bulk(channel, { to })
  // In a month, a day may be read as a month that has passed.
  const later = await schedule(write, [...inManyYears, ...nextMonth.slice(0, 2)], context)
  const now = write()
  await ask('sendBulkMessages', { body: now })
  const histories = await readOnceDelivered(now, ids, context)
  const countsOf = (sent: Sent) => histories.map((messages) => countIn(messages, sent, hasContent))
  for (const one of later) expect(countsOf(one)).toEqual(ids.map(() => 0))
  if (countsOf(now).includes(0)) throw notYet()
})
