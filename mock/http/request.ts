import type { Assumed } from '../../spec/assumed.ts'
import type { Shape, Complaint, Operation } from '../../spec/operations.ts'
import type { OperationId, Schemas } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import type { AssumptionName, ByChoice } from '../../spec/assumptions.ts'
import { resolutions, sends, updates } from '../../spec/operation-groups.ts'
import { promise } from '../../spec/promises.ts'
import { complainOf, type FieldComplaint, refuseIf } from '../rules/refuse.ts'
import { isObject, parseJson, without } from '../../lib/json.ts'
import { templateStatuses, templateTypes } from '../../spec/forms.ts'

/** Applies the assumptions about a body that come before it is checked against the document. */
export function normalizeBody(body: unknown, { id }: Operation, shape: Shape, assumed: Assumed): unknown {
  if (!isObject(body)) return body
  const isSend = sends.some((send) => send === id)
  const withoutNulls = acceptNulls(isSend ? acceptEmptyIds(body, assumed) : body, id, assumed)
  const accepted = acceptEmptyFields(withoutNulls, id, shape, assumed)
  return id === 'sendEmailMessage' ? acceptContactIds(accepted, assumed) : accepted
}

/** Applies the assumptions about empty fields and lists in a form. */
export function normalizeForm(fields: Body, shape: Shape, assumed: Assumed): Body {
  const listed = shape.listed(fields)
  const empty = Object.keys(fields).filter((field) => fields[field] === '' && listed.has(field))
  const isOmitted = empty.length > 0 && assumed.emptyFormField === 'omitted'
  return readFormLists(isOmitted ? without(fields, empty) : fields, assumed)
}

const optionalIds = ['conversationId', 'contactId', 'recipientId', 'templateId', 'replyToMessageId']

function acceptEmptyIds(body: Body, assumed: Assumed): Body {
  const empty = optionalIds.filter((field) => body[field] === '' || body[field] === null)
  return empty.length > 0 && assumed.emptyOptionalId === 'omitted' ? without(body, empty) : body
}

function acceptContactIds(body: Body, assumed: Assumed): Body {
  const { contactId, recipientId, recipientIds = [], ...others } = body
  const sent = Object.entries({ contactId, recipientId }).filter(([, id]) => id !== undefined)
  // The document does not list these two fields, so its own check refuses them.
  if (sent.length === 0 || assumed.contactIdOnEmail === 'refused') return body
  for (const [field, id] of sent)
    if (typeof id !== 'string') refuse(`${field} must be a string`, { assumption: 'contactIdOnEmail', field })
  if (!Array.isArray(recipientIds)) return { ...others, recipientIds }
  return { ...others, recipientIds: [...sent.map(([, id]) => id), ...(recipientIds as unknown[])] }
}

export type Body = Readonly<Record<string, unknown>>

/** A copy of the body, with the values of a wrong type cast as Mongoose casts them, where they can be. */
export function castTypes(body: unknown, shape: Shape): unknown {
  const copy = structuredClone(body)
  for (const { field } of shape.faults(body).filter(({ kind, field }) => kind === 'type' && field !== '')) {
    // `attachments[0].fileSize` is the path attachments, 0, fileSize, and `groupIds[0]` is groupIds, 0.
    const [name = '', ...path] = (field.match(/[^.[\]]+/g) ?? []).reverse()
    const owner = path.reduceRight<unknown>((part, step) => (part as Body)[step], copy) as Record<string, unknown>
    owner[name] = cast(owner[name])
  }
  return copy
}

function cast(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (value === 'true' || value === 'false') return value === 'true'
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  return isNumber ? Number(value) : value
}

/** Receives what an operation ignores of a request. */
export interface Ignored {
  add(hint: string, field?: string): void
  /** The unlisted fields or parameters of a request, and those that the operation has. */
  addUnlisted(unlisted: readonly string[], listed: ReadonlySet<string>, word: 'field' | 'parameter'): void
}

/** Returns the accepted fields of a valid body. Assumptions decide on empty and unlisted fields. */
export function acceptFields(body: Body, operation: Operation, shape: Shape, assumed: Assumed, ignored: Ignored): Body {
  checkEmptyStrings(body, operation, shape, assumed)
  const listed = shape.listed(body)
  const unlisted = unlistedIn(body, listed)
  if (unlisted.length === 0) return body
  ignored.addUnlisted(unlisted, listed, 'field')
  if (isResolution(operation.id) && assumed.resolutionEndpoints === 'allThree')
    refuseUnlisted(unlisted, 'resolutionEndpoints')
  return dropFields(body, unlisted, operation, assumed)
}

