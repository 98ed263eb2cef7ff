import { operations } from '../../spec/operations.ts'
import { promise, promises, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { promiseOfShape } from './promise-of-a-shape.ts'
import type { Incoming } from '../../client/transport.ts'

// What every answer is held to, whatever it was asked for. A fault is laid to the promise that it breaks, so that one
// missing field breaks one promise, and not every check that happens to meet it.

export interface Fault {
  readonly promise: PromiseId
  readonly expected: string
  readonly actual: string
}

/** An answer, read. */
export interface Held {
  /** What its JSON says; `undefined` when it is none. */
  readonly body: unknown
  readonly faults: readonly Fault[]
  /** Fields of a success that are not documented. */
  readonly unlisted: readonly string[]
}

export function held(operation: OperationId, answer: Incoming): Held {
  const { statuses, response } = operations[operation]
  const { status, text } = answer
  const body = jsonOf(text)
  const written = writingFaults(answer, body)
  if (!statuses.includes(status)) return { body, unlisted: [], faults: [...written, undocumented(operation, status)] }
  if (body === undefined) return { body, unlisted: [], faults: written }
  if (status >= 400) return { body, unlisted: [], faults: [...written, ...refusalFaults(status, body)] }
  const faults = [...envelopeFaults(operation, body), ...shapeFaults(operation, status, body)]
  return {
    body,
    faults: [...written, ...faults],
    unlisted: faults.length > 0 ? [] : (response(status)?.unlisted(body) ?? []),
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function writingFaults({ headers, text }: Incoming, body: unknown): Fault[] {
  const type = String(headers['content-type'] ?? 'no content type')
  const actual = [
    ...(/^application\/json\s*(;|$)/i.test(type) ? [] : [type]),
    ...(body === undefined ? [text === '' ? 'an empty body' : `a body that begins with ${start(text)}`] : []),
  ]
  const expected = 'JSON, sent as application/json'
  return actual.length === 0 ? [] : [{ promise: 'envelope.answersAreJson', expected, actual: actual.join(' and ') }]
}

function undocumented(operation: OperationId, status: number): Fault {
  const { successStatuses, statuses } = operations[operation]
  const actual = status >= 300 && status < 400 ? `${status}, a redirect, which is never followed` : String(status)
  const promised = promises.find(
    (one) => one.operations.includes(operation) && successStatuses.some((is) => is === one.status),
  )
  return status >= 200 && status < 300 && promised
    ? { promise: promised.id, expected: successStatuses.join(' or '), actual }
    : { promise: 'error.statusIsDocumented', expected: `one of ${statuses.join(', ')}`, actual }
}

export const texts: Readonly<Record<number, { promise: PromiseId; text: string }>> = {
  401: { promise: 'error.unauthorizedText', text: 'Unauthorized' },
  404: { promise: 'error.notFoundText', text: 'Resource not found' },
  500: { promise: 'error.serverErrorText', text: 'Internal server error' },
}

function refusalFaults(status: number, body: unknown): Fault[] {
  const { success, message, meta, ...others } = fieldsOf(body)
  const faults: (Fault | false)[] = [
    success !== false && { promise: 'error.successIsFalse', expected: 'success: false', actual: shown({ success }) },
    typeof message !== 'string' && { promise: 'error.messageIsText', expected: 'a text', actual: shown({ message }) },
    Object.keys(others).length > 0 && {
      promise: 'error.carriesNoData',
      expected: 'success and message, and nothing else',
      actual: `also ${Object.keys(others).join(', ')}`,
    },
    !isMeta(meta) && { promise: 'envelope.metaIsAnObject', expected: 'an object', actual: shown({ meta }) },
    typeof message === 'string' && textFault(status, message),
  ]
  return faults.filter((fault) => fault !== false)
}

function textFault(status: number, message: string): Fault | false {
  const known = texts[status]
  if (known)
    return message !== known.text && { promise: known.promise, expected: shown(known.text), actual: shown(message) }
  const says = message.trim() !== '' && Object.values(texts).every(({ text }) => text !== message)
  return !says && { promise: 'error.badRequestSaysWhy', expected: 'a text about the request', actual: shown(message) }
}

function envelopeFaults(operation: OperationId, body: unknown): Fault[] {
  const { success, message, meta, data } = fieldsOf(body)
  const outcomeAlone = promise('envelope.outcomeIsStated').operations.some((id) => id === operation)
  const stated = success === true && typeof message === 'string'
  const faults: (Fault | false)[] = [
    success !== undefined &&
      success !== true && { promise: 'envelope.successIsTrue', expected: 'success: true', actual: shown({ success }) },
    message !== undefined &&
      typeof message !== 'string' && {
        promise: 'envelope.messageIsText',
        expected: 'a text',
        actual: shown({ message }),
      },
    data !== undefined &&
      (typeof data !== 'object' || data === null) && {
        promise: 'envelope.dataIsStructured',
        expected: 'an object or a list',
        actual: shown({ data }),
      },
    !isMeta(meta) && { promise: 'envelope.metaIsAnObject', expected: 'an object', actual: shown({ meta }) },
    outcomeAlone &&
      !stated && {
        promise: 'envelope.outcomeIsStated',
        expected: 'success: true, and a message',
        actual: shown({ success, message }),
      },
    outcomeAlone &&
      data !== undefined && { promise: 'envelope.outcomeStandsAlone', expected: 'no data', actual: shown({ data }) },
  ]
  return faults.filter((fault) => fault !== false)
}

/** What the document says of the rest. */
function shapeFaults(operation: OperationId, status: number, body: unknown): Fault[] {
  const sentence = operations[operation].response(status)?.check(body)
  if (sentence === undefined) return []
  const promised = promiseOfShape(operation, sentence)
  return promised ? [{ promise: promised, expected: sentence, actual: start(JSON.stringify(body)) }] : []
}

const isMeta = (meta: unknown) =>
  meta === undefined || (typeof meta === 'object' && meta !== null && !Array.isArray(meta))

/** Whatever else it may be, it has no fields. */
function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

const shown = (value: unknown) => start(JSON.stringify(value))

const start = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
