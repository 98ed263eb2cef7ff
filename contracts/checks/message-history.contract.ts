import { expect } from 'vitest'
import type { Answer } from '../client/answer.ts'
import { historyOf, messagesOn } from '../client/messages.ts'
import { sending } from '../client/operations.ts'
import type { Tools } from '../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { idsOn, makeConversation } from './sends.ts'
import { anyText } from './values.ts'

type Page = Answer<'listMessages'>

/** A conversation, and the ids of its messages. */
interface Chat {
  readonly conversationId: string
  readonly ids: readonly string[]
}

async function startChat(count: number, tools: Tools): Promise<Chat> {
  const { _id: conversationId } = await makeConversation('sendLiveMessage', tools)
  return { conversationId, ids: await sendChats(count, conversationId, tools) }
}

async function sendChats(count: number, conversationId: string, { ask, some }: Tools): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await ask('sendLiveMessage', { body: some.chat({ conversationId }) })).data._id)
  return ids
}

/** The first page of a history with so many messages. */
async function readPageAfter(count: number, tools: Tools): Promise<Page> {
  const page = await historyOf(tools, (await startChat(count, tools)).conversationId)
  if (messagesOn(page).length === 0) throw new Inconclusive('the history does not show the messages that were sent')
  return page
}

keeps('message.historyIsGrouped', async (context) => {
  for (const { date, messages } of (await readPageAfter(2, context)).data) {
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(messages).toBeInstanceOf(Array)
  }
})

keeps('message.historyDatesAreDistinct', async (context) => {
  const dates = (await readPageAfter(3, context)).data.map(({ date }) => date)
  expect(dates).toEqual([...new Set(dates)])
})

keeps('message.historyDatesFit', async (context) => {
  for (const { date, messages } of (await readPageAfter(1, context)).data)
    for (const { createdAt } of messages)
      expect({ createdAt, date }).toEqual({ createdAt, date: expect.toBeOneOf(datesOf(createdAt)) as string })
})

/** The dates of a moment in all time zones, from twelve hours behind UTC to fourteen ahead. */
const datesOf = (moment: string) =>
  [-12, 0, 14].map((hours) => new Date(Date.parse(moment) + hours * 3_600_000).toISOString().slice(0, 10))

keeps('message.historyHoldsMessages', async (context) => {
  for (const message of messagesOn(await readPageAfter(1, context)))
    for (const field of context.requirement.fields) expect(message).toHaveProperty(field, anyText)
})

keeps('message.historyHasPagination', async (context) => {
  const { pagination } = await readPageAfter(1, context)
  for (const field of context.requirement.fields)
    expect(pagination).toHaveProperty(field, expect.any(field === 'hasMore' ? Boolean : Number))
})

keeps('message.historyTotal', async ({ make, observe, recipient, target }, context) => {
  const { conversationId, ids } = await startChat(2, context)
  const page = await historyOf(context, conversationId)
  const { data, pagination } = page
  // A server may add messages, such as a reply to each.
  const count = Math.max(idsOn(page).length, ids.length)
  if (pagination.total === count) observe('historyCounts', 'messages')
  else if (pagination.total === data.length) observe('historyCounts', 'days')
  expect(pagination.total).toBe(count)
  expect((await historyOf(context, conversationId, { limit: 1 })).pagination.total).toBe(count)
  if (!target.loopback) return // there a run may send only a few messages
  const conversation = await make.conversation({ email: recipient.email(), phone: recipient.phone() })
  for (const channel of ['chat', 'email', 'sms'] as const) await sendOn(channel, conversation, context)
  const filtered = await historyOf(context, conversation._id, { channel: 'chat', limit: 20 })
  expect(filtered.pagination.total).toBe(idsOn(filtered).length)
})

keeps('message.historyTotalIsACount', async (context) => {
  const { conversationId, ids } = await startChat(3, context)
  const short = await historyOf(context, conversationId, { limit: 2 })
  const page = await historyOf(context, conversationId, { limit: 20 })
  if (!ids.every((id) => idsOn(page).includes(id)))
    throw new Inconclusive('the history does not show all messages that were sent')
  expect([idsOn(page).length, page.data.length]).toContain(page.pagination.total)
  // It counts the history, and not the page.
  expect(short.pagination.total).toBe(page.pagination.total)
})

keeps('message.historyCurrentPage', async (context) => {
  const { conversationId, ids } = await startChat(2, context)
  const first = await historyOf(context, conversationId, { page: 1, limit: 1 })
  expect(first.pagination.currentPage).toBe(1)
  if (idsOn(first).length >= ids.length) throw new Inconclusive('one page shows all messages')
  const second = await historyOf(context, conversationId, { page: 2, limit: 1 })
  expect(second.pagination.currentPage).toBe(2)
})

/** With these limits three messages fill the last page, or leave room on it. */
const limits = [1, 2, 3]

/** More than a page of ten. On another machine a run may send only a few messages. */
const many = ({ target }: Tools) => (target.loopback ? 12 : 3)

