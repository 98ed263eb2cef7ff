import { type Static, Type } from 'typebox'
import type { Kind, Kinds, MessageRecord } from '../../fixtures/records.ts'
import { findsIn, phoneDigits, wordsIn } from '../../lib/text.ts'
import { beginningOf } from '../http/journal/journal.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Transaction } from '../core/transaction.ts'
import { showMessageInHistory } from '../rules/messages/message-view.ts'
import { Lease, type Reader, type Store } from '../store/port.ts'
import type { ControlContext } from './context.ts'
import { UnknownName } from '../core/rejections.ts'
import { noun, route } from './route.ts'
import {
  Channel,
  flag,
  integer,
  listOf,
  moment,
  optionalInteger,
  optionalText,
  output,
  queryOf,
  text,
} from '../core/schemas.ts'

const InboxQuery = queryOf({
  search: optionalText(
    'Words of the name, the addresses and the latest message, in any order, without regard to case and accents; or a telephone number.',
    {
      maxLength: 1000,
    },
  ),
  page: optionalInteger(1, 1_000_000_000, '1 by default.'),
  limit: optionalInteger(1, 1000, 'How many conversations are on a page; 50 by default.'),
})

const ContactOfConversation = Type.Object({
  id: text(),
  name: text('The first and the last name; may be empty.'),
  email: optionalText(),
  phone: optionalText(),
})

const LatestMessage = Type.Object({
  id: text(),
  channel: Channel,
  direction: text('`incoming`, or `outgoing`.'),
  content: text('Its first 200 characters.'),
  subject: optionalText(),
  status: text('As the history shows it.'),
  at: moment(),
})

const InboxItem = output('InboxItem', {
  conversationId: text(),
  contact: Type.Optional(ContactOfConversation),
  latest: Type.Optional(LatestMessage),
})
type InboxItem = Static<typeof InboxItem>

/** A record of this kind, with all of its fields. */
const recordOf = <K extends Kind>(kind: K) =>
  Type.Unsafe<Kinds[K]>(Type.Object({}, { additionalProperties: true, description: `One of the ${kind}.` }))

export const inbox = noun('inbox', 'Conversations, as an inbox shows them.', (context) => ({
  listInbox: route('GET /teams/:teamId/inbox', 'List conversations, the one with the latest message first', {
    call: 'inbox',
    description: 'Each with its contact and its latest message. Conversations without a message are the last.',
    query: InboxQuery,
    message: 'Conversations found',
    data: output('Inbox', {
      page: integer(),
      limit: integer(),
      hasMore: flag('Whether there is another page.'),
      conversations: listOf(InboxItem),
    }),
    async handler({ params: { teamId }, query: { search = '', page = 1, limit = 50 } }, reply) {
      await context.scheduler.runIfDue()
      const words = wordsIn(search)
      const phone = phoneDigits(search)
      const end = page * limit
      const found: InboxItem[] = []
      for await (const items of listItems(teamId, context, reply)) {
        found.push(...(search === '' ? items : items.filter((item) => findsIn(textsOf(item), words, phone))))
        if (found.length > end) break
      }
      return { page, limit, hasMore: found.length > end, conversations: found.slice(end - limit, end) }
    },
  }),

  getConversationOfInbox: route(
    'GET /teams/:teamId/inbox/:conversationId',
    'Get one conversation with its latest messages and what belongs to its contact',
    {
      call: 'conversation',
      description: 'The messages are those that the history shows, of all channels, oldest first.',
      query: queryOf({ limit: optionalInteger(1, 1000, 'Only the latest of the messages; 50 by default.') }),
      message: 'Conversation found',
      data: output('InboxConversation', {
        conversationId: text(),
        total: integer('The number of all messages.'),
        messages: listOf(recordOf('messages')),
        contact: Type.Optional(recordOf('contacts')),
        companies: listOf(recordOf('companies')),
        deals: listOf(recordOf('deals'), 'The latest 50.'),
        quotes: listOf(recordOf('quotes'), 'The latest 50 of these deals.'),
      }),
      async handler({ params: { teamId, conversationId }, query: { limit = 50 } }, reply) {
        await context.scheduler.runIfDue()
        const found = await context.teams.read(
          { teamId },
          (tx) => readConversation(conversationId, limit, tx),
          undefined,
          reply,
        )
        if (!found) throw new UnknownName('conversation', conversationId)
        return found
      },
    },
  ),
}))

