import { expect } from 'vitest'
import type { BodyOf } from '../../spec/types.ts'
import { anyApprovedTemplate, approvedTemplate } from './approved-template.ts'
import { historyOf, messagesOn } from './history.ts'
import { Inconclusive, Skipped } from '../judge/outcome.ts'
import { sleep } from '../../client/pace.ts'
import { keeps } from './keeps.ts'
import { bulk, bulkChannel, extras, listedOf } from './sends.ts'
import type { Target } from '../../client/target/target.ts'
import type { Tools } from '../../client/tools.ts'

type Bulk = BodyOf<'sendBulkMessages'>
type Channel = Bulk['channel']

/** The channels of the two kinds of addresses that something can be sent to; `provider` says what is missing for none. */
function channels({ providers }: Target): readonly Channel[] {
  const possible = (['email', 'sms'] as const).filter((channel) => providers[channel])
  return possible.length === 0 ? ['email'] : possible
}

/** So many who may be written to. */
function recipients(count: number, channel: Channel, { mint, target }: Tools): string[] {
  const kind = channel === 'email' ? 'email' : 'phone'
  if (target.loopback) return Array.from({ length: count }, () => mint[kind]())
  const named = target.recipients[kind].slice(0, count)
  if (named.length < count) throw new Skipped(`it takes ${count} who may be written to: --${kind}-to`)
  return named
}

keeps('message.bulkAnswers200', async (given) => {
  const { call, promise, target } = given
  expect((await call('sendBulkMessages', { body: bulk(bulkChannel(target), given) })).status).toBe(promise.status)
})

keeps('message.bulkRequires', async (given) => {
  await given.requires('sendBulkMessages', () => ({ body: bulk(bulkChannel(given.target), given) }))
})

keeps('message.bulkEmailRequiresASubject', async (given) => {
  await given.requires('sendBulkMessages', () => ({ body: bulk('email', given) }))
})

keeps('message.bulkSmsNeedsNoSubject', async (given) => {
  await given.accepted('sendBulkMessages', { body: bulk('sms', given) })
})

keeps('message.bulkChannelsAreTaken', async (given) => {
  const { accepted, ask, promise } = given
  for (const channel of promise.values) {
    const template = channel === 'whatsapp' ? await anyApprovedTemplate(given) : undefined
    const body = { ...bulk(channel, given), ...template }
    // Whether WhatsApp takes a message without a template is left open.
    await (channel === 'whatsapp' && !template ? ask : accepted)('sendBulkMessages', { body })
  }
})

keeps('message.otherBulkChannelsAreRefused', async (given) => {
  const { promise, refused, target } = given
  for (const channel of promise.values)
    for (const other of channels(target))
      await refused('sendBulkMessages', { body: { ...bulk(other, given), channel } })
})

keeps('message.bulkTakesAList', async (given) => {
  for (const channel of channels(given.target)) {
    const to = recipients(2, channel, given).join(',')
    await given.accepted('sendBulkMessages', { body: bulk(channel, given, { to }) })
  }
})

keeps('message.bulkProviderMatchesTheChannel', async (given) => {
  const { provider, refused } = given
  const others = [
    ['email', 'sms'],
    ['sms', 'whatsapp'],
    ['whatsapp', 'email'],
  ] as const
  for (const [channel, other] of others)
    await refused('sendBulkMessages', { body: { ...bulk(channel, given), providerId: provider(other, 'id') } })
})

keeps('message.bulkTakesOptionalFields', async (given) => {
  const { accepted, promise, target } = given
  const fields = listedOf({ ...extras, preheader: 'Also on Sundays' }, promise.fields)
  const { preheader, ...others } = fields
  for (const channel of channels(target))
    await accepted('sendBulkMessages', { body: bulk(channel, given, channel === 'email' ? fields : others) })
})

