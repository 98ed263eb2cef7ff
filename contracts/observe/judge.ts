import { createHash } from 'node:crypto'
import { Answer, type Fields, fieldsOf, idOf } from '../client/answer.ts'
import type { Incoming } from '../client/transport.ts'
import { type AnswerFault, inspect } from '../judge/inspection.ts'
import { parseJson } from '../../lib/parse-json.ts'
import { messageChannels, templateStatuses, templateTypes } from '../../spec/forms.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import { contactWrites } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import type { ParsedRequest } from './request.ts'
import { judgeShownValues } from './sent-values.ts'

// Only promises that one exchange can show to be broken, whatever other clients do meanwhile.

/** Compares a response with the document and with the request that it answers. */
export function judge(request: ParsedRequest, { status, headers, text }: Incoming, earlier: Earlier) {
  const answer = new Answer(request.operation, status, text, headers)
  const refusal = earlier.repeatsKey ? [] : judgeRefusal(request, answer)
  const wrong = refusal.length > 0 ? request.body : undefined
  // The body is not repeated in a report.
  const { faults, unlisted } = inspect(answer, text === '' ? '' : '…', earlier.repeatsKey, wrong)
  const others = faults.length > 0 ? [] : answer.succeeded ? judgeSuccess(request, answer, earlier) : []
  const about = request.isAuthenticated ? [...refusal, ...others] : judgeStranger(request, answer)
  // Of an unread body nothing is known.
  const own = request.unread === undefined ? about : []
  return { answer, unlisted, faults: [...faults.map(withoutValues), ...own] }
}

/** Statuses that a cache or another part of HTTP explains, so that the document need not list them. */
export const isAboutHttp = (status: number) => [304, 406].includes(status)

/** A request without a credential gets a 401, whatever else is wrong with it. */
function judgeStranger({ operation, complaint }: ParsedRequest, { status, succeeded }: Answer): AnswerFault[] {
  if (!succeeded && ![400, 404].includes(status)) return []
  const { operations: ordered } = promise('access.credentialComesFirst')
  const isBad = !succeeded && complaint !== undefined && ordered.some((id) => id === operation)
  const broken = isBad ? 'access.credentialComesFirst' : 'access.noCredentialIs401'
  return [{ promise: broken, expected: '401', actual: String(status) }]
}

/** A service must have refused the request, or must not have answered that a record is missing. */
function judgeRefusal({ operation, path, query, body, complaint }: ParsedRequest, answer: Answer): AnswerFault[] {
  const { succeeded, status } = answer
  const actual = String(status)
  const refusedBy = complaint?.refusedBy
  if (succeeded && refusedBy !== undefined)
    return [{ promise: refusedBy, expected: `a refusal, since ${complaint?.sentence ?? ''}`, actual }]
  if (status !== 404 || Object.keys(path).length > 0 || namesRecord(body)) return []
  const broken = complaint ? refusedBy : (foundPromises[operation] ?? 'envelope.pathsAreFixed')
  // A server may answer 404 to an e-mail address that no contact has, and to a page beyond the last.
  const isOpen = operation === 'deleteContactsByEmail' || (query.page !== undefined && query.page !== '1')
  if (broken === undefined || isOpen) return []
  return [{ promise: broken, expected: complaint ? '400' : 'no 404, as the request names no record', actual }]
}

const foundPromises: Readonly<Partial<Record<OperationId, PromiseId>>> = {
  findOrCreateConversation: 'conversation.missingContactIsMade',
  createContactWithConversation: 'conversation.missingContactIsMade',
  createOrUpdateContact: 'contact.upsertCreates',
}

/** Whether a body has the id of a record, or of a provider, an owner or a pipeline. */
const namesRecord = (body: unknown) =>
  Object.keys(fieldsOf(body)).some((name) => /(Ids?|company|contacts|owner|pipeline|provider)$/.test(name))

type Check = (request: ParsedRequest, answer: Fields) => AnswerFault[]

/** Facts from earlier exchanges. */
export interface Earlier {
  /** The response may be that to an earlier request with the same key. */
  readonly repeatsKey: boolean
  /** An earlier response showed the contact that this request deletes, and no request deleted it. */
  readonly deletesKnown: boolean
}

const judgeSend: Check = ({ body }, { data }) => {
  const [sent, message] = [fieldsOf(body), fieldsOf(data)]
  return [
    ...judgeSubject(message),
    ...same('message.keepsItsChannel', sent.channel, message.channel),
    ...same('message.goesToTheConversationNamed', sent.conversationId, message.conversationId),
    ...same('message.isOutgoing', 'outgoing', message.direction),
    ...same('message.isSent', 'sent', message.status),
    ...(receivers.some((name) => isGiven(sent[name])) ? [] : [withoutReceiver]),
  ]
}

