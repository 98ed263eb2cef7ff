import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Operation } from '../../spec/operations.ts'
import type { BodyOf } from '../../spec/types.ts'
import { fingerprintOf, type Keyed, keyedBy } from '../idempotency.ts'
import { fieldsAsJson, Form } from './form.ts'
import type { Incoming } from './pipeline.ts'
import type { Asked } from '../perform.ts'
import { refuse } from '../replies.ts'
import { bodyAsAssumed } from '../rules/body-as-assumed.ts'
import { type Body, fieldsAsAssumed } from '../rules/fields-of-a-body.ts'
import { type Query, queryAsAssumed } from '../rules/query-as-assumed.ts'
import { recipientsOf } from '../rules/recipients-of-a-bulk-send.ts'

type BulkSend = BodyOf<'sendBulkMessages'>

/** Holds a request to the document, and to what is assumed where the document is silent. Only a long list takes a while. */
export function readRequest(request: Incoming, operation: Operation, assumed: Assumed): Asked | Promise<Asked> {
  const query = queryAsAssumed(request.query as Query, operation.id, assumed)
  if (operation.takesQuery) refuseWith(operation.query.check(query))
  const { params: path, body: sent } = request
  const media = sent instanceof Form ? sent.media : undefined
  const body = sent instanceof Form ? readForm(sent, operation, assumed) : readJson(sent, operation, assumed)
  const asked = (recipients: readonly string[]) => ({ path, query, body, media, recipients }) as Asked
  return operation.id === 'sendBulkMessages' ? recipientsOf(body as BulkSend, assumed).then(asked) : asked([])
}

function readJson(sent: unknown, operation: Operation, assumed: Assumed): Body | undefined {
  const shape = operation.body('application/json')
  if (!shape) return undefined
  const body = bodyAsAssumed(sent, operation.id, assumed)
  refuseWith(shape.check(body))
  return fieldsAsAssumed(body as Body, operation, shape, assumed)
}

/** What a form says is held to what the document says of the form, and then, read as JSON, of a JSON body. */
function readForm({ fields }: Form, operation: Operation, assumed: Assumed): Body | undefined {
  const shape = operation.body('multipart/form-data')
  if (!shape) return undefined
  refuseWith(shape.check(fields))
  const body = fieldsAsJson(fieldsAsAssumed(fields, operation, shape, assumed))
  refuseWith(operation.body('application/json')?.check(body))
  return body
}

function refuseWith(complaint: string | undefined): void {
  if (complaint !== undefined) refuse(complaint)
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
  refused: () => refuse('Idempotency-Key must be 1 to 255 characters long'),
  ignored: () => undefined,
}
