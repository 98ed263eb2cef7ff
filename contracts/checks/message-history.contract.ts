import { expect } from 'vitest'
import type { Answer } from '../../client/answer.ts'
import { sending } from '../../client/operations.ts'
import type { Tools } from '../../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { historyOf, idsOn, messagesOn } from './history.ts'
import { keeps } from './keeps.ts'
import { makeConversation } from './sends.ts'

type Page = Answer<'listMessages'>

/** A conversation, and the ids of its messages. */
interface Talk {
  readonly conversationId: string
  readonly ids: readonly string[]
}

async function startTalk(count: number, given: Tools): Promise<Talk> {
  const { _id: conversationId } = await makeConversation('sendLiveMessage', given)
  const ids: string[] = []
  while (ids.length < count)
    ids.push((await given.ask('sendLiveMessage', { body: given.some.chat({ conversationId }) })).data._id)
  return { conversationId, ids }
}

/** The first page of a history, with messages. */
async function readPageAfter(count: number, given: Tools): Promise<Page> {
  const page = await historyOf(given, (await startTalk(count, given)).conversationId)
  if (messagesOn(page).length === 0) throw new Inconclusive('the history does not show the messages that were sent')
  return page
}

keeps('message.historyAnswers200', async (given) => {
  expect((await readPageAfter(1, given)).status).toBe(given.requirement.status)
})

keeps('message.historyIsGrouped', async (given) => {
  for (const { date, messages } of (await readPageAfter(2, given)).data) {
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(messages).toBeInstanceOf(Array)
  }
})

keeps('message.historyDatesAreDistinct', async (given) => {
  const dates = (await readPageAfter(3, given)).data.map(({ date }) => date)
  expect(dates).toEqual([...new Set(dates)])
})

keeps('message.historyDatesFit', async (given) => {
  for (const { date, messages } of (await readPageAfter(1, given)).data)
    for (const { createdAt } of messages)
      expect({ createdAt, date }).toEqual({ createdAt, date: expect.toBeOneOf(datesOf(createdAt)) as string })
})

/** The dates of a moment in all time zones, from twelve hours behind UTC to fourteen ahead. */
const datesOf = (moment: string) =>
  [-12, 0, 14].map((hours) => new Date(Date.parse(moment) + hours * 3_600_000).toISOString().slice(0, 10))

keeps('message.historyHoldsMessages', async (given) => {
  for (const message of messagesOn(await readPageAfter(1, given)))
    for (const field of given.requirement.fields) expect(message).toHaveProperty(field, expect.stringMatching(/./))
})

keeps('message.historyHasPagination', async (given) => {
  const { pagination } = await readPageAfter(1, given)
  for (const field of given.requirement.fields)
    expect(pagination).toHaveProperty(field, expect.any(field === 'hasMore' ? Boolean : Number))
})

keeps('message.historyTotal', async (given) => {
  const { conversationId, ids } = await startTalk(2, given)
  const page = await historyOf(given, conversationId)
  const { data, pagination } = page
  // The service may add messages of its own.
  const count = Math.max(idsOn(page).length, ids.length)
  if (pagination.total === count) given.observe('historyCounts', 'messages')
  else if (pagination.total === data.length) given.observe('historyCounts', 'days')
  expect(pagination.total).toBe(count)
  expect((await historyOf(given, conversationId, { limit: 1 })).pagination.total).toBe(count)
  await countsWhatIsFiltered(given)
})

/** With a filter, it counts what the filter leaves. Off this machine few messages may be sent. */
async function countsWhatIsFiltered(given: Tools): Promise<void> {
  const { make, recipient, target } = given
  if (!target.loopback) return
  const conversation = await make.conversation({ email: recipient.email(), phone: recipient.phone() })
  await sendOn('chat', conversation, given)
  for (const channel of ['email', 'sms'] as const) await sendOn(channel, conversation, given)
  const page = await historyOf(given, conversation._id, { channel: 'chat', limit: 20 })
  expect(page.pagination.total).toBe(idsOn(page).length)
}

keeps('message.historyTotalIsACount', async (given) => {
  const { conversationId, ids } = await startTalk(3, given)
  const short = await historyOf(given, conversationId, { limit: 2 })
  const page = await historyOf(given, conversationId, { limit: 20 })
  if (!ids.every((id) => idsOn(page).includes(id)))
    throw new Inconclusive('the history does not show all messages that were sent')
  expect([idsOn(page).length, page.data.length]).toContain(page.pagination.total)
  // It counts the history, and not the page.
  expect(short.pagination.total).toBe(page.pagination.total)
})

keeps('message.historyCurrentPage', async (given) => {
  const { conversationId, ids } = await startTalk(2, given)
  const first = await historyOf(given, conversationId, { page: 1, limit: 1 })
  expect(first.pagination.currentPage).toBe(1)
  if (idsOn(first).length >= ids.length) throw new Inconclusive('one page shows all messages')
  const second = await historyOf(given, conversationId, { page: 2, limit: 1 })
  expect(second.pagination.currentPage).toBe(2)
})

/** With these limits three messages fill the last page, or leave room on it. */
const limits = [1, 2, 3]

/** More than a page of ten; where each message counts, as many as must be. */
const many = ({ target }: Tools) => (target.loopback ? 12 : 3)

