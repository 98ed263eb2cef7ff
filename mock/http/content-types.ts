import type { IncomingHttpHeaders } from 'node:http'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Operation, OperationId } from '../../spec/operations.ts'
import type { Because } from '../core/because.ts'
import { refuse } from '../core/refusals.ts'

const json = 'application/json'

/**
 * Checks the Content-Type against those of the operation, before the body is read. Writes the accepted type back in its
 * canonical form, so that Fastify's body parsers cannot interpret it differently.
 */
export function checkContentType(headers: IncomingHttpHeaders, operation: Documented, assumed: Assumed): void {
  const sent = headers['content-type']
  if (sent === json || operation.contentTypes.length === 0) return
  headers['content-type'] = sent === undefined ? withoutOne(headers, operation, assumed) : inPlainForm(sent, operation)
}

type Documented = Pick<Operation, 'id' | 'contentTypes'>

function inPlainForm(sent: string, { id, contentTypes }: Documented): string {
  const [essence = '', ...parameters] = sent.split(';')
  const contentType = contentTypes.find((known) => known === essence.trim().toLowerCase())
  if (contentType === undefined) refuse(`Content-Type must be ${contentTypes.join(' or ')}`, becauseOfType(id))
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
