import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Assumed } from '../../spec/assumed.ts'
import type { AssumptionName, ByChoice } from '../../spec/assumptions.ts'
import type { FastifyRequest } from 'fastify'
import type { Complaint, Operation, OperationId, Shape } from '../../spec/operations.ts'
import { fingerprintOf, type Keyed, keyedBy } from '../core/idempotency.ts'
import { becauseOf, refuse, type Because } from '../core/refusals.ts'
import type { ParsedRequest } from '../core/operation.ts'
import {
  type Body,
  acceptFields,
  checkNotEmpty,
  normalizeBody,
  normalizeForm,
  checkParameters,
  describeQuery,
  type Query,
  normalizeQuery,
  castTypes,
  type Ignored,
} from './request.ts'
import { refuseIf } from '../rules/refuse.ts'
import { addHint, hintOfUnlisted, inAscii } from './hints.ts'
import { fieldsAsJson, Form } from './multipart-body.ts'
import { isObject } from '../../lib/json.ts'

/**
 * Checks a request against the document, and applies the choices where the document is silent. A strict sandbox refuses
 * fields and parameters that the operation does not have.
 */
export function parseRequest(
  request: FastifyRequest,
  operation: Operation,
  assumed: Assumed,
  ignored: Ignored,
): ParsedRequest {
  if (!operation.body('application/json') && hasBody(request.headers) && !isEmptyObject(request.body))
    ignored.add(`${operation.id} takes no body`)
  const query = normalizeQuery(request.query as Query, operation.id, assumed)
  if (operation.takesQuery) checkQuery(query, operation)
  checkParameters(query, operation.takesQuery ? operation.query.listed(query) : nothing, assumed, ignored)
  const { params: path, body: sent } = request
  const media = sent instanceof Form ? sent.media : undefined
  const read = sent instanceof Form ? readForm(sent, operation, assumed) : readJson(sent, operation, assumed)
  const checked = read && (checkBody(read, request, operation, assumed) as Body)
  const body = read && checked && acceptFields(checked, operation, read.shape, assumed, ignored)
  checkNotEmpty(body, media, operation.id, assumed)
  return { path, query, body, media } as ParsedRequest
}

/** Some clients send one with each DELETE. */
const isEmptyObject = (body: unknown) => typeof body === 'object' && body !== null && Object.keys(body).length === 0

const nothing: ReadonlySet<string> = new Set()

function checkQuery(query: Query, { id, query: shape }: Operation): void {
  const complaint = shape.complaint(query)
  if (!complaint) return
  refuse(describeQuery(complaint, query, shape.listed(query)), becauseOf(complaint, id))
}

/** A body that is not yet checked. */
interface ReadBody {
  readonly body: unknown
  readonly shape: Shape
  /** Whether its values were cast already. */
  readonly isCast?: boolean
}

function readJson(sent: unknown, operation: Operation, assumed: Assumed): ReadBody | undefined {
  const shape = operation.body('application/json')
  return shape && { body: normalizeBody(sent, operation, shape, assumed), shape }
}

function readForm(form: Form, operation: Operation, assumed: Assumed): ReadBody | undefined {
  const shape = operation.body('multipart/form-data')
  if (!shape) return undefined
  const body = fieldsAsJson(normalizeForm(form.fields, shape, assumed))
  checkType(body, operation)
  return { body, shape }
}

function checkType({ templateType }: Body, { id }: Operation): void {
  if (templateType === undefined || templateType === 'whatsapp') return
  refuse('templateType must be whatsapp in a form; send other templates as JSON', {
    document: id,
    field: 'templateType',
  })
}

/** Returns the body as the operation takes it: some choices accept values that are not as documented. */
function checkBody(read: ReadBody, request: FastifyRequest, operation: Operation, assumed: Assumed): unknown {
  const { body, shape, isCast = false } = read
  const { id } = operation
  const complaint = shape.complaint(body)
  if (!complaint) return body
  const because = becauseOf(complaint, id, body)
  const { field } = complaint
  const checkAgain = (changed: Partial<ReadBody>) => checkBody({ ...read, ...changed }, request, operation, assumed)
  if (isOpen('wrongType', because) && assumed.wrongType === 'cast' && !isCast)
    return checkAgain({ body: castTypes(body, shape), isCast: true })
  if (isOpen('nationalPhone', because) && assumed.nationalPhone === 'accepted') {
    const taken = checkAgain({ body: { ...(body as Body), [field]: inE164 } })
    return { ...(taken as Body), [field]: (body as Body)[field] }
  }
  if (isObject(body)) hintOfOthers(request, body, shape, complaint, id)
  refuse(complaint.sentence, because)
}

