import { type Answer, type Fields, fieldsOf, mostLevels, withIds } from '../../client/answer.ts'
import { kinds } from '../../client/kinds.ts'
import { rows } from '../../client/operations.ts'
import { type Complaint, operations } from '../../../spec/operations.ts'
import type { ParsedRequest } from '../parse-request.ts'
import { promise, type PromiseEntry, promises, type PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'

/** A difference between an answer and the document. It names one promise, so that one missing field breaks one promise. */
export interface AnswerFault {
  readonly promise: PromiseId
  readonly expected: string
  readonly actual: string
}

interface Inspection {
  readonly faults: readonly AnswerFault[]
  /** Undocumented fields of a success. */
  readonly unlisted: readonly string[]
}

type WrongRequest = Pick<ParsedRequest, 'body' | 'query'>

/**
 * Compares an answer, with this text, with the parts of the document that apply to every answer. A value of a wrong
 * request that the answer repeats is no fault of the answer: its acceptance is one.
 */
export function inspect(answer: Answer, text = '', repeatsKey = false, wrong?: WrongRequest): Inspection {
  const { operation, status, body } = answer
  const { statuses, response } = operations[operation]
  // A proxy before the service may send this status.
  if (isAboutLoad(status)) return { unlisted: [`status ${status}`], faults: [] }
  const encoding = encodingFaults(answer, text)
  const isDocumented = statuses.includes(status)
  if (status === 415 || (repeatsKey && !isDocumented && status < 500))
    return { unlisted: [`status ${status}`], faults: encoding }
  if (!isDocumented) return { unlisted: [], faults: [...encoding, undocumentedStatus(operation, status)] }
  if (body === undefined) return { unlisted: [], faults: encoding }
  if (status >= 400) return { unlisted: [], faults: [...encoding, ...refusalFaults(status, body)] }
  const faults = [...envelopeFaults(operation, body), ...shapeFaults(operation, status, body, wrong)]
  const complaints = faults.length > 0 ? [] : (response(status)?.faults(body) ?? [])
  const unlisted = complaints.filter(({ kind }) => kind === 'unlisted').map(({ field }) => field)
  return { unlisted, faults: [...encoding, ...faults] }
}

/** The promises that the document makes about an answer with this status, which it kept if none of its faults names them. */
export function promisedFor({ operation, status, body }: Answer): readonly PromiseId[] {
  const { statuses, successStatuses } = operations[operation]
  if (body === undefined || !statuses.includes(status)) return []
  const known = promisedOf.get(operation)?.get(status)
  if (known) return known
  const all: readonly PromiseId[] =
    status >= 400
      ? [...ofRefusals, texts[status]?.promise ?? 'error.badRequestSaysWhy']
      : [
          ...ofSuccesses,
          ...rows[operation].shape.map(([, id]) => id),
          ...(successStatuses.length > 1 ? [] : statusOf(operation)),
        ]
  const own = [...new Set([...ofAnswers, ...all])].filter((id) => isAbout(promise(id), operation))
  promisedOf.set(operation, (promisedOf.get(operation) ?? new Map<number, readonly PromiseId[]>()).set(status, own))
  return own
}

const promisedOf = new Map<OperationId, Map<number, readonly PromiseId[]>>()
const ofAnswers = ['envelope.answersAreJson', 'envelope.metaIsAnObject'] as const
const ofRefusals = [
  'error.statusIsDocumented',
  'error.successIsFalse',
  'error.messageIsText',
  'error.carriesNoData',
] as const
const ofSuccesses = [
  'envelope.pathsAreFixed',
  'envelope.successIsTrue',
  'envelope.messageIsText',
  'envelope.dataIsStructured',
  'envelope.outcomeIsStated',
  'envelope.outcomeStandsAlone',
  'message.bulkHasNoData',
] as const

const isAbout = ({ operations: about }: PromiseEntry, operation: OperationId) =>
  about === 'all' || about.includes(operation)

const statusOf = (operation: OperationId) =>
  promises.filter((one) => one.kind === 'success' && isAbout(one, operation)).map(({ id }) => id)

/** Statuses that a cache or another part of HTTP explains, so that the document need not list them. */
export const isAboutHttp = (status: number): boolean => [304, 406].includes(status)

/** Too many requests, too large ones, or an unavailable service: such a refusal is never a verdict. */
export const isAboutLoad = (status: number): boolean => [408, 413, 414, 429, 431, 502, 503, 504].includes(status)

function faultUnless(holds: boolean, id: PromiseId, expected: string, actual: string | Fields): AnswerFault[] {
  return holds ? [] : [{ promise: id, expected, actual: typeof actual === 'string' ? actual : shownFields(actual) }]
}

/** `{}` would look like an empty body, where only these fields are missing. */
function shownFields(fields: Fields): string {
  const text = JSON.stringify(fields)
  return text === '{}' ? `no ${Object.keys(fields).join(' and no ')}` : text
}

function encodingFaults({ headers, status, body, isTooDeep }: Answer, text: string): AnswerFault[] {
  // An error may have another JSON format, such as application/problem+json.
  const isJson = status < 400 ? /^application\/json\s*(;|$)/i : /^application\/([\w.-]+\+)?json\s*(;|$)/i
  const type = String(headers['content-type'] ?? 'no content type')
  const unread = isTooDeep
    ? `a body nested deeper than ${mostLevels} levels, too deep to judge`
    : `a body that begins with ${text}`
  const actual = [
    ...(isJson.test(type) ? [] : [type]),
    ...(body === undefined ? [text === '' ? 'an empty body' : unread] : []),
  ]
  const expected = 'JSON, sent as application/json'
  return faultUnless(actual.length === 0, 'envelope.answersAreJson', expected, actual.join(' and '))
}

function undocumentedStatus(operation: OperationId, status: number): AnswerFault {
  const { successStatuses, statuses } = operations[operation]
  const actual = status >= 300 && status < 400 ? `${status}, a redirect, which is never followed` : String(status)
  const requirement = promises.find(
    (one) => one.operations.includes(operation) && successStatuses.some((is) => is === one.status),
  )
  return status >= 200 && status < 300 && requirement
    ? { promise: requirement.id, expected: successStatuses.join(' or '), actual }
    : { promise: 'error.statusIsDocumented', expected: `one of ${statuses.join(', ')}`, actual }
}

export const texts: Readonly<Record<number, { promise: PromiseId; text: string }>> = {
  401: { promise: 'error.unauthorizedText', text: 'Unauthorized' },
  404: { promise: 'error.notFoundText', text: 'Resource not found' },
  500: { promise: 'error.serverErrorText', text: 'Internal server error' },
}

function refusalFaults(status: number, body: unknown): AnswerFault[] {
  const { success, message, meta, data } = fieldsOf(body)
  return [
    ...faultUnless(success === false, 'error.successIsFalse', 'success: false', { success }),
    ...faultUnless(typeof message === 'string', 'error.messageIsText', 'a text', { message }),
    ...faultUnless(isEmpty(data), 'error.carriesNoData', 'no data', { data }),
    ...metaFaults(meta),
    ...(typeof message === 'string' ? textFaults(status, message) : []),
  ]
}

function textFaults(status: number, message: string): AnswerFault[] {
  const known = texts[status]
  const actual = JSON.stringify(message)
  if (known) return faultUnless(message === known.text, known.promise, JSON.stringify(known.text), actual)
  const saysWhy = message.trim() !== '' && Object.values(texts).every(({ text }) => text !== message)
  return faultUnless(saysWhy, 'error.badRequestSaysWhy', 'a text about the request', actual)
}

function envelopeFaults(operation: OperationId, body: unknown): AnswerFault[] {
  const { success = true, message = '', meta, data } = fieldsOf(body)
  const isStructured = isAbsent(data) || typeof data === 'object'
  return [
    ...faultUnless(success === true, 'envelope.successIsTrue', 'success: true', { success }),
    ...faultUnless(typeof message === 'string', 'envelope.messageIsText', 'a text', { message }),
    ...faultUnless(isStructured, 'envelope.dataIsStructured', 'an object or a list', { data }),
    ...metaFaults(meta),
    ...(hasOutcomeAlone.has(operation) ? outcomeFaults(operation, fieldsOf(body)) : []),
  ]
}

const hasOutcomeAlone = new Set<OperationId>(promise('envelope.outcomeIsStated').operations)

function outcomeFaults(operation: OperationId, { success, message, data }: Fields): AnswerFault[] {
  const isStated = success === true && typeof message === 'string'
  return [
    ...faultUnless(isStated, 'envelope.outcomeIsStated', 'success: true, and a message', { success, message }),
    ...(operation === 'sendBulkMessages'
      ? faultUnless(isAbsent(data), 'message.bulkHasNoData', 'no data', { data })
      : faultUnless(isEmpty(data), 'envelope.outcomeStandsAlone', 'no data', { data })),
  ]
}

const metaFaults = (meta: unknown) =>
  faultUnless(
    isAbsent(meta) || (typeof meta === 'object' && !Array.isArray(meta)),
    'envelope.metaIsAnObject',
    'an object',
    { meta },
  )

/** Many APIs write null for a field without a value. */
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

const isEmpty = (data: unknown) =>
  isAbsent(data) || (typeof data === 'object' && Object.keys(fieldsOf(data)).length === 0)

/** Compares a success with its schema. An error with the status of a success is one fault, not two. */
function shapeFaults(operation: OperationId, status: number, body: unknown, wrong?: WrongRequest): AnswerFault[] {
  const { success, data } = fieldsOf(body)
  if (success === false) return []
  // Deleting an unknown contact may succeed; another promise covers the data of a delete.
  if (operation === 'deleteContact' && isAbsent(data)) return []
  const complaint = operations[operation].response(status)?.first(readLeniently(operation, body))
  if (!complaint || /^(success|message|meta)\b/.test(complaint.field)) return []
  const { field, kind } = complaint
  if (wrong && repeats(wrong, operation, field)) return []
  const [, broken] =
    rows[operation].shape.find(([at, , kinds = [kind]]) => at.test(field) && kinds.includes(kind)) ?? []
  return broken ? [{ promise: broken, expected: expectedBy(complaint), actual: shownAt(field, body) }] : []
}

function repeats({ body, query }: WrongRequest, operation: OperationId, field: string): boolean {
  if (field.startsWith('pagination')) return [query.page, query.limit].some((one) => /[^\d]/.test(String(one ?? '')))
  const faults = body === undefined ? [] : (operations[operation].body('application/json')?.faults(body) ?? [])
  return faults.some((fault) => fault.kind !== 'unlisted' && field === `data.${fault.field}`)
}

/** Readable after "expected": `data.unitPrice to be a number`, or only the name of a missing field. */
function expectedBy({ kind, about, sentence, demand: { verb, rest } }: Complaint): string {
  if (kind === 'missing') return about
  return verb === 'must be' ? `${about} to be ${rest}` : verb === 'must' ? `${about} to ${rest}` : sentence
}

/** The field, or the whole body if it has no such field. */
function shownAt(field: string, body: unknown): string {
  const names = field.match(/[^.[\]]+/g) ?? []
  const value = names.reduce<unknown>((record, name) => fieldsOf(record)[name], body)
  return JSON.stringify(value === undefined ? body : { [field]: value })
}

/**
 * Rewrites a body in the form of the document where a service may use another form: null for an absent value, a time
 * to the minute or without a zone, and no names of a contact that was created from an address alone. Of companies,
 * products, deals and quotes it keeps the fields that are documented in responses, with ids for populated references.
 */
function readLeniently(operation: OperationId, body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { data, meta, ...envelope } = fieldsOf(body)
  const shown = { data: withNames(operation, onlyDocumented(operation, withoutNulls(data))), meta }
  return { ...envelope, ...Object.fromEntries(Object.entries(shown).filter(([, value]) => !isAbsent(value))) }
}

function onlyDocumented(operation: OperationId, data: unknown): unknown {
  const kind = (['company', 'product', 'deal', 'quote'] as const).find((one) =>
    [kinds[one].createdBy, kinds[one].shownBy].some((id) => id === operation),
  )
  if (!kind || typeof data !== 'object' || data === null || Array.isArray(data)) return data
  const fields: readonly string[] = promise(`${kind}.createShowsTheRecord`).fields
  return Object.fromEntries(Object.entries(withIds(fieldsOf(data))).filter(([field]) => fields.includes(field)))
}

const showsConversation = new Set<OperationId>(promise('conversation.contactIsPopulated').operations)
const showsContact = new Set<OperationId>(promise('contact.answersWithTheContact').operations)

function withNames(operation: OperationId, data: unknown): unknown {
  if (Array.isArray(data)) return data.map((one) => withNames(operation, one))
  if (typeof data !== 'object' || data === null) return data
  if (showsContact.has(operation)) return { firstName: '', lastName: '', ...data }
  const { contactId } = fieldsOf(data)
  return showsConversation.has(operation) && typeof contactId === 'object'
    ? { ...data, contactId: { name: '', ...contactId } }
    : data
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const present = Object.entries(value).filter(([, one]) => !isAbsent(one))
  const isTime = (name: string) => name === 'createdAt' || name === 'updatedAt'
  return Object.fromEntries(
    present.map(([name, one]) => [
      name,
      isTime(name) && typeof one === 'string' ? toTheSecond(one) : withoutNulls(one),
    ]),
  )
}

/** ISO 8601 allows a time without seconds and zone; RFC 3339, which the document names, does not. */
const toTheSecond = (time: string) =>
  time.replace(/T(\d\d):?(\d\d)(?=$|Z|[+-]\d\d)/, 'T$1:$2:00').replace(/T[\d:.,]+$/, '$&Z')
