import { expect } from 'vitest'
import type { Answer } from '../client/answer.ts'
import { historyOf } from '../client/messages.ts'
import { sending } from '../client/operations.ts'
import type { Tools } from '../client/tools.ts'
import type { Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'
import { keeps } from './keeps.ts'
import { idsOn, makeConversation } from './sends.ts'
import { oncePerRun } from './values.ts'

type Page = Answer<'listMessages'>

/** A conversation, and the ids of its messages. */
interface Chat {
  readonly conversationId: string
  readonly ids: readonly string[]
}

/** One for all checks, with more than a page of ten. On another machine a run may send only a few messages. */
const anyChat = (tools: Tools) =>
  oncePerRun(tools, 'chat', async (): Promise<Chat> => {
    const { _id: conversationId } = await makeConversation('sendLiveMessage', tools)
    return { conversationId, ids: await sendChats(tools.target.loopback ? 12 : 3, conversationId, tools) }
  })

async function sendChats(count: number, conversationId: string, { ask, some }: Tools): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await ask('sendLiveMessage', { body: some.chat({ conversationId }) })).data._id)
  return ids
}

keeps('message.historyTotal', async ({ make, observe, target }, context) => {
  const { conversationId, ids } = await anyChat(context)
  const page = await historyOf(context, conversationId, { limit: 20 })
  const { data, pagination } = page
  // A server may add messages, such as a reply to each.
  const count = Math.max(idsOn(page).length, ids.length)
  if (pagination.total === count) observe('historyCounts', 'messages')
  else if (pagination.total === data.length) observe('historyCounts', 'days')
  expect(pagination.total).toBe(count)
  expect((await historyOf(context, conversationId, { limit: 1 })).pagination.total).toBe(count)
  if (!target.loopback) return // there a run may send only a few messages
  const conversation = await make.conversation()
  for (const channel of ['chat', 'email', 'sms'] as const) await sendOn(channel, conversation, context)
  const filtered = await historyOf(context, conversation._id, { channel: 'chat', limit: 20 })
  expect(filtered.pagination.total).toBe(idsOn(filtered).length)
})

keeps('message.historyTotalIsACount', async (context) => {
  const chat = await anyChat(context)
  const { conversationId, ids } = chat
  const short = await pagesOf(chat, Math.ceil(ids.length / 2), context)
  const page = await historyOf(context, conversationId, { limit: 20 })
  if (!ids.every((id) => idsOn(page).includes(id)))
    throw new Inconclusive('the history does not show all messages that were sent')
  expect([idsOn(page).length, page.data.length]).toContain(page.pagination.total)
  // It counts the history, and not the page.
  expect(short.map(({ pagination }) => pagination.total)).toEqual(short.map(() => page.pagination.total))
})

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
  const chat = await anyChat(context)
  for (const limit of [5, 11, 12]) {
    const listed = (await pagesOf(chat, limit, context)).flatMap(idsOn)
    expect(listed.toSorted()).toEqual([...new Set(listed)].toSorted())
    expect(listed).toEqual(expect.arrayContaining([...chat.ids]))
  }
})

keeps('message.historyTotalPages', async (context) => {
  const chat = await anyChat(context)
  // The messages leave room on the last page, or fill it.
  for (const limit of chat.ids.length > 3 ? [5, 6] : [2, 1]) {
    const pages = await pagesOf(chat, limit, context)
    const seen = pages.flatMap(idsOn)
    if (!chat.ids.every((one) => seen.includes(one))) throw new Inconclusive('the pages do not show all messages')
    expect(pages.map(({ pagination }) => pagination.totalPages)).toEqual(pages.map(() => pages.length))
  }
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
