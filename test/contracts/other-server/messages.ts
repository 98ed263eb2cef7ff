import { contactWith, insertContact } from './contacts.ts'
import { conversationOf } from './conversations.ts'
import { type Given, type Operation, recordAt, refuse, refuseUnless, type Reply, showLacking } from './replies.ts'
import type { Fields, Provider, Stored } from './team.ts'
import {
  list,
  object,
  oneOf,
  orNull,
  reachableEmail,
  reachablePhone,
  readBody,
  type Reader,
  type Readers,
  text,
  texts,
  url,
} from './values.ts'

const attachment: Readers = {
  fileName: text,
  fileSize: text,
  mimeType: text,
  mediaUrl: url,
  mediaType: oneOf('image', 'video', 'audio', 'file', ''),
}
const attachments: Reader = (value, name, switches) =>
  (list(value, name, switches) as unknown[]).map((one) => readBody(one, attachment, switches, true))

const common = { 'content!': text, conversationId: text, source: text }
const media = { mediaUrl: url, mediaType: text }
const person = { contactId: text, recipientId: text }
const template = { templateId: text, headerParameters: list, bodyParameters: list }

const chat = {
  ...common,
  ...person,
  'channel!': oneOf('chat'),
  to: reachablePhone,
  mediaUrl: orNull(url),
  mediaType: orNull(text),
  attachments,
}
const mail = {
  ...common,
  ...media,
  'channel!': oneOf('email'),
  'subject!': text,
  'providerId!': text,
  recipientIds: texts,
  to: reachableEmail,
  attachments,
  replyToMessageId: text,
  quotedMessageId: text,
  threadId: text,
}
const short = {
  ...common,
  ...media,
  ...person,
  ...template,
  'channel!': oneOf('sms', 'whatsapp'),
  'providerId!': text,
  to: reachablePhone,
}
const bulk = {
  ...media,
  ...template,
  'to!': text,
  'channel!': oneOf('email', 'sms', 'whatsapp'),
  'content!': text,
  'providerId!': text,
  subject: text,
  preheader: text,
  source: text,
  attachments,
  scheduleType: oneOf('now', 'scheduled'),
  scheduleTime: object,
}

/** Sends a message to each contact that is named. */
const sending =
  (readers: Readers): Operation =>
  (given) => {
    const { body, switches } = given
    const fields = readBody(body, readers, switches, true)
    if (fields.providerId !== undefined) providerOf(fields, given)
    const template = templateOf(fields, given)
    const known = knownReceivers(fields, given)
    for (const contact of known) {
      refuseStranger(fields, contact, given)
      refuseUnreachable(fields, contact, given)
    }
    const contacts = [...newReceivers(fields, known, given), ...known]
    const [message] = contacts.map((contact) => deliver(fields, template, contact, given))
    return { status: 200, message: 'Message sent', ...(message ? { data: show(message, given) } : {}) }
  }

/** Adds a message to the conversation of the contact, and what the server says to it. */
function deliver(fields: Fields, template: Stored | undefined, contact: Stored, given: Given): Stored {
  const { team, switches } = given
  const { conversation } = conversationOf(contact, given)
  const ids = { conversationId: conversation._id, contactId: contact._id }
  const { channel, subject } = fields
  const fill = (text: unknown) => (switches.mergeFields === 'rendered' ? filledFor(contact, String(text)) : text)
  const content =
    channel === 'whatsapp' && template
      ? filledIn(String(template.content), (number) => parameters(fields)[Number(number) - 1]?.text)
      : fill(template?.content ?? fields.content)
  const message = team.insert('message', {
    ...{ channel, direction: 'outgoing', content, status: switches.sentStatus, ...ids },
    ...(channel === 'email' ? { subject: fill(subject) } : {}),
  })
  if (['afterEachSend', 'onTheSameChannel'].includes(switches.systemMessages))
    team.insert('message', {
      channel: switches.systemMessages === 'afterEachSend' ? 'chat' : channel,
      direction: 'incoming',
      content: 'Nobody is here before nine',
      status: 'delivered',
      ...(channel === 'email' && switches.systemMessages !== 'afterEachSend' ? { subject: 'Not here' } : {}),
      ...ids,
    })
  return message
}

const parameters = ({ bodyParameters = [] }: Fields) => bodyParameters as { readonly text?: string }[]

/** The text with the merge fields of the contact; those without a value stay. */
const filledFor = (contact: Fields, text: string) =>
  filledIn(text, (path) => {
    const name = path.replace(/^contact\./, '')
    const [, custom] = /^additionalFields\.(.*)/.exec(name) ?? []
    if (custom !== undefined) return (contact.additionalFields as Record<string, string> | undefined)?.[custom]
    return mergeFields.includes(name) ? (contact[name] as string | undefined) : undefined
  })

