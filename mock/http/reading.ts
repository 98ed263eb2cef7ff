import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Complaint, Operation, OperationId } from '../../spec/operations.ts'
import { fingerprintOf, type Keyed, keyedBy } from '../core/idempotency.ts'
import type { Asked } from '../core/operation.ts'
import { becauseOf } from '../core/because.ts'
import { refuse } from '../core/refusals.ts'
import { type Body, acceptFields } from '../rules/body-fields.ts'
import { normalizeBody, normalizeForm } from '../rules/request-body.ts'
import { checkParameters, describeQuery, type Query, normalizeQuery } from '../rules/request-query.ts'
import { fieldsAsJson, Form } from './form.ts'
import type { Incoming } from './pipeline.ts'

/** Checks a request against the document, and applies the choices where the document is silent. */
export function readRequest(request: Incoming, operation: Operation, assumed: Assumed): Asked {
  const query = normalizeQuery(request.query as Query, operation.id, assumed)
  if (operation.takesQuery) checkQuery(query, operation)
  checkParameters(query, operation.takesQuery ? operation.query.listed(query) : nothing, assumed)
  const { params: path, body: sent } = request
  const media = sent instanceof Form ? sent.media : undefined
  const body = sent instanceof Form ? readForm(sent, operation, assumed) : readJson(sent, operation, assumed)
  return { path, query, body, media } as Asked
}

const nothing: ReadonlySet<string> = new Set()

function checkQuery(query: Query, { id, query: shape }: Operation): void {
  const complaint = shape.complaint(query)
  if (!complaint) return
  refuse(describeQuery(complaint.sentence, query, shape.listed(query)), becauseOf(complaint, id))
}

function readJson(sent: unknown, operation: Operation, assumed: Assumed): Body | undefined {
  const shape = operation.body('application/json')
  if (!shape) return undefined
  const body = normalizeBody(sent, operation.id, assumed)
  refuseWith(shape.complaint(body), operation.id, body)
  return acceptFields(body as Body, operation, shape, assumed)
}

/** Checks the form against its own schema and then, converted to JSON, against that of the JSON body. */
function readForm(form: Form, operation: Operation, assumed: Assumed): Body | undefined {
  const shape = operation.body('multipart/form-data')
  if (!shape) return undefined
  const fields = normalizeForm(form.fields, shape, assumed)
  refuseWith(shape.complaint(fields), operation.id, fields)
  const body = fieldsAsJson(acceptFields(fields, operation, shape, assumed), assumed)
  refuseWith(operation.body('application/json')?.complaint(body), operation.id, body)
  return body
}

function refuseWith(complaint: Complaint | undefined, id: OperationId, body: unknown): void {
  if (complaint) refuse(complaint.sentence, becauseOf(complaint, id, body))
}

/** The Idempotency-Key of a request, where the operation takes one. */
export function readKey(request: Incoming, operation: Operation, assumed: Assumed): Keyed | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || operation.effect === 'read') return undefined
  if (!operation.takesIdempotencyKey && keyOnDelete[assumed.keyOnDelete] === 'ignored') return undefined
  if (typeof key !== 'string' || key === '' || key.length > 255) return unusableKey[assumed.unusableKey]()
  return keyedBy(key, operation.id, fingerprintOf(request.method, request.url, request.body))
}

const keyOnDelete: ByChoice<'keyOnDelete', 'ignored' | 'honoured'> = { ignored: 'ignored', honoured: 'honoured' }

const unusableKey: ByChoice<'unusableKey', () => Keyed | undefined> = {
  refused: () =>
    refuse('Idempotency-Key must be 1 to 255 characters long', { assumption: 'unusableKey', field: 'Idempotency-Key' }),
  ignored: () => undefined,
}
