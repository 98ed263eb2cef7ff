import type { FastifyRequest } from 'fastify'
import type { Assumed } from '../spec/assumed.ts'
import type { ByChoice } from '../spec/assumptions.ts'
import type { Operation, Shape } from '../spec/operations.ts'
import { fingerprintOf, type Keyed } from './idempotency.ts'
import { fieldsAsJson, Form } from './multipart-body.ts'
import type { Asked } from './perform.ts'
import { refuse } from './replies.ts'
import { bodyAsAssumed } from './rules/body-as-assumed.ts'
import { type Body, fieldsAsAssumed } from './rules/fields-of-a-body.ts'
import { type Query, queryAsAssumed } from './rules/query-as-assumed.ts'

/** Holds a request to the document, and to what is assumed where the document is silent. */
export function readRequest(request: FastifyRequest, operation: Operation, assumed: Assumed): Asked {
  const query = queryAsAssumed(request.query as Query, operation.id, assumed)
  if (operation.takesQuery) refuseWith(operation.query.check(query))
  const media = request.body instanceof Form ? request.body.media : undefined
  return { path: request.params, query, body: readBody(request, operation, assumed), media } as Asked
}

function readBody(request: FastifyRequest, operation: Operation, assumed: Assumed): Body | undefined {
  const [contentType = ''] = (request.headers['content-type'] ?? '').split(';')
  const shape = operation.body(contentType)
  if (!shape) return undefined
  if (request.body instanceof Form) return readFields(request.body, operation, shape, assumed)
  const body = bodyAsAssumed(request.body, operation.id, assumed)
  refuseWith(shape.check(body))
  return fieldsAsAssumed(body as Body, operation, shape, assumed)
}

/** What a form says is held to what the document says of the form, and then, read as JSON, of a JSON body. */
function readFields({ fields }: Form, operation: Operation, shape: Shape, assumed: Assumed): Body {
  refuseWith(shape.check(fields))
  const body = fieldsAsJson(fieldsAsAssumed(fields, operation, shape, assumed))
  refuseWith(operation.body('application/json')?.check(body))
  return body
}

function refuseWith(complaint: string | undefined): void {
  if (complaint !== undefined) refuse(complaint)
}

/** The Idempotency-Key of a request, where the operation takes one. */
export function readKey(request: FastifyRequest, operation: Operation, assumed: Assumed): Keyed | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || operation.effect === 'read') return undefined
  if (!operation.takesIdempotencyKey && keyOnDelete[assumed.keyOnDelete] === 'ignored') return undefined
  if (typeof key !== 'string' || key === '' || key.length > 255) return unusableKey[assumed.unusableKey]()
  return { key, operationId: operation.id, fingerprint: fingerprintOf(request.method, request.url, request.body) }
}

const keyOnDelete: ByChoice<'keyOnDelete', 'ignored' | 'honoured'> = { ignored: 'ignored', honoured: 'honoured' }

const unusableKey: ByChoice<'unusableKey', () => Keyed | undefined> = {
  refused: () => refuse('Idempotency-Key must be 1 to 255 characters long'),
  ignored: () => undefined,
}