const mergeFields = ['firstName', 'lastName', 'email', 'phone', 'status', 'source', 'lifecycleStage']

const filledIn = (text: string, valueAt: (name: string) => string | undefined) =>
  text.replaceAll(/\{\{([^{}]*)\}\}/g, (field, name: string) => valueAt(name) ?? field)

/** Only an approved template of the channel can be sent, and none by SMS to a single contact. */
function templateOf({ templateId, channel, ...fields }: Fields, { team, switches }: Given, isBulk = false) {
  const isTemplate = [templateId, fields.headerParameters, fields.bodyParameters].some((one) => one !== undefined)
  if (channel === 'sms' && !isBulk) refuseUnless(!isTemplate, switches)
  if (templateId === undefined) return undefined
  const template = team.shelf('template').get(templateId as string) ?? refuse(switches, 404)
  refuseUnless(template.templateType === channel && template.status === 'approved', switches)
  return template
}

function show(message: Stored, { switches }: Given, status = message.status): Fields {
  const { updatedAt, ...shown } = message
  return showLacking({ ...shown, status }, ['subject'], switches)
}

function providerOf({ providerId, channel }: Fields, { team, switches }: Given): Provider {
  const known = team.providers.find(({ _id, address }) => _id === providerId || address === providerId)
  return known?.channel === channel && known ? known : refuse(switches)
}

/** The contacts that a request names by id. */
function knownReceivers(fields: Fields, { team, switches }: Given): Stored[] {
  const contactAt = (id: unknown) => team.shelf('contact').get(id as string) ?? refuse(switches, switches.unknownTarget)
  const { conversationId, contactId, recipientId = contactId, recipientIds = [], to, channel } = fields
  if (conversationId !== undefined) {
    const { contactId: own } =
      team.shelf('conversation').get(conversationId as string) ?? refuse(switches, switches.unknownTarget)
    const others = [contactId, recipientId].filter((id) => id !== undefined && id !== own)
    refuseUnless(others.length === 0 || switches.severalTargets === 'firstCounts', switches)
    for (const id of others) contactAt(id)
    return [...new Set([own, ...(recipientIds as string[])])].map(contactAt)
  }
  const id = contactId ?? recipientId
  if (contactId !== undefined && contactId !== recipientId) {
    refuseUnless(switches.severalTargets === 'firstCounts', switches)
    contactAt(recipientId)
  }
  const ids = id === undefined ? [...new Set(recipientIds as string[])] : [id]
  refuseUnless(ids.length > 0 || to !== undefined, switches)
  const contacts = ids.map(contactAt)
  const first = channel === 'email' && to !== undefined ? contactWith({ email: to }, { team, switches }) : undefined
  return contacts.filter((contact) => contact !== first)
}

/** The contact at the address of the request, if that counts. */
function newReceivers({ conversationId, to, channel }: Fields, known: readonly Stored[], given: Given): Stored[] {
  if (to === undefined || conversationId !== undefined || (channel !== 'email' && known.length > 0)) return []
  return [contactAt(channel === 'email' ? { email: to } : { phone: to }, given)]
}

const contactAt = (address: Fields, given: Given): Stored =>
  contactWith(address, given) ?? insertContact(address, given)

/** A contact without an address, or with a fictional one, may be refused. */
function refuseUnreachable({ channel }: Fields, { email: address, phone: number }: Stored, { switches }: Given): void {
  const needed = channel === 'chat' ? 'none' : channel === 'email' ? address : number
  refuseUnless(needed !== undefined, switches)
  if (switches.emailDomains === 'noExamplesAtAllInSends' && channel === 'email') reachableEmail(address, 'to', switches)
  if (switches.phones === 'noFictionInSends' && channel !== 'email' && number !== undefined)
    reachablePhone(number, 'to', switches)
}

/** WhatsApp lets a business write first only with a template. */
function refuseStranger({ channel, templateId }: Fields, contact: Stored, { team, switches }: Given): void {
  if (switches.strangersOnWhatsapp === 'written' || channel !== 'whatsapp' || templateId !== undefined) return
  const hasWritten = team.find(
    'message',
    (one) => one.contactId === contact._id && one.channel === 'whatsapp' && one.direction === 'incoming',
  )
  refuseUnless(hasWritten !== undefined, switches)
}