/** An empty string may count as a missing field, so the body is checked again without the empty ones. */
function checkEmptyStrings(body: Body, { id }: Operation, shape: Shape, assumed: Assumed): void {
  if (!hasValue('', body)) return
  const complaint = shape.complaint(Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')))
  if (complaint) refuseEmptyString(complaint, assumed)
  const emptied = fieldsToKeep(id, body).find((field) => body[field] === '')
  if (emptied !== undefined) refuseEmptyString(complainOf(emptied, 'is required'), assumed)
}

function hasValue(value: unknown, body: Body): boolean {
  for (const field in body) if (body[field] === value) return true
  return false
}

/** A loop, since most requests have none, and `Object.keys` makes a list. */
function unlistedIn(fields: object, listed: ReadonlySet<string>): readonly string[] {
  let unlisted: string[] | undefined
  for (const field in fields) if (!listed.has(field)) (unlisted ??= []).push(field)
  return unlisted ?? none
}

const none: readonly string[] = []

/** The specification does not say whether an empty string counts as a missing field. */
function refuseEmptyString({ sentence, field }: FieldComplaint, assumed: Assumed): void {
  refuseIf(assumed, 'emptyString', 'refused', `${sentence}, and an empty string counts as missing`, field)
}

const isResolution = (id: OperationId) => resolutions.some((resolution) => resolution === id)

function dropFields(body: Body, unlisted: readonly string[], { id }: Operation, assumed: Assumed): Body {
  const written = [...serverFields, ...(serverFieldsOf[id] ?? [])]
  const sent = unlisted.filter((field) => written.includes(field))
  for (const field of sent.slice(0, 1))
    refuseIf(assumed, 'serverFieldsSent', 'refused', `${field} is written by the service; leave it out`, field)
  const others = unlisted.filter((field) => !written.includes(field))
  const remaining = sent.length === 0 ? body : without(body, sent)
  return others.length === 0 ? remaining : unlistedFields[assumed.unlistedFields](remaining, others)
}

/** The fields that the service itself writes. */
const serverFields: readonly string[] = ['_id', 'teamId', 'createdAt', 'updatedAt']

const serverFieldsOf: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createTemplate: ['status', 'ownerId', 'approveAt', 'rejectionReason'],
  updateTemplate: ['status', 'ownerId', 'approveAt', 'rejectionReason', 'uniqueName'],
  createQuote: ['status'],
  updateQuote: ['dealId'],
}

const unlistedFields: ByChoice<'unlistedFields', (body: Body, unlisted: readonly string[]) => Body> = {
  kept: (body) => body,
  dropped: without,
  refused: (_body, unlisted) => refuseUnlisted(unlisted, 'unlistedFields'),
}

function refuseUnlisted([first = '']: readonly string[], assumption: AssumptionName): never {
  const name = JSON.stringify(first.slice(0, 60)).slice(1, -1)
  refuse(`${name} is not a field of this request`, { assumption, field: first })
}

/** The fields that a create requires and an update can send, so that an update may not take them away. */
function fieldsToKeep(id: OperationId, { templateType }: Body): readonly string[] {
  if (id !== 'updateTemplate') return byUpdate[id] ?? []
  return promise(templateType === 'whatsapp' ? 'template.whatsappRequires' : 'template.smsRequires').fields
}

const names = promise('contact.createRequires').fields

const byUpdate: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  updateContact: names,
  createOrUpdateContact: names,
  updateCompany: promise('company.createRequires').fields,
  updateProduct: promise('product.createRequires').fields,
  updateDeal: promise('deal.createRequires').fields,
}

/** The specification does not say whether an update needs a field. A new header file is a change too. */
export function checkNotEmpty(body: Body | undefined, media: unknown, id: OperationId, assumed: Assumed): void {
  if (body === undefined || media !== undefined || !isUpdate(id)) return
  if (Object.keys(body).every((field) => field === 'templateType'))
    refuseIf(assumed, 'emptyUpdate', 'refused', 'an update needs a field to change', 'body')
}

/** The specification does not say what null means, nor how an update clears a field. */
function acceptNulls(body: Body, id: OperationId, assumed: Assumed): Body {
  if (!hasValue(null, body)) return body
  const nulls = Object.keys(body).filter((field) => body[field] === null && !mayBeNull(field, id))
  return nulls.length === 0 ? body : nullField[assumed.nullField](body, nulls, id)
}

