import { fieldsOf, idOf } from '../client/answer.ts'
import { fromTemplate } from '../client/messages.ts'
import type { Input } from '../client/request.ts'
import type { OperationId } from '../../spec/types.ts'
import type { Story, StoryTools } from '../judge/story.ts'
import { addressOf } from './contacts.ts'
import { keys, textOf, textPairs, withKey } from './writes.ts'

// Messages: each channel to each target, and the history that shows them by channel and by page.

export const messageParameters = {
  /** The number of times says on which channel the first bulk send goes out; each later one takes the next. */
  channel: ['chat', 'email', 'sms', 'whatsapp', 'bulk'],
  target: ['conversation', 'contact', 'alias', 'knownAddress', 'newAddress'],
  texts: textPairs,
  beside: ['nothing', 'sourceAndMedia', 'mediaUrl', 'ofTheChannel'],
  provider: ['id', 'address'],
  came: ['posted', 'byAddress', 'withConversation', 'byBulk'],
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
    const addresses = { email: emailOf(tools, came), phone: recipient.phone() }
    const contact = { firstName: 'Ada', lastName: mint.surname('Lovelace'), ...addresses }
    const made = came === 'posted' ? idOf((await attempt('createContact', { body: contact }))?.fields.data) : undefined
    const posted = came === 'byBulk' ? await madeInBulk(tools, addresses) : made
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
    const hasTemplate = values.channel === 'whatsapp' && values.beside === 'ofTheChannel'
    const template = hasTemplate ? await findTemplate(tools) : undefined
    // The history also has a message of another channel.
    const content = mint.name('Beside')
    if (otherChannel(tools, values) === 'chat')
      await attempt('sendLiveMessage', { body: some.chat({ content, conversationId }) })
    else await attempt('sendMessage', { body: some.text({ channel: 'sms', content, conversationId }) })
    const reached = new Set([conversationId])
    for (let time = 0; time < times; time++) {
      const place = { conversationId, contactId, second, template, ...addresses }
      const [operation, body] = messageOf(tools, { ...values, ...later(values, time) }, place, time)
      const caller = by === 'admin' ? { caller: by } : {}
      const elsewhere = time === 0 && key === 'ofAnotherTeam' ? messageElsewhere(tools, values, place) : undefined
      const answer = await withKey(tools, time === 0 ? key : 'none', operation, { body, ...caller }, elsewhere)
      const { conversationId: shown } = fieldsOf(answer?.fields.data)
      if (typeof shown === 'string') reached.add(shown)
    }
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

/** The contact that a bulk e-mail made, with a phone number as well. */
async function madeInBulk({ attempt, some, target }: StoryTools, { email, phone }: { email: string; phone: string }) {
  if (target.providers.email) await attempt('sendBulkMessages', { body: some.bulk('email', { to: email }) })
  const found = await attempt('findOrCreateConversation', { body: { email } })
  const contactId = idOf(fieldsOf(found?.fields.data).contactId)
  if (contactId !== undefined) await attempt('updateContact', { path: { contactId }, body: { phone } })
  return contactId
}

/** An address that the run made up may have any form. */
function emailOf({ recipient, target }: StoryTools, came: Values['came']): string {
  const forms = { posted: 'plus', byAddress: 'capitals', withConversation: 'plain', byBulk: 'plain' } as const
  return target.loopback ? addressOf(recipient.email(), forms[came]) : recipient.email()
}

/** Later messages have the next of the targets and of the fields beside. */
function later({ target, beside }: Values, time: number): Partial<Values> {
  const [known, others] = [messageParameters.target.slice(0, 4), messageParameters.beside]
  if (time === 0) return {}
  return {
    target: known[(known.indexOf(target) + time) % known.length] ?? target,
    beside: others[(others.indexOf(beside) + time) % others.length] ?? beside,
  }
}

const bulkChannels = ['sms', 'email', 'whatsapp'] as const

const channelOf = ({ channel, times }: Values, time = 0) =>
  channel === 'bulk' ? (bulkChannels[(times - 1 + time) % 3] ?? 'sms') : channel

const otherChannel = ({ target }: StoryTools, values: Values) =>
  target.providers.sms && ['chat', 'whatsapp'].includes(channelOf(values)) ? 'sms' : 'chat'

/** The approved template that the operator named, with its parameters. */
async function findTemplate({ attempt, target }: StoryTools) {
  const { template: templateId } = target.places
  const answer = templateId === undefined ? undefined : await attempt('getTemplate', { path: { templateId } })
  return answer?.succeeded && answer.data.status === 'approved' ? fromTemplate(answer.data) : undefined
}

interface Place {
  readonly template: object | undefined
  readonly conversationId: string
  readonly contactId: string
  /** A second receiver of an e-mail. */
  readonly second: string | undefined
  readonly email: string
  readonly phone: string
}

function messageOf(tools: StoryTools, values: Values, place: Place, time: number): [OperationId, object] {
  const { mint, provider, recipient, some, target: server } = tools
  const { channel, target, texts } = values
  const { conversationId, contactId } = place
  const text = textOf(texts, time)
  const content = `${text} ${mint.name('Hello')} ${time}`
  const sentOn = channelOf(values, time)
  const isEmail = sentOn === 'email'
  // A later bulk send goes to the contact.
  const isNew = target === 'newAddress' && (channel !== 'bulk' || time === 0)
  const to = isNew ? (isEmail ? recipient.email() : recipient.phone()) : isEmail ? place.email : place.phone
  const isByAddress =
    values.provider === 'address' && sentOn !== 'chat' && server.providers[sentOn]?.address !== undefined
  const providerId = isByAddress ? { providerId: provider(sentOn, 'address') } : {}
  const fields = { content, ...providerId, ...besides(values, place) }
  if (channel === 'bulk')
    return ['sendBulkMessages', { ...some.bulk(sentOn as 'email' | 'sms' | 'whatsapp'), ...fields, to }]
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

function besides({ beside, channel }: Values, { template }: Place): object {
  if (beside === 'sourceAndMedia') return { source: 'Contract', mediaUrl: picture, mediaType: 'image' }
  if (beside === 'mediaUrl') return { mediaUrl: picture }
  if (beside === 'nothing' || channel === 'sms') return {}
  if (channel === 'bulk') return { scheduleType: 'now' }
  if (channel === 'whatsapp') return { ...template }
  return { attachments: [], ...(channel === 'email' && { threadId: 'thread-1' }) }
}

/** A message of the other team to one of its contacts. */
function messageElsewhere(tools: StoryTools, values: Values, place: Place): Input | undefined {
  if (values.channel === 'bulk') return undefined
  const others = tools.as('otherTeam')
  const providerId = values.channel === 'chat' ? {} : { providerId: others.provider(values.channel) }
  const isPlain = { target: 'newAddress', beside: 'nothing', provider: 'id' } as const
  const [, body] = messageOf(tools, { ...values, ...isPlain }, place, 0)
  return { body: { ...body, ...providerId } }
}

async function readHistory(tools: StoryTools, values: Values, conversationId: string): Promise<void> {
  const { attempt } = tools
  const { filter, limit, page } = values
  const wanted =
    filter === 'none' ? {} : { channel: filter === 'same' ? channelOf(values) : otherChannel(tools, values) }
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
