import { expect } from 'vitest'
import { bulkChannel } from '../../client/operations/messages.ts'
import { sleep } from '../../client/sleep.ts'
import type { Target } from '../../client/target/target.ts'
import type { Tools } from '../../client/tools.ts'
import type { BodyOf } from '../../spec/types.ts'
import { Inconclusive, Skipped } from '../judge/outcome.ts'
import { approvedTemplate, findApprovedTemplate } from './approved-template.ts'
import { historyOf, messagesOn } from './history.ts'
import { keeps } from './keeps.ts'
import { inAMonth, pick } from './records.ts'
import { acceptsMedia, extrasFor } from './media.ts'

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
  for (const channel of channels(target))
    await acceptsMedia(given, 'sendBulkMessages', given.some.bulk(channel, channel === 'email' ? fields : others))
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

/** How many messages with this content are in each of the conversations. */
async function countMessages(content: string, ids: readonly string[], given: Tools): Promise<readonly number[]> {
  const counts: number[] = []
  for (const id of ids) {
    const messages = messagesOn(await historyOf(given, id))
    counts.push(messages.filter((message) => message.content === content).length)
  }
  return counts
}

/** The same once there is one in each, or after two seconds: when a queue is worked off is left open. */
async function countOnceDelivered(content: string, ids: readonly string[], given: Tools): Promise<readonly number[]> {
  const end = Date.now() + 2000
  for (;;) {
    const counts = await countMessages(content, ids, given)
    if (counts.every((count) => count > 0) || Date.now() > end) return counts
    await sleep(10)
  }
}

const notYet = () => new Inconclusive('no queued message has been sent so far')

keeps('message.bulkReachesEveryone', async (given) => {
  const { ask, target } = given
  const channel = bulkChannel(target)
  const { ids, to } = await makeConversations(target.loopback ? 4 : 2, channel, given)
  const body = given.some.bulk(channel, { to })
  await ask('sendBulkMessages', { body })
  const counts = await countOnceDelivered(body.content, ids, given)
  if (counts.every((count) => count === 0)) throw notYet()
  expect(counts).toEqual(ids.map(() => 1))
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
  expect(await countOnceDelivered(body.content, [data._id], given)).toEqual([1])
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
  if ((await countOnceDelivered(now.content, ids, given)).includes(0)) throw notYet()
  expect(await countMessages(later.content, ids, given)).toEqual(ids.map(() => 0))
})