const mostFaults = 10

/** The message names one fault of a body, the hint the others, and the fields that may be misspelt. */
function hintOfOthers(request: FastifyRequest, body: Body, shape: Shape, told: Complaint, id: OperationId): void {
  const others = shape.faults(body, mostFaults).filter(({ field, kind }) => field !== told.field && kind !== 'unlisted')
  if (others.length > 0) addHint(request, inAscii(`also: ${others.map(({ sentence }) => sentence).join('; ')}`))
  const listed = shape.listed(body)
  const unlisted = Object.keys(body).filter((field) => !listed.has(field))
  if (unlisted.length > 0 && told.kind !== 'unlisted') addHint(request, hintOfUnlisted(unlisted, listed, id, 'field'))
}

const isOpen = (name: AssumptionName, because: Because) => 'assumption' in because && because.assumption === name

/** Takes the place of a national number while the other fields are checked. */
const inE164 = '+14155550123'

/** A longer key is kept as its hash. */
const mostInKey = 255

/** The Idempotency-Key of a request, where the operation takes one. */
export function readKey(request: FastifyRequest, operation: Operation, assumed: Assumed): Keyed | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || operation.effect === 'read') return undefined
  if (!operation.takesIdempotencyKey && assumed.keyOnDelete === 'ignored') return undefined
  if (typeof key !== 'string' || key === '' || key.length > mostInKey) {
    const sentence = `Idempotency-Key must be 1 to ${mostInKey} characters long`
    refuseIf(assumed, 'unusableKey', 'refused', sentence, 'Idempotency-Key')
    if (typeof key !== 'string' || key === '' || assumed.unusableKey === 'ignored') return undefined
  }
  const { method, url, body, text } = request
  const sent = body instanceof Form ? JSON.stringify(body) : text
  return keyedBy(
    key.length > mostInKey ? hash('sha256', key) : key,
    operation.id,
    fingerprintOf(`${method} ${url}`, sent, body),
  )
}

const json = 'application/json'

/**
 * Checks the Content-Type against the types of the operation before the body is read. Writes the accepted type in its
 * canonical form, so that Fastify's body parsers cannot interpret it differently.
 */
export function checkContentType(headers: IncomingHttpHeaders, operation: Documented, assumed: Assumed): void {
  const sent = headers['content-type']
  if (sent === json || operation.contentTypes.length === 0) return
  headers['content-type'] =
    sent === undefined ? withoutOne(headers, operation, assumed) : inPlainForm(sent, operation, assumed)
}

type Documented = Pick<Operation, 'id' | 'contentTypes'>

function inPlainForm(sent: string, { id, contentTypes }: Documented, assumed: Assumed): string {
  const [essence = '', ...parameters] = sent.split(';')
  const contentType = contentTypes.find((known) => known === essence.trim().toLowerCase())
  const complaint = `Content-Type must be ${contentTypes.join(' or ')}`
  if (contentType === undefined && id !== 'createOrUpdateContact')
    return missingContentType[assumed.missingContentType](complaint)
  if (contentType === undefined) refuse(complaint, becauseOfType(id))
  if (contentType !== json) return contentType + sent.slice(essence.length)
  if (!parameters.every(isUtf8))
    refuse(`Content-Type must be ${json}, with no parameter but charset=utf-8`, becauseOfType(id))
  return json
}

const isUtf8 = (parameter: string) => /^(charset=("?)utf-?8\2)?$/i.test(parameter.trim())

function becauseOfType(id: OperationId): Because {
  const field = 'Content-Type'
  return id === 'createOrUpdateContact' ? { promise: 'contact.upsertRefusesPlainText', field } : { document: id, field }
}

function withoutOne(headers: IncomingHttpHeaders, { id }: Documented, assumed: Assumed): string {
  const complaint = `send a JSON body, with Content-Type: ${json}`
  return hasBody(headers)
    ? missingContentType[assumed.missingContentType](complaint)
    : refuse(complaint, becauseOfType(id))
}

function hasBody({ 'content-length': length = '0', 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return length !== '0' || encoding !== undefined
}

const missingContentType: ByChoice<'missingContentType', (complaint: string) => string> = {
  refused: (complaint) => refuse(complaint, { assumption: 'missingContentType', field: 'Content-Type' }),
  readAsJson: () => json,
}
