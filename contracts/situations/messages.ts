import { fieldsOf, idOf } from '../client/answer.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Story, StoryTools } from '../judge/story.ts'
import { keys, textOf, textPairs, withKey } from './writes.ts'

// Messages: each channel to each target, and the history that shows them by channel and by page.

export const messageParameters = {
  /** The number of times says on which channel the first bulk send goes out; each later one takes the next. */
  channel: ['chat', 'email', 'sms', 'whatsapp', 'bulk'],
  target: ['conversation', 'contact', 'alias', 'knownAddress', 'newAddress'],
  texts: textPairs,
  beside: ['nothing', 'source', 'media', 'attachment', 'schedule'],
  came: ['posted', 'byAddress', 'withConversation'],
  key: keys,
  times: [1, 2, 3],
  filter: ['none', 'same', 'other'],
  limit: [1, 2, 10],
  page: ['first', 'second', 'last', 'pastTheEnd'],
  by: ['team', 'admin', 'otherTeam'],
} as const

type Values = { readonly [Name in keyof typeof messageParameters]: (typeof messageParameters)[Name][number] }

export const messageStory =
  (values: Values): Story =>
  async (tools) => {
    const { came, key, times, by } = values
    const { attempt, mint, recipient, some } = tools
    const addresses = { email: recipient.email(), phone: recipient.phone() }
    const contact = { firstName: 'Ada', lastName: mint.surname('Lovelace'), ...addresses }
    const posted =
      came === 'posted' ? idOf((await attempt('createContact', { body: contact }))?.fields.data) : undefined
    const opened =
      came === 'posted'
        ? await attempt('createConversation', { body: { contactId: posted } })
        : await attempt(came === 'byAddress' ? 'findOrCreateConversation' : 'createContactWithConversation', {
            body: came === 'byAddress' ? addresses : contact,
          })
    const conversationId = idOf(opened?.fields.data)
    const contactId = posted ?? idOf(fieldsOf(opened?.fields.data).contactId)
    if (conversationId === undefined || contactId === undefined) return
    const isToTwo = values.channel === 'email' && values.target === 'alias'
    const second = isToTwo ? idOf((await attempt('createContact', { body: some.contact() }))?.fields.data) : undefined
    const reached = new Set([conversationId])
    for (let time = 0; time < times; time++) {
      const [operation, body] = messageOf(tools, values, { conversationId, contactId, second, ...addresses }, time)
      const answer = await withKey(tools, time === 0 ? key : 'none', operation, {
        body,
        ...(by === 'admin' ? { caller: by } : {}),
      })
      const { conversationId: shown } = fieldsOf(answer?.fields.data)
      if (typeof shown === 'string') reached.add(shown)
    }
    // The history also has a message of another channel.
    await attempt('sendLiveMessage', { body: { channel: 'chat', content: mint.name('Beside'), conversationId } })
    for (const id of reached) await readHistory(tools, values, id)
    await attempt('listConversationsOfContact', { path: { contactId } })
    if (by !== 'otherTeam') return
    await attempt('listMessages', { path: { conversationId }, query: { page: 1, limit: 10 }, caller: by })
    await attempt('getConversation', { path: { conversationId }, caller: by })
    await attempt('sendLiveMessage', {
      body: { channel: 'chat', content: mint.name('Mallory'), conversationId },
      caller: by,
    })
  }

const bulkChannels = ['sms', 'email', 'whatsapp'] as const

const channelOf = ({ channel, times }: Values, time = 0) =>
  channel === 'bulk' ? (bulkChannels[(times - 1 + time) % 3] ?? 'sms') : channel

interface Place {
  readonly conversationId: string
  readonly contactId: string
  /** A second receiver of an e-mail. */
  readonly second: string | undefined
  readonly email: string
  readonly phone: string
}

function messageOf(tools: StoryTools, values: Values, place: Place, time: number): [OperationId, object] {
  const { mint, recipient, some } = tools
  const { channel, target, texts, beside } = values
  const { conversationId, contactId } = place
  const text = textOf(texts, time)
  const content = `${text} ${mint.name('Hello')} ${time}`
  const sentOn = channelOf(values, time)
  const isEmail = sentOn === 'email'
  // A later bulk send goes to the contact.
  const isNew = target === 'newAddress' && (channel !== 'bulk' || time === 0)
  const to = isNew ? (isEmail ? recipient.email() : recipient.phone()) : isEmail ? place.email : place.phone
  const fields = { content, ...besides(beside) }
  if (channel === 'bulk') {
    const schedule = beside === 'schedule' ? { scheduleType: 'now' as const } : {}
    return ['sendBulkMessages', { ...some.bulk(sentOn as 'email' | 'sms' | 'whatsapp', { content, ...schedule }), to }]
  }
  if (channel === 'email') {
    const into = {
      conversation: { conversationId, recipientIds: [contactId] },
      contact: { recipientIds: [contactId] },
      alias: { recipientIds: [contactId, ...(place.second === undefined ? [] : [place.second])] },
      knownAddress: { to },
      newAddress: { to },
    }[target]
    return ['sendEmailMessage', { ...some.email(), subject: mint.name(text.slice(0, 60)), ...fields, ...into }]
  }
  const into = {
    conversation: { conversationId },
    contact: { contactId },
    alias: { recipientId: contactId },
    knownAddress: { to },
    newAddress: { to },
  }[target]
  return channel === 'chat'
    ? ['sendLiveMessage', { ...some.chat(), ...fields, ...into }]
    : ['sendMessage', { ...some.text({ channel }), ...fields, ...into }]
}

const picture = 'https://files.example.com/plan.png'

function besides(beside: Values['beside']): object {
  if (beside === 'source') return { source: 'Contract' }
  if (beside === 'media') return { mediaUrl: picture, mediaType: 'image' }
  // A text message has one file, in mediaUrl.
  if (beside !== 'attachment') return {}
  return { mediaUrl: picture }
}

async function readHistory({ attempt }: StoryTools, values: Values, conversationId: string): Promise<void> {
  const { filter, limit, page } = values
  const own = channelOf(values)
  const wanted = filter === 'none' ? {} : { channel: filter === 'same' ? own : own === 'chat' ? 'sms' : 'chat' }
  const ask = (number: number, size: number) =>
    attempt('listMessages', { path: { conversationId }, query: { page: number, limit: size, ...wanted } })
  const first = await ask(1, limit)
  const { totalPages } = fieldsOf(first?.fields.pagination)
  const last = typeof totalPages === 'number' ? totalPages : 1
  const number = { first: 1, second: 2, last, pastTheEnd: last + 1 }[page]
  if (number > 1) await ask(number, limit)
  await ask(1, 50)
  // The history has four messages, so that the second page of two is full.
  const query = values.times === 3 ? { page: 2, limit: 2 } : { page: 1, limit: 50 }
  if (filter !== 'none') await attempt('listMessages', { path: { conversationId }, query })
}