/** The pages of a history until one brings nothing new: what an answer says about its end may be wrong. */
async function pagesOf({ conversationId, ids }: Talk, limit: number, given: Tools, filter = {}): Promise<Page[]> {
  const pages = [await historyOf(given, conversationId, { limit, ...filter })]
  // The service may add messages of its own, such as a reply to each.
  while (pages.length < 2 * ids.length + 5) {
    const query = { page: pages.length + 1, limit, ...filter }
    const next = await given.call('listMessages', { path: { conversationId }, query })
    const seen = new Set(pages.flatMap(idsOn))
    if (!next.succeeded || idsOn(next).every((id) => seen.has(id))) break
    pages.push(next)
  }
  return pages
}

keeps('message.historyPagesAddUp', async (given) => {
  const talk = await startTalk(many(given), given)
  for (const limit of [2, 5, 11, 12]) {
    const listed = (await pagesOf(talk, limit, given)).flatMap(idsOn)
    expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
    expect(listed).toEqual(expect.arrayContaining([...talk.ids]))
  }
})

/** The pages of a history with all messages. */
async function allPagesOf(talk: Talk, limit: number, given: Tools): Promise<Page[]> {
  const pages = await pagesOf(talk, limit, given)
  const seen = pages.flatMap(idsOn)
  if (talk.ids.every((id) => seen.includes(id))) return pages
  throw new Inconclusive('the pages do not show all messages')
}

keeps('message.historyTotalPages', async (given) => {
  const talk = await startTalk(3, given)
  for (const limit of limits) {
    const pages = await allPagesOf(talk, limit, given)
    expect(pages.map(({ pagination }) => pagination.totalPages)).toEqual(pages.map(() => pages.length))
  }
})

keeps('message.historyHasMore', async (given) => {
  const talk = await startTalk(3, given)
  for (const limit of limits) {
    const pages = await allPagesOf(talk, limit, given)
    expect(pages.map(({ pagination }) => pagination.hasMore)).toEqual(pages.map((page) => page !== pages.at(-1)))
  }
})

keeps('message.historyLimitHolds', async (given) => {
  const talk = await startTalk(many(given), given)
  for (const limit of [...limits, 10, 11])
    for (const page of await pagesOf(talk, limit, given)) expect(idsOn(page).length).toBeLessThanOrEqual(limit)
})

keeps('message.historyIsOfOneConversation', async (given) => {
  const [talk, silence] = [await startTalk(1, given), await given.make.conversation()]
  for (const query of [{}, { channel: 'chat' }]) {
    for (const { conversationId } of messagesOn(await historyOf(given, talk.conversationId, query)))
      expect(conversationId).toBe(talk.conversationId)
    const others = messagesOn(await historyOf(given, silence._id, query))
    given.observe('addedMessages', others.length === 0 ? 'none' : 'welcome')
    expect(others.filter((one) => talk.ids.includes(one._id) || one.conversationId !== silence._id)).toEqual([])
  }
})

keeps('message.historyFiltersByChannel', async (given) => {
  const { make, recipient, requirement } = given
  const conversation = await make.conversation({ email: recipient.email(), phone: recipient.phone() })
  const before = await sendChats(6, conversation, given)
  const sent: { channel: string; id: string }[] = []
  for (const channel of ['chat', ...requirement.values] as const) {
    const id = await sendOn(channel, conversation, given)
    if (id !== undefined) sent.push({ channel, id })
  }
  const chats = [...before, ...(await sendChats(5, conversation, given))]
  const talk = { conversationId: conversation._id, ids: sent.map(({ id }) => id) }
  const whole = idsOn(await historyOf(given, talk.conversationId, { limit: 50 }))
  const fitOnOne = talk.ids.every((id) => whole.includes(id))
  for (const channel of requirement.values) {
    const pages = fitOnOne
      ? [await historyOf(given, talk.conversationId, { channel, limit: 50 })]
      : await pagesOf(talk, 50, given, { channel })
    const [ids, expected] = [pages.flatMap(idsOn), sent.filter((message) => message.channel === channel)]
    expect(ids).toEqual(expect.arrayContaining(expected.map(({ id }) => id)))
    for (const page of pages) expect(new Set(idsOn(page)).size).toBe(idsOn(page).length)
    expect(pages.flatMap(messagesOn).filter((message) => message.channel !== channel)).toEqual([])
  }
  // With the others in between, each page has to be filtered.
  if (chats.length === 0) return
  const filtered = await pagesOf({ ...talk, ids: chats }, 5, given, { channel: 'chat' })
  expect(filtered.flatMap(messagesOn).filter(({ channel }) => channel !== 'chat')).toEqual([])
  expect(filtered.flatMap(idsOn)).toEqual(expect.arrayContaining(chats))
})

/** So many chat messages, so that a filter has to look further than at one page; none where each message counts. */
async function sendChats(
  count: number,
  { _id: conversationId }: Schemas['Conversation'],
  { ask, some, target }: Tools,
): Promise<string[]> {
  const ids: string[] = []
  while (target.loopback && ids.length < count)
    ids.push((await ask('sendLiveMessage', { body: some.chat({ conversationId }) })).data._id)
  return ids
}

/** Returns the id of the message; none without a provider, or if a message without a template is refused. */
async function sendOn(
  channel: 'chat' | 'email' | 'sms' | 'whatsapp',
  conversation: Schemas['Conversation'],
  given: Tools,
): Promise<string | undefined> {
  const { ask, call, target } = given
  const conversationId = conversation._id
  if (channel === 'chat') return (await ask('sendLiveMessage', { body: given.some.chat({ conversationId }) })).data._id
  if (!target.providers[channel]) return undefined
  const answer =
    channel === 'email'
      ? await call('sendEmailMessage', { body: given.some.email(sending.sendEmailMessage.into(conversation)) })
      : await call('sendMessage', { body: given.some.text({ channel, conversationId }) })
  return answer.succeeded ? answer.data._id : undefined
}