/** promise message.liveMediaMayBeNull: the media of a live chat message may be null. */
const mayBeNull = (field: string, id: OperationId) =>
  id === 'sendLiveMessage' && promise('message.liveMediaMayBeNull').fields.some((known) => known === field)

type Accept = (body: Body, fields: readonly string[], id: OperationId) => Body

const refuseAs =
  (assumption: AssumptionName, what: string): Accept =>
  // A field may have any type that the document does not list.
  (_body, [first = 'a field']) =>
    refuse(`${first.slice(0, 60)} must not be ${what}; leave it out`, { assumption, field: first })

const clearInUpdate: Accept = (body, fields, id) => (isUpdate(id) ? clear(body, fields, id) : without(body, fields))

const nullField: ByChoice<'nullField', Accept> = {
  refused: refuseAs('nullField', 'null'),
  omitted: without,
  cleared: clearInUpdate,
}

/** The specification does not say what an empty string means in a field that is not required. */
function acceptEmptyFields(body: Body, id: OperationId, shape: Shape, assumed: Assumed): Body {
  if (!hasValue('', body)) return body
  const empty = Object.keys(body).filter((field) => body[field] === '')
  const missing = shape.faults(without(body, empty)).flatMap(({ kind, field }) => (kind === 'missing' ? [field] : []))
  const others = [...missing, ...keptIn(id, body), ...(sends.some((send) => send === id) ? optionalIds : [])]
  const listed = shape.listed(body)
  const optional = empty.filter((field) => listed.has(field) && !others.includes(field))
  return optional.length === 0 ? body : emptyOptionalField[assumed.emptyOptionalField](body, optional, id)
}

const emptyOptionalField: ByChoice<'emptyOptionalField', Accept> = {
  stored: (body) => body,
  omitted: without,
  cleared: clearInUpdate,
  refused: refuseAs('emptyOptionalField', 'empty'),
}

const isUpdate = (id: OperationId) => updates.some((update) => update === id)

/** Sets the fields to undefined, which the update then removes. */
function clear(body: Body, nulls: readonly string[], id: OperationId): Body {
  const kept = keptIn(id, body)
  const required = nulls.find((field) => kept.includes(field))
  if (required !== undefined)
    refuse(`${required} is required and cannot be cleared`, { assumption: 'nullField', field: required })
  return { ...body, ...Object.fromEntries(nulls.map((field) => [field, undefined])) }
}

const keptIn = (id: OperationId, body: Body) => [
  ...fieldsToKeep(id, body),
  'templateType',
  ...(id === 'updateQuote' ? ['status'] : []),
]

/** The lists of a form, except the buttons, of which the specification says that they are JSON. */
const lists = [
  'variables',
  'bodyVariableSampleValues',
  'headerVariables',
  'headerVariableSampleValues',
] as const satisfies (keyof Schemas['WhatsappTemplateToCreate'])[]

/** The specification does not say whether a list can be sent as JSON in one field. */
function readFormLists(fields: Body, assumed: Assumed): Body {
  const read = lists.flatMap((field) => {
    const items = itemsIn(fields[field])
    return items === undefined ? [] : [[field, items] as const]
  })
  return read.length > 0 && assumed.formList === 'list' ? { ...fields, ...Object.fromEntries(read) } : fields
}