const sendBulkMessages: Operation = (given) => {
  const { team, body, switches } = given
  const fields = readBody(body, bulk, switches, true)
  const { channel, to, subject, scheduleType, scheduleTime } = fields
  providerOf(fields, given)
  refuseUnless(channel !== 'email' || (subject !== undefined && subject !== ''), switches)
  const template = templateOf(fields, given, true)
  if (channel === 'whatsapp' && switches.bulkWhatsapp === 'templateOnly')
    refuseUnless(fields.templateId !== undefined, switches)
  const read = channel === 'email' ? reachableEmail : reachablePhone
  const addresses = [...new Set(String(to).split(','))].flatMap((address) => {
    try {
      return [read(address.trim(), 'to', switches) as string]
    } catch (error) {
      if (switches.badRecipients === 'refused') throw error
      return []
    }
  })
  if (scheduleType === 'scheduled') refuseUnless(isTime(scheduleTime as Fields | undefined, given), switches)
  else
    team.scheduleAt(switches.bulkAfter + (team.bulkSends++ % 2) * switches.bulkSpread, () =>
      deliverToAll(fields, template, addresses, given),
    )
  return { status: 200, message: 'The messages are queued' }
}

function isTime(time: Fields | undefined, { switches }: Given): boolean {
  const [date, clock] = [String(time?.date), String(time?.time)]
  if (switches.schedule === 'dayFirst') return /^\d\d\.\d\d\.\d{4}$/.test(date) && /^\d\d:\d\d$/.test(clock)
  const when = Date.parse(`${date}T${clock}`)
  return when > Date.now() && (switches.schedule === 'any' || when < Date.now() + 365 * 86_400_000)
}

function deliverToAll(fields: Fields, template: Stored | undefined, addresses: readonly string[], given: Given): void {
  const isFirst = (address: string, at: number) =>
    addresses.findIndex((other) => other.toLowerCase() === address.toLowerCase()) === at
  for (const to of addresses.filter(isFirst)) {
    const address = fields.channel === 'email' ? { email: to } : { phone: to }
    deliver(fields, template, contactAt(address, given), given)
  }
}

const listMessages: Operation = (given) => {
  const { team, query, switches } = given
  const conversation = recordAt(given, 'conversation', switches.lagOf === 'reads' ? switches.lag : 0)
  const channel = query.get('channel')
  const messages = team
    .shelf('message')
    .all(switches.lag)
    .filter((one) => one.conversationId === conversation._id && (channel === null || one.channel === channel))
  if (switches.historyOrder === 'newestFirst') messages.reverse()
  return switches.historyCounts === 'days' ? daysOf(messages, given) : pageOf(messages, given)
}

function pageOf(messages: readonly Stored[], given: Given): Reply {
  const { items, ...counts } = paginate(messages, given)
  const { total, currentPage, totalPages, hasMore } = counts
  const pagination = { total, currentPage, totalPages, hasMore }
  return { status: 200, message: 'History found', data: groupByDay(items, given), pagination }
}

function daysOf(messages: readonly Stored[], given: Given): Reply {
  const { items, total, currentPage, totalPages, hasMore } = paginate(groupByDay(messages, given), given)
  return { status: 200, message: 'History found', data: items, pagination: { total, currentPage, totalPages, hasMore } }
}

function groupByDay(messages: readonly Stored[], given: Given): Fields[] {
  const days = new Map<string, Fields[]>()
  for (const message of messages) {
    const date = new Date(message.createdAt).toISOString().slice(0, 10)
    days.set(date, [...(days.get(date) ?? []), show(message, given, given.switches.laterStatus)])
  }
  return [...days].map(([date, all]) => ({ date, messages: all }))
}

/** A page of a list, as the query asks for it. */
export function paginate<Item>(all: readonly Item[], given: Given) {
  const { switches } = given
  const [page, asked] = [countIn('page', 1, given), countIn('limit', 10, given)]
  if (switches.aboveLargest === 'refused') refuseUnless(asked <= switches.largestLimit, switches)
  const limit = Math.min(asked, switches.largestLimit)
  const totalPages = Math.ceil(all.length / limit)
  if (page > Math.max(totalPages, 1) && switches.pageBeyond === 404) refuse(switches, 404)
  const items = all.slice((page - 1) * limit, page * limit)
  return { items, total: all.length, currentPage: page, totalPages, limit, hasMore: page < totalPages }
}

function countIn(name: string, usual: number, { query, switches }: Given): number {
  const count = Number(query.get(name) ?? usual)
  if (count >= 1) return count
  refuseUnless(switches.badPages === 'clamped', switches)
  return usual
}

export const messages = {
  'GET /api/messages/:id': listMessages,
  'POST /api/messages/sendLiveMessage': sending(chat),
  'POST /api/messages/sendEmailMessage': sending(mail),
  'POST /api/messages/sendMessage': sending(short),
  'POST /api/messages/sendBulkNewMessages': sendBulkMessages,
}