/** All conversations in parts, the one with the latest message first. Each part is read by itself. */
async function* listItems(
  teamId: string,
  { store, teams }: ControlContext,
  reader: Reader,
): AsyncIterable<readonly InboxItem[]> {
  const latest = new Map<string, MessageRecord | undefined>()
  const show = (ids: readonly string[]) =>
    teams.read({ teamId }, async (tx) => {
      const conversations = await tx.team.conversations.getMany(ids)
      const contacts = await tx.team.contacts.getMany(conversations.map(({ contactId }) => contactId))
      const byId = new Map(contacts.map((contact) => [contact._id, contact]))
      return conversations.map(({ _id, contactId }) => showItem(_id, byId.get(contactId), latest.get(_id), tx))
    })
  for await (const messages of newestFirst(store, teamId, 'messages', reader)) {
    const ids: string[] = []
    for (const message of messages) {
      const { conversationId: id } = message
      if (latest.has(id)) continue
      latest.set(id, message)
      ids.push(id)
    }
    yield show(ids)
  }
  for await (const conversations of newestFirst(store, teamId, 'conversations', reader))
    yield show(conversations.map(({ _id }) => _id).filter((id) => !latest.has(id)))
}

const readAtOnce = 1_000

/** All records of a kind, the newest first, in parts. */
async function* newestFirst<K extends 'messages' | 'conversations'>(
  store: Store,
  teamId: string,
  kind: K,
  reader: Reader,
): AsyncIterable<readonly Kinds[K][]> {
  const lease = new Lease(reader)
  const { total } = await store.page(teamId, kind, { skip: 0, take: 1 })
  for (let end = total; end > 0; end -= readAtOnce) {
    const skip = Math.max(0, end - readAtOnce)
    yield (await store.page(teamId, kind, { skip, take: end - skip }, lease)).records.toReversed()
    lease.end()
  }
}

/** In characters, of each text in the list. */
const longestShown = 200

function showItem(
  conversationId: string,
  contact: Schemas['Contact'] | undefined,
  record: MessageRecord | undefined,
  tx: Transaction,
): InboxItem {
  const message = record && showMessageInHistory(record, tx)
  return {
    conversationId,
    ...(contact && { contact: showContact(contact) }),
    ...(message && {
      latest: {
        id: message._id,
        channel: message.channel,
        direction: message.direction,
        content: beginningOf(message.content, longestShown),
        ...(message.subject !== undefined && { subject: beginningOf(message.subject, longestShown) }),
        status: message.status,
        at: message.createdAt,
      },
    }),
  }
}

function showContact({ _id: id, firstName, lastName, email, phone }: Schemas['Contact']) {
  return {
    id,
    name: beginningOf(`${firstName} ${lastName}`.trim(), longestShown),
    ...(email !== undefined && { email: beginningOf(email, longestShown) }),
    ...(phone !== undefined && { phone: beginningOf(phone, longestShown) }),
  }
}

const textsOf = ({ contact, latest }: InboxItem) =>
  [contact?.name, contact?.email, contact?.phone, latest?.subject, latest?.content].filter((text) => text !== undefined)

/** How many related records of a kind a conversation has at most. */
const mostRelated = 50

async function readConversation(conversationId: string, take: number, tx: Transaction) {
  const { conversations, contacts, messages, deals, quotes } = tx.team
  const conversation = await conversations.get(conversationId)
  if (!conversation) return undefined
  const { contactId } = conversation
  const newest = { skip: 0, take, order: 'newestFirst' } as const
  const related = { ...newest, take: mostRelated }
  const thread = await messages.page('conversation', [conversationId], newest)
  const contact = await contacts.get(contactId)
  const { records: dealsOfContact } = await deals.page('contact', [contactId], related)
  const quotesOfDeals = await quotes.page(
    'dealId',
    dealsOfContact.map(({ _id }) => _id),
    related,
  )
  return {
    conversationId,
    total: thread.total,
    messages: thread.records.map((message) => showWithAllFields(message, tx)).toReversed(),
    ...(contact && { contact }),
    companies: await readCompanies(contactId, contact, tx),
    deals: [...dealsOfContact],
    quotes: [...quotesOfDeals.records],
  }
}

/** As the history shows it, with all fields of the request. */
function showWithAllFields(message: MessageRecord, tx: Transaction): MessageRecord {
  const { unfilled: _unfilled, fallback: _fallback, ...stored } = message
  return { ...stored, ...showMessageInHistory(message, tx) }
}

/** The company that the contact names, and those that name the contact. */
async function readCompanies(contactId: string, contact: Schemas['Contact'] | undefined, { team }: Transaction) {
  const named = contact?.company === undefined ? [] : await team.companies.getMany([contact.company])
  const { records } = await team.companies.page('contact', [contactId], {
    skip: 0,
    take: mostRelated,
    order: 'newestFirst',
  })
  const others = records.filter(({ _id }) => _id !== contact?.company)
  return [...named, ...others]
}