const receivers = ['conversationId', 'contactId', 'recipientId', 'recipientIds', 'to']
const isGiven = (value: unknown) => value !== undefined && value !== null && [value].flat().length > 0 && value !== ''
const withoutReceiver: AnswerFault = {
  promise: 'message.needsATarget',
  expected: 'a refusal, since the request names no receiver',
  actual: 'a success',
}

function judgeSuccess(request: ParsedRequest, answer: Answer, { repeatsKey, deletesKnown }: Earlier): AnswerFault[] {
  const { operation, complaint, body } = request
  const { data } = answer.fields
  const isLost = deletesKnown && (data === undefined || data === null)
  return [
    ...(repeatsKey ? [] : (checks[operation]?.(request, answer.fields) ?? [])),
    ...(isLost
      ? [{ promise: 'contact.deleteAnswersWithTheContact', expected: 'the contact', actual: 'no data' } as const]
      : []),
    ...(repeatsKey || complaint ? [] : judgeShownValues(operation, body, data)),
    ...judgeTimes(operation, data),
  ]
}

/** A time of the document has a T, which the format of JSON Schema does not require. */
function judgeTimes(operation: OperationId, data: unknown): AnswerFault[] {
  const id = timePromises.find((one) => promise(one).operations.some((about) => about === operation))
  const groups = operation === 'listMessages' ? listOf(data).map(({ messages }) => messages) : [data]
  const times = groups.flat().flatMap((record) => [fieldsOf(record).createdAt, fieldsOf(record).updatedAt])
  const isWrong = times.some((time) => typeof time === 'string' && !/^\d{4}-\d\d-\d\dT/.test(time))
  return id && isWrong ? [{ promise: id, expected: 'a time in ISO 8601', actual: 'a text (hidden)' }] : []
}

const timePromises = ['contact.timesAreIso', 'conversation.createdAtIsIso', 'message.createdAtIsIso'] as const

const checks: Partial<Record<OperationId, Check>> = {
  sendLiveMessage: judgeSend,
  sendEmailMessage: judgeSend,
  sendMessage: judgeSend,
  listMessages: ({ path, query }, { data, pagination }) => {
    const groups = listOf(data)
    const messages = groups.flatMap((group) => listOf(group.messages))
    const dates = groups.map(({ date }) => date)
    return [
      ...same('message.historyDatesAreDistinct', dates.length, new Set(dates).size),
      ...groups.flatMap(({ date, messages: ofDate }) => listOf(ofDate).flatMap((one) => onDate(date, one))),
      ...messages.flatMap(judgeSubject),
      ...messages.flatMap((one) => same('message.historyIsOfOneConversation', path.conversationId, one.conversationId)),
      ...oneOf('message.historyFiltersByChannel', query.channel, messageChannels, messages, 'channel'),
      ...within('message.historyLimitHolds', query.limit, messages.length),
      ...currentPage('message.historyCurrentPage', query.page, messages, fieldsOf(pagination)),
      ...hasMore('message.historyHasMore', messages, fieldsOf(pagination)),
    ]
  },
  listTemplates: ({ query }, { data, pagination }) => {
    const templates = listOf(data)
    const [byType, byStatus] = [
      typeof query.types === 'string' ? 'template.listFiltersByType' : 'template.typesMayRepeat',
      typeof query.statuses === 'string' ? 'template.listFiltersByStatus' : 'template.statusesMayRepeat',
    ] as const
    const { totalResults, totalPages, limit } = fieldsOf(pagination)
    const pages = Number(limit) > 0 ? Math.ceil(Number(totalResults) / Number(limit)) : undefined
    return [
      ...oneOf(byType, query.types, templateTypes, templates, 'templateType'),
      ...oneOf(byStatus, query.statuses, templateStatuses, templates, 'status'),
      ...within('template.listLimitHolds', query.limit, templates.length),
      // The largest limit of a server may be lower than the requested one, but hardly below the limit of the examples.
      ...(isCount(query.limit) && Number(query.limit) <= 10
        ? same('template.listLimit', Number(query.limit), limit)
        : []),
      ...currentPage('template.listCurrentPage', query.page, templates, fieldsOf(pagination)),
      ...(templates.length === 0 ? [] : same('template.listTotalPages', pages, totalPages)),
      ...hasMore('template.listHasMore', templates, { ...fieldsOf(pagination), totalPages: pages }),
    ]
  },
  createTemplate: ({ body }, { data }) => {
    const { templateType, status } = fieldsOf(data)
    const [promise, expected] = startingStatus[String(templateType)] ?? []
    return [...(promise === undefined ? [] : same(promise, expected, status)), ...judgeHeader(fieldsOf(body))]
  },
  getConversation: ({ path }, { data }) => same('conversation.idOpensIt', path.conversationId, fieldsOf(data)._id),
  getTemplate: ({ path }, { data }) => same('template.getShowsTheTemplate', path.templateId, fieldsOf(data)._id),
  updateContact: ({ path }, { data }) => same('contact.answersWithTheContact', path.contactId, fieldsOf(data)._id),
  deleteContact: ({ path }, { data }) =>
    same('contact.deleteAnswersWithTheContact', path.contactId, fieldsOf(data)._id),
  createConversation: ({ body }, { data }) =>
    same('conversation.contactIsTheOneMeant', fieldsOf(body).contactId, idOf(fieldsOf(data).contactId)),
  listConversationsOfContact: ({ path }, { data }) =>
    listOf(data).flatMap((one) => same('conversation.listIsOfOneContact', path.contactId, idOf(one.contactId))),
  createQuote: ({ body }, { data }) => [
    ...same('quote.createShowsTheRecord', fieldsOf(body).dealId, idIn(data, 'dealId')),
    ...(isGiven(fieldsOf(body).template)
      ? []
      : same('quote.templateDefaultsToBasic', 'default-basic', fieldsOf(data).template)),
  ],
  updateQuote: ({ body }, { data }) => same('quote.updateSetsTheStatus', fieldsOf(body).status, fieldsOf(data).status),
}