/** One day in ways to write it, since none is documented. It is far off: nothing takes back what is scheduled. */
const iso = { date: '2099-01-31', time: '09:00' }
const others = [
  { date: '2099-01-31', time: '09:00:00' },
  { date: '31/01/2099', time: '09:00' },
  { date: '01/31/2099', time: '9:00 AM' },
]

/** Puts off a send to that day, written as the server takes it; as ISO 8601 has it when it takes none. */
async function scheduled(body: Bulk, { call, target }: Tools): Promise<Bulk> {
  if (!target.loopback) throw new Skipped('nothing takes back what is scheduled, so it is tried on this machine only')
  const putOff = (scheduleTime: typeof iso): Bulk => ({ ...body, scheduleType: 'scheduled', scheduleTime })
  for (const scheduleTime of [iso, ...others])
    if ((await call('sendBulkMessages', { body: putOff(scheduleTime) })).succeeded) return putOff(scheduleTime)
  return putOff(iso)
}

keeps('message.bulkSchedulesAreTaken', async (given) => {
  const { accepted, target } = given
  const body = bulk(bulkChannel(target), given)
  await accepted('sendBulkMessages', { body: { ...body, scheduleType: 'now' } })
  await accepted('sendBulkMessages', { body: await scheduled(body, given) })
})

keeps('message.otherBulkSchedulesAreRefused', async (given) => {
  const body = bulk(bulkChannel(given.target), given)
  await given.refused('sendBulkMessages', { body: { ...body, scheduleType: 'someday' } })
  await given.refused('sendBulkMessages', { body: { ...body, scheduleType: 'someday', scheduleTime: iso } })
})

keeps('message.bulkTakesATemplate', async (given) => {
  const template = await approvedTemplate(given)
  await given.accepted('sendBulkMessages', { body: bulk('whatsapp', given, template) })
})

/** The conversations of new contacts, and the list of their addresses. */
async function known(count: number, channel: Channel, given: Tools) {
  const addresses = recipients(count, channel, given)
  const ids: string[] = []
  for (const address of addresses) {
    const fields = channel === 'email' ? { email: address } : { phone: address }
    ids.push((await given.made.conversation(fields))._id)
  }
  return { ids, to: addresses.join(',') }
}

/** How often a text stands in each of the conversations. */
async function timesSaid(content: string, ids: readonly string[], given: Tools): Promise<readonly number[]> {
  const counts: number[] = []
  for (const id of ids) {
    const said = messagesOn(await historyOf(given, id))
    counts.push(said.filter((message) => message.content === content).length)
  }
  return counts
}

/** The same once it stands in all of them, or two seconds have passed: when a queue is worked off is left open. */
async function timesSaidInTime(content: string, ids: readonly string[], given: Tools): Promise<readonly number[]> {
  const end = Date.now() + 2000
  for (;;) {
    const counts = await timesSaid(content, ids, given)
    if (counts.every((count) => count > 0) || Date.now() > end) return counts
    await sleep(10)
  }
}

const notYet = () => new Inconclusive('nothing of what was queued has been sent so far')

keeps('message.bulkReachesEveryone', async (given) => {
  const { ask, target } = given
  const channel = bulkChannel(target)
  const { ids, to } = await known(2, channel, given)
  const body = bulk(channel, given, { to })
  await ask('sendBulkMessages', { body })
  const counts = await timesSaidInTime(body.content, ids, given)
  if (counts.every((count) => count === 0)) throw notYet()
  expect(counts).toEqual(ids.map(() => 1))
})

keeps('message.bulkWaitsForItsTime', async (given) => {
  const { ask, target } = given
  const channel = bulkChannel(target)
  const { ids, to } = await known(1, channel, given)
  const later = bulk(channel, given, { to })
  await ask('sendBulkMessages', { body: await scheduled(later, given) })
  const now = bulk(channel, given, { to })
  await ask('sendBulkMessages', { body: now })
  // What was queued after it is there.
  if ((await timesSaidInTime(now.content, ids, given)).includes(0)) throw notYet()
  expect(await timesSaid(later.content, ids, given)).toEqual([0])
})
