import { createHash } from 'node:crypto'
import { Answer, type Fields, fieldsOf, idOf } from '../client/answer.ts'
import type { Incoming } from '../client/transport.ts'
import { type AnswerFault, inspect } from '../judge/inspection.ts'
import { parseJson } from '../../lib/parse-json.ts'
import { messageChannels, templateStatuses, templateTypes } from '../../spec/forms.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { ParsedRequest } from './request.ts'

// Only promises that one exchange can show to be broken, whatever other clients do meanwhile.

/** Compares a response with the document and with the request that it answers. */
export function judge(request: ParsedRequest, { status, headers, text }: Incoming) {
  const answer = new Answer(request.operation, status, text, headers)
  // The body is not repeated in a report.
  const { faults, unlisted } = inspect(answer, text === '' ? '' : '…', request.isKeyed)
  const others = faults.length === 0 && answer.succeeded ? judgeSuccess(request, answer.fields) : []
  return { answer, unlisted, faults: [...faults.map(withoutValues), ...judgeAcceptance(request, answer), ...others] }
}

/** Statuses that a cache or another part of HTTP explains, so that the document need not list them. */
export const isAboutHttp = (status: number) => [304, 406].includes(status)

/** A service must have refused the request. */
function judgeAcceptance({ isAuthenticated, complaint, isKeyed }: ParsedRequest, answer: Answer): AnswerFault[] {
  if (!answer.succeeded) return []
  const actual = String(answer.status)
  if (!isAuthenticated) return [{ promise: 'access.noCredentialIs401', expected: '401', actual }]
  // With a key, the server may repeat the answer to an earlier request.
  if (complaint?.refusedBy === undefined || isKeyed) return []
  return [{ promise: complaint.refusedBy, expected: `a refusal, since ${complaint.sentence}`, actual }]
}

type Check = (request: ParsedRequest, answer: Fields) => AnswerFault[]

const judgeSend: Check = ({ body }, { data }) => {
  const [sent, message] = [fieldsOf(body), fieldsOf(data)]
  return [
    ...same('message.keepsItsChannel', sent.channel, message.channel),
    ...same('message.goesToTheConversationNamed', sent.conversationId, message.conversationId),
    ...same('message.isOutgoing', 'outgoing', message.direction),
    ...same('message.isSent', 'sent', message.status),
  ]
}

const judgeSuccess = (request: ParsedRequest, answer: Fields) => checks[request.operation]?.(request, answer) ?? []

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
      ...currentPage('template.listCurrentPage', query.page, templates, fieldsOf(pagination)),
      ...(templates.length === 0 ? [] : same('template.listTotalPages', pages, totalPages)),
      ...hasMore('template.listHasMore', templates, { ...fieldsOf(pagination), totalPages: pages }),
    ]
  },
  createTemplate: (_, { data }) => {
    const { templateType, status } = fieldsOf(data)
    const [promise, expected] = startingStatus[String(templateType)] ?? []
    return promise === undefined ? [] : same(promise, expected, status)
  },
  createConversation: ({ body }, { data }) =>
    same('conversation.contactIsTheOneMeant', fieldsOf(body).contactId, idOf(fieldsOf(data).contactId)),
  listConversationsOfContact: ({ path }, { data }) =>
    listOf(data).flatMap((one) => same('conversation.listIsOfOneContact', path.contactId, idOf(one.contactId))),
  createQuote: ({ body }, { data }) => same('quote.createShowsTheRecord', fieldsOf(body).dealId, idIn(data, 'dealId')),
  updateQuote: ({ body }, { data }) => same('quote.updateSetsTheStatus', fieldsOf(body).status, fieldsOf(data).status),
}

const startingStatus: Readonly<Record<string, readonly [PromiseId, string]>> = {
  sms: ['template.smsStartsApproved', 'approved'],
  email: ['template.emailStartsApproved', 'approved'],
  whatsapp: ['template.whatsappStartsPending', 'pending'],
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

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
const mostRetries = 10_000

/** Finds repeated requests that were carried out twice. */
export class Retries {
  readonly #first = new Map<string, { readonly id: string; readonly at: number }>()

  judge({ method, url, headers, bytes, isKeyed }: ParsedRequest, answer: Answer): AnswerFault[] {
    const id = idOf(answer.fields.data)
    if (!isKeyed || bytes === undefined || !answer.succeeded || id === undefined) return []
    const { authorization, 'x-api-key': key, 'idempotency-key': retryKey } = headers
    const caller = JSON.stringify([method, url, authorization, key, retryKey])
    const name = createHash('sha256').update(caller).update(bytes).digest('base64')
    const { id: first = id, at = Date.now() } = this.#first.get(name) ?? {}
    if (Date.now() - at < retryTime && first !== id)
      return [{ promise: 'envelope.retriesAreSafe', expected: `the record ${first} again`, actual: id }]
    if (this.#first.size >= mostRetries) this.#first.clear()
    this.#first.set(name, { id, at })
    return []
  }

  /** For a request to no operation, which may reset the data of the server. */
  forget(): void {
    this.#first.clear()
  }
}