/** Only a form, which has no parsed body, can have a file. */
function judgeHeader({ templateType, headerType }: Fields): AnswerFault[] {
  const needsFile = promise('template.mediaHeaderNeedsAFile').values.some((type) => type === headerType)
  if (templateType !== 'whatsapp' || !needsFile) return []
  return [{ promise: 'template.mediaHeaderNeedsAFile', expected: 'a refusal without a file', actual: 'a success' }]
}

const startingStatus: Readonly<Record<string, readonly [PromiseId, string]>> = {
  sms: ['template.smsStartsApproved', 'approved'],
  email: ['template.emailStartsApproved', 'approved'],
  whatsapp: ['template.whatsappStartsPending', 'pending'],
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** Whether the date of a group is the date of a message, in the time zone of some place on earth. */
function onDate(date: unknown, { createdAt }: Fields): AnswerFault[] {
  const hours = (Date.parse(String(createdAt)) - Date.parse(String(date))) / 3_600_000
  if (Number.isNaN(hours) || (hours >= -14 && hours < 24 + 12)) return []
  return [{ promise: 'message.historyDatesFit', expected: 'a message of the date of its group', actual: 'another day' }]
}

/** An e-mail that came in may have no subject. */
function judgeSubject({ channel, direction, subject }: Fields): AnswerFault[] {
  const hasSubject = typeof subject === 'string' && subject !== ''
  if (channel === 'email' && direction === 'outgoing' && !hasSubject)
    return [{ promise: 'message.emailKeepsItsSubject', expected: 'an e-mail with its subject', actual: 'no subject' }]
  if (channel === 'email' || typeof channel !== 'string' || !hasSubject) return []
  return [
    { promise: 'message.onlyEmailHasASubject', expected: 'no subject', actual: `a subject on the channel ${channel}` },
  ]
}

/** The id of a reference, which may be populated. */
const idIn = (data: unknown, field: string) => idOf(fieldsOf(data)[field]) ?? fieldsOf(data)[field]

/** Values that are missing or null are not compared: other promises are about them. */
function same(promise: PromiseId, expected: unknown, actual: unknown): AnswerFault[] {
  const isKnown = [expected, actual].every((value) => value !== undefined && value !== null)
  return !isKnown || expected === actual ? [] : [{ promise, expected: String(expected), actual: String(actual) }]
}

/** Records with only these values of a field, if each of the values is a documented one. */
function oneOf(
  promise: PromiseId,
  wanted: string | string[] | undefined,
  documented: readonly string[],
  records: readonly Fields[],
  field: string,
): AnswerFault[] {
  const values = [wanted ?? []].flat()
  if (values.length === 0 || !values.every((value) => documented.includes(value))) return []
  const shown = records.map((record) => record[field]).filter((value) => typeof value === 'string')
  const other = shown.find((value) => !values.includes(value))
  return other === undefined ? [] : [{ promise, expected: values.join(' or '), actual: other }]
}

function within(promise: PromiseId, limit: string | string[] | undefined, count: number): AnswerFault[] {
  if (!isCount(limit) || count <= Number(limit)) return []
  return [{ promise, expected: `at most ${String(limit)}`, actual: String(count) }]
}

/** A server may show another page than one beyond the last. */
function currentPage(
  promise: PromiseId,
  page: string | string[] | undefined,
  shown: readonly Fields[],
  pagination: Fields,
): AnswerFault[] {
  const exists = isCount(page) && Number(page) <= Number(pagination.totalPages) && shown.length > 0
  return exists ? same(promise, Number(page), pagination.currentPage) : []
}

/** Compares `hasMore` with the number of the page and of all pages, on a page that exists. */
function hasMore(
  promise: PromiseId,
  shown: readonly Fields[],
  { currentPage, totalPages, hasMore: actual }: Fields,
): AnswerFault[] {
  const expected = Number(currentPage) < Number(totalPages)
  const exists = shown.length > 0 && Number(currentPage) <= Number(totalPages)
  if (!exists || actual === expected) return []
  const where = `page ${String(currentPage)} of ${String(totalPages)}`
  return [{ promise, expected: `hasMore: ${expected} on ${where}`, actual: String(actual) }]
}

const isCount = (text: string | string[] | undefined) => typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text)

