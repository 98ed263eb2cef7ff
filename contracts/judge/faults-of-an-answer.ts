import { type Answer, type Fields, fieldsOf } from '../../client/answer.ts'
import type { Incoming } from '../../client/transport.ts'
import { operations } from '../../spec/operations.ts'
import { promise, promises, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { readLeniently } from './leniently.ts'
import { keep } from './keep.ts'
import { promiseOfShape } from './promise-of-a-shape.ts'

// What is true of every answer, whatever it was asked for. Each fault names the promise that it breaks, so that one
// missing field breaks one promise, and not every check that happens to meet it.

export interface Fault {
  readonly promise: PromiseId
  readonly expected: string
  readonly actual: string
}

export interface Inspection {
  readonly faults: readonly Fault[]
  /** Fields of a success that are not documented. */
  readonly unlisted: readonly string[]
}

export function inspect({ operation, status, body }: Answer, incoming: Incoming, repeatsKey = false): Inspection {
  const { statuses, response } = operations[operation]
  // It may come from whatever stands before the service, and says nothing about the service.
  if (isAboutLoad(status)) return { unlisted: [`status ${status}`], faults: [] }
  const encoding = encodingFaults(incoming, body)
  const isDocumented = statuses.includes(status)
  if (status === 415 || (repeatsKey && !isDocumented && isAboutKey(status)))
    return { unlisted: [`status ${status}`], faults: encoding }
  if (!isDocumented) return { unlisted: [], faults: [...encoding, undocumentedStatus(operation, status)] }
  if (body === undefined) return { unlisted: [], faults: encoding }
  if (status >= 400) return { unlisted: [], faults: [...encoding, ...refusalFaults(status, body)] }
  const faults = [...envelopeFaults(operation, body), ...shapeFaults(operation, status, body)]
  const unlisted = faults.length > 0 ? [] : response(status)?.unlisted(body)
  return { unlisted: unlisted ?? [], faults: [...encoding, ...faults] }
}

/** A refusal of too many requests, of too large ones, or while the service is not there: never a verdict on anything. */
export const isAboutLoad = (status: number): boolean => [408, 413, 414, 429, 431, 502, 503, 504].includes(status)

/** May say that an Idempotency-Key was sent before, or that nothing new was made. How it is said is left open. */
export const isAboutKey = (status: number): boolean => [200, 202, 208, 409, 422, 425].includes(status)

function encodingFaults({ headers, status, text }: Incoming, body: unknown): Fault[] {
  // An error may name a format of its own, as long as that is JSON.
  const isJson = status < 400 ? /^application\/json\s*(;|$)/i : /^application\/([\w.-]+\+)?json\s*(;|$)/i
  const type = String(headers['content-type'] ?? 'no content type')
  const actual = [
    ...(isJson.test(type) ? [] : [type]),
    ...(body === undefined ? [text === '' ? 'an empty body' : `a body that begins with ${keep(text)}`] : []),
  ]
  const expected = 'JSON, sent as application/json'
  return actual.length === 0 ? [] : [{ promise: 'envelope.answersAreJson', expected, actual: actual.join(' and ') }]
}

function undocumentedStatus(operation: OperationId, status: number): Fault {
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

function refusalFaults(status: number, body: unknown): Fault[] {
  const { success, message, meta, data } = fieldsOf(body)
  const faults: (Fault | false)[] = [
    success !== false && { promise: 'error.successIsFalse', expected: 'success: false', actual: inShort({ success }) },
    typeof message !== 'string' && { promise: 'error.messageIsText', expected: 'a text', actual: inShort({ message }) },
    !isLacking(data) && { promise: 'error.carriesNoData', expected: 'no data', actual: inShort({ data }) },
    metaFault(meta),
    typeof message === 'string' && textFault(status, message),
  ]
  return faults.filter((fault) => fault !== false)
}

function textFault(status: number, message: string): Fault | false {
  const known = texts[status]
  if (known) {
    const isKnown = message === known.text
    return !isKnown && { promise: known.promise, expected: inShort(known.text), actual: inShort(message) }
  }
  const saysWhy = message.trim() !== '' && Object.values(texts).every(({ text }) => text !== message)
  return (
    !saysWhy && { promise: 'error.badRequestSaysWhy', expected: 'a text about the request', actual: inShort(message) }
  )
}

function envelopeFaults(operation: OperationId, body: unknown): Fault[] {
  const fields = fieldsOf(body)
  const { success, message, meta, data } = fields
  const faults: (Fault | false)[] = [
    success !== undefined &&
      success !== true && {
        promise: 'envelope.successIsTrue',
        expected: 'success: true',
        actual: inShort({ success }),
      },
    message !== undefined &&
      typeof message !== 'string' && {
        promise: 'envelope.messageIsText',
        expected: 'a text',
        actual: inShort({ message }),
      },
    !isLacking(data) &&
      typeof data !== 'object' && {
        promise: 'envelope.dataIsStructured',
        expected: 'an object or a list',
        actual: inShort({ data }),
      },
    metaFault(meta),
    ...outcomeFaults(operation, fields),
  ]
  return faults.filter((fault) => fault !== false)
}

/** Some operations answer with an outcome alone. */
function outcomeFaults(operation: OperationId, { success, message, data }: Fields): (Fault | false)[] {
  if (!promise('envelope.outcomeIsStated').operations.some((id) => id === operation)) return []
  const isStated = success === true && typeof message === 'string'
  return [
    !isStated && {
      promise: 'envelope.outcomeIsStated',
      expected: 'success: true, and a message',
      actual: inShort({ success, message }),
    },
    !isLacking(data) && {
      promise: 'envelope.outcomeStandsAlone',
      expected: 'no data',
      actual: inShort({ data }),
    },
  ]
}

function metaFault(meta: unknown): Fault | false {
  const isFine = isLacking(meta) || (typeof meta === 'object' && !Array.isArray(meta))
  return !isFine && { promise: 'envelope.metaIsAnObject', expected: 'an object', actual: inShort({ meta }) }
}

/** Null stands for what is not there, as in many an API. */
const isLacking = (value: unknown): value is null | undefined => value === undefined || value === null

/** What the document says of the rest. An error that is sent with the status of a success is one fault, not two. */
function shapeFaults(operation: OperationId, status: number, body: unknown): Fault[] {
  const { success, data } = fieldsOf(body)
  if (success === false) return []
  // It may be a success to delete what is not there; what a delete shows of a contact is a promise of its own.
  if (operation === 'deleteContact' && isLacking(data)) return []
  const complaint = operations[operation].response(status)?.check(readLeniently(operation, body))
  const broken = complaint === undefined ? undefined : promiseOfShape(operation, complaint)
  return complaint === undefined || !broken
    ? []
    : [{ promise: broken, expected: complaint, actual: keep(JSON.stringify(body)) }]
}

const inShort = (value: unknown) => keep(JSON.stringify(value))