/** The pages of a history, up to a page without new messages: `hasMore` and `totalPages` may be wrong. */
async function pagesOf({ conversationId, ids }: Chat, limit: number, tools: Tools, filter = {}): Promise<Page[]> {
  const pages = [await historyOf(tools, conversationId, { limit, ...filter })]
  // A server may add messages, such as a reply to each.
  while (pages.length < 2 * ids.length + 5) {
    const query = { page: pages.length + 1, limit, ...filter }
    const next = await tools.call('listMessages', { path: { conversationId }, query })
    const seen = new Set(pages.flatMap(idsOn))
    if (!next.succeeded || idsOn(next).every((id) => seen.has(id))) break
    pages.push(next)
  }
  return pages
}

keeps('message.historyPagesAddUp', async (context) => {
  const chat = await startChat(many(context), context)
  for (const limit of [2, 5, 11, 12]) {
    const listed = (await pagesOf(chat, limit, context)).flatMap(idsOn)
    expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
    expect(listed).toEqual(expect.arrayContaining([...chat.ids]))
  }
})

for (const [id, field, valueAt] of [
  ['message.historyTotalPages', 'totalPages', (pages: Page[]) => pages.length],
  ['message.historyHasMore', 'hasMore', (pages: Page[], page: Page) => page !== pages.at(-1)],
] as const)
  keeps(id, async (context) => {
    const chat = await startChat(3, context)
    for (const limit of limits) {
      const pages = await pagesOf(chat, limit, context)
      const seen = pages.flatMap(idsOn)
      if (!chat.ids.every((one) => seen.includes(one))) throw new Inconclusive('the pages do not show all messages')
      expect(pages.map(({ pagination }) => pagination[field])).toEqual(pages.map((page) => valueAt(pages, page)))
    }
  })

keeps('message.historyLimitHolds', async (context) => {
  const chat = await startChat(many(context), context)
  for (const limit of [2, 10, 11])
    for (const page of await pagesOf(chat, limit, context)) expect(idsOn(page).length).toBeLessThanOrEqual(limit)
})

keeps('message.historyIsOfOneConversation', async (context) => {
  const [chat, empty] = [await startChat(1, context), await context.make.conversation()]
  for (const query of [{}, { channel: 'chat' }]) {
    for (const { conversationId } of messagesOn(await historyOf(context, chat.conversationId, query)))
      expect(conversationId).toBe(chat.conversationId)
    const others = messagesOn(await historyOf(context, empty._id, query))
    expect(others.filter((one) => chat.ids.includes(one._id) || one.conversationId !== empty._id)).toEqual([])
  }
})

keeps('message.historyFiltersByChannel', async ({ make, recipient, requirement, target }, context) => {
  const conversation = await make.conversation({ email: recipient.email(), phone: recipient.phone() })
  const conversationId = conversation._id
  // Chat messages before and after the others, so that the server has to filter each page.
  const before = target.loopback ? await sendChats(6, conversationId, context) : []
  const sent: { channel: string; id: string }[] = []
  for (const channel of ['chat', ...requirement.values] as const) {
    const id = await sendOn(channel, conversation, context)
    if (id !== undefined) sent.push({ channel, id })
  }
  const after = target.loopback ? await sendChats(5, conversationId, context) : []
  const chat = { conversationId, ids: sent.map(({ id }) => id) }
  const whole = idsOn(await historyOf(context, conversationId, { limit: 50 }))
  const fitOnOne = chat.ids.every((id) => whole.includes(id))
  for (const channel of requirement.values) {
    const pages = fitOnOne
      ? [await historyOf(context, conversationId, { channel, limit: 50 })]
      : await pagesOf(chat, 50, context, { channel })
    const [ids, expected] = [pages.flatMap(idsOn), sent.filter((message) => message.channel === channel)]
    expect(ids).toEqual(expect.arrayContaining(expected.map(({ id }) => id)))
    for (const page of pages) expect(new Set(idsOn(page)).size).toBe(idsOn(page).length)
    expect(pages.flatMap(messagesOn).filter((message) => message.channel !== channel)).toEqual([])
  }
  const ids = [...before, ...after]
  if (ids.length === 0) return
  const filtered = await pagesOf({ conversationId, ids }, 5, context, { channel: 'chat' })
  expect(filtered.flatMap(messagesOn).filter(({ channel }) => channel !== 'chat')).toEqual([])
  expect(filtered.flatMap(idsOn)).toEqual(expect.arrayContaining(ids))
})

/** Returns the id of the message; none without a provider, or if the server refuses a message without a template. */
async function sendOn(
  channel: 'chat' | 'email' | 'sms' | 'whatsapp',
  conversation: Schemas['Conversation'],
  tools: Tools,
): Promise<string | undefined> {
  const { call, some, target } = tools
  const conversationId = conversation._id
  if (channel === 'chat') return (await sendChats(1, conversationId, tools))[0]
  if (!target.providers[channel]) return undefined
  const answer =
    channel === 'email'
      ? await call('sendEmailMessage', { body: some.email(sending.sendEmailMessage.into(conversation)) })
      : await call('sendMessage', { body: some.text({ channel, conversationId }) })
  return answer.succeeded ? answer.data._id : undefined
}