/** Replaces the data of a response in a fault: each text and each number becomes the name of its type. */
function withoutValues({ actual, ...fault }: AnswerFault): AnswerFault {
  const data = parseJson(actual)
  if (typeof data !== 'object' && typeof data !== 'string') return { ...fault, actual }
  const replace = (_: string, value: unknown) =>
    typeof value === 'string' ? 'a text (hidden)' : typeof value === 'number' ? 'a number (hidden)' : value
  return { ...fault, actual: JSON.stringify(data, replace).replaceAll(/"(a \w+ \(hidden\))"/g, '$1') }
}

/** How long the same request with the same key is compared with the first, in milliseconds. */
const retryTime = 60_000
const mostNames = 10_000

/** Remembers what earlier exchanges show, within a bound. */
export class Traffic {
  readonly #keys = new Set<string>()
  readonly #contacts = new Set<string>()

  /** When a request is sent: a second one with its key, or for the same contact, may arrive before its response. */
  start(request: ParsedRequest): Earlier {
    const { operation, path, headers, isAuthenticated } = request
    const key = headers['idempotency-key']
    const name = ofCaller(request, String(key))
    const repeatsKey = key !== undefined && this.#keys.has(name)
    if (key !== undefined && isAuthenticated) addTo(this.#keys, name)
    if (operation === 'deleteContactsByEmail') this.#contacts.clear()
    const isDelete = operation === 'deleteContact'
    return { repeatsKey, deletesKnown: isDelete && this.#contacts.delete(ofCaller(request, path.contactId ?? '')) }
  }

  add(request: ParsedRequest, { operation, succeeded, fields }: Answer, { repeatsKey }: Earlier): void {
    const id = idOf(fields.data)
    const showsContact = succeeded && !repeatsKey && contactWrites.some((write) => write === operation)
    if (showsContact && id !== undefined) addTo(this.#contacts, ofCaller(request, id))
  }

  /** For a request to no operation, which may reset the data of the server. */
  forget(): void {
    this.#contacts.clear()
  }
}

/** Another team may use the same key, and has other contacts. */
const ofCaller = ({ headers: { authorization, 'x-api-key': apiKey } }: ParsedRequest, name: string) =>
  JSON.stringify([authorization, apiKey, name])

function addTo(known: Set<string>, name: string): void {
  if (known.size >= mostNames) known.clear()
  known.add(name)
}

/** Finds repeated requests that were carried out twice. */
export class Retries {
  readonly #first = new Map<string, { readonly id: string; readonly at: number }>()

  judge({ method, url, headers, bytes, isKeyed, at: now }: ParsedRequest, answer: Answer): AnswerFault[] {
    const id = idOf(answer.fields.data)
    if (!isKeyed || bytes === undefined || !answer.succeeded || id === undefined) return []
    const { authorization, 'x-api-key': key, 'idempotency-key': retryKey } = headers
    const caller = JSON.stringify([method, url, authorization, key, retryKey])
    const name = createHash('sha256').update(caller).update(bytes).digest('base64')
    const { id: first = id, at = now } = this.#first.get(name) ?? {}
    if (now - at < retryTime && first !== id)
      return [{ promise: 'envelope.retriesAreSafe', expected: `the record ${first} again`, actual: id }]
    if (this.#first.size >= mostNames) this.#first.clear()
    this.#first.set(name, { id, at })
    return []
  }

  /** For a request to no operation, which may reset the data of the server. */
  forget(): void {
    this.#first.clear()
  }
}