/** The items of a list of texts and numbers in JSON. */
function itemsIn(text: unknown): readonly unknown[] | undefined {
  if (typeof text !== 'string' || !/^\s*\[[^[{]*\]\s*$/.test(text)) return undefined
  return parseJson(text) as readonly unknown[] | undefined
}

/** A query as it is sent: a value is a list when its name is repeated. */
export type Query = Record<string, string | string[] | undefined>

/** Applies the assumptions about a query that come before it is checked against the document. */
export function normalizeQuery(query: Query, id: OperationId, assumed: Assumed): Query {
  const normalize = queryNormalizers[id]
  return normalize ? normalize(query, assumed) : query
}

const queryNormalizers: Partial<Record<OperationId, (query: Query, assumed: Assumed) => Query>> = {
  // No defaults here: `historyPage` chooses them later.
  listMessages: (query, assumed) => normalizePage(readOnce(query, 'channel', assumed), {}, assumed),
  listTemplates: (query, assumed) =>
    normalizeFilters(splitLists(normalizePage(readBrackets(query, assumed), examplePage, assumed), assumed), assumed),
  deleteContactsByEmail: (sent, assumed) => {
    const query = readOnce(sent, 'email', assumed)
    if (query.email === '') refuseEmptyString(complainOf('email', 'is required'), assumed)
    return query
  },
}

/** The specification does not say what happens to a parameter that is sent twice. */
function readOnce(query: Query, name: string, assumed: Assumed): Query {
  const value = query[name]
  if (!Array.isArray(value)) return query
  refuseIf(assumed, 'repeatedParameter', 'refused', `${name} takes one value; send it once`, name)
  return { ...query, [name]: value[0] }
}

function normalizePage(query: Query, defaults: Query, assumed: Assumed): Query {
  const bad = (['page', 'limit'] as const).filter((name) => query[name] !== undefined && !isCount(query[name]))
  const [first] = bad
  if (first === undefined) return query
  const sentence = `${first} must be a whole number from 1 up, such as ${examplePage[first]}`
  refuseIf(assumed, 'badPage', 'refused', sentence, first)
  return { ...query, ...Object.fromEntries(bad.map((name) => [name, defaults[name]])) }
}

const isCount = (value: Query[string]) => typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value)

const examplePage = { page: '1', limit: '10' }

type Filter = 'types' | 'statuses'

const filters = ['types', 'statuses'] as const satisfies Filter[]

/** Axios and PHP write a list as `types[]=sms&types[]=email`, and others with the number of the item. */
function readBrackets(query: Query, assumed: Assumed): Query {
  const bracketed = Object.keys(query).filter((name) => withBrackets.test(name))
  if (bracketed.length === 0 || assumed.bracketedParameter === 'refused') return query
  const read = Object.fromEntries(Object.entries(query).filter(([name]) => !withBrackets.test(name)))
  const named = filters.filter((filter) => bracketed.some((name) => name.startsWith(filter)))
  return withValues(read, named, (filter) => [
    ...valuesOf(read, filter),
    ...bracketed.filter((name) => name.startsWith(filter)).flatMap((name) => query[name] ?? []),
  ])
}

const withBrackets = /^(types|statuses)\[\d{0,3}\]$/

function splitLists(query: Query, assumed: Assumed): Query {
  const holdsComma = (filter: Filter) => valuesOf(query, filter).some((value) => value.includes(','))
  const several = filters.filter(holdsComma)
  const [first] = several
  if (first === undefined) return query
  const sentence = `${first} takes one value at a time; repeat it for several`
  refuseIf(assumed, 'repeatedQueryValues', 'refused', sentence, first)
  return withValues(query, several, (filter) => valuesOf(query, filter).flatMap((text) => text.split(',')))
}

function normalizeFilters(query: Query, assumed: Assumed): Query {
  const unknown = filters.filter((filter) => !valuesOf(query, filter).every(isKnown(filter)))
  // The check against the document says which values there are.
  if (unknown.length === 0 || assumed.unknownTemplateFilter === 'refused') return query
  return withValues(query, unknown, (filter) => valuesOf(query, filter).filter(isKnown(filter)))
}

const isKnown = (filter: Filter) => (value: string) => knownValues[filter].includes(value)

const knownValues: Readonly<Record<Filter, readonly string[]>> = { types: templateTypes, statuses: templateStatuses }

/** A complaint about a query, with its unknown names: one of them may be the missing parameter, misspelt. */
export function describeQuery({ sentence, kind }: Complaint, query: Query, listed: ReadonlySet<string>): string {
  const others = Object.keys(query).filter((name) => !listed.has(name))
  if (others.length === 0 || kind !== 'missing') return sentence
  const seen = others.slice(0, 3).map((name) => JSON.stringify(name.slice(0, 40)))
  return `${sentence}; the query has ${seen.join(', ')} instead`
}

/** The specification does not say what happens to parameters that are not listed. */
export function checkParameters(query: Query, listed: ReadonlySet<string>, assumed: Assumed, ignored: Ignored): void {
  const others = unlistedIn(query, listed)
  const [other] = others
  if (other === undefined) return
  ignored.addUnlisted(others, listed, 'parameter')
  const sentence = `${JSON.stringify(other.slice(0, 60))} is not a parameter of this request`
  refuseIf(assumed, 'unlistedParameter', 'refused', sentence, other)
}

const valuesOf = (query: Query, filter: Filter) => [query[filter] ?? []].flat()

function withValues(query: Query, names: Filter[], valuesFor: (filter: Filter) => string[]): Query {
  return { ...query, ...Object.fromEntries(names.map((filter) => [filter, valuesFor(filter)])) }
}
