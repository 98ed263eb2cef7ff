import { STATUS_CODES } from 'node:http'
import { durationForm, readDuration } from '../../shared/time.ts'
import type { Operation } from '../../spec/operations.ts'
import { refuse } from '../control/refusals.ts'
import type { ServiceResponse } from '../core/operation.ts'
import type { FaultToAdd } from './schemas.ts'

/** The replacement for the response. */
interface Sent {
  /** Undefined when the connection ends without a response. */
  readonly answered?: ServiceResponse | undefined
  /** The changes of the request, if it was committed. */
  readonly changed?: ServiceResponse['changed'] | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Waits after half of the body. */
  readonly pause?: () => Promise<void>
  /** How the connection ends, if it does. */
  readonly connection?: FaultToAdd['connection']
}

/** Thrown to replace the response of a request. */
export class FaultFired extends Error {
  readonly id: string
  readonly sent: Sent

  constructor(id: string, sent: Sent) {
    super(`The fault ${id} answers this request`)
    this.id = id
    this.sent = sent
  }
}

/** Names the fault that made an answer. */
export const faultHeader = 'x-sandbox-fault'

/** The effect of a fault or a gate on a request. */
export type Failure = Pick<FaultToAdd, 'status' | 'message' | 'retryAfter' | 'connection' | 'body'>

/** The fault that replaces the original response, if there is one; undefined when it stays. */
export function fire(id: string, failure: Failure, original?: ServiceResponse): FaultFired | undefined {
  const { connection, status, body } = failure
  const changed = original?.changed
  if (connection !== undefined) return new FaultFired(id, { connection, changed })
  const whole = status === undefined ? original : answerWith(status, failure)
  if (!whole || (status ?? body) === undefined) return undefined
  const answered = body === undefined ? whole : { ...whole, body: badly[body](whole) }
  const seconds = retryAfterOf(failure)
  const headers = {
    ...(body === 'notJson' && { 'content-type': 'text/html; charset=utf-8' }),
    ...(seconds !== undefined && { 'retry-after': String(seconds) }),
  }
  return new FaultFired(id, { answered, changed, headers })
}

function answerWith(status: number, { message = messageOf(status) }: Failure): ServiceResponse {
  const body = hasNoBody(status) ? '' : JSON.stringify({ success: status < 400, message })
  return { status, body, assumed: [] }
}

/** HTTP knows no body with these. */
export const hasNoBody = (status: number) => status === 204 || status === 205 || status === 304

const badly: Readonly<Record<NonNullable<Failure['body']>, (answered: ServiceResponse) => string>> = {
  cut: ({ body }) => body.slice(0, body.length / 2),
  notJson: ({ status }) => pageOf(status),
}

/** As a proxy in front of the service would send. */
const pageOf = (status: number) => `<!doctype html>\n<title>${status}</title>\n<h1>${messageOf(status)}</h1>\n`

/** The texts of the service, and the texts of HTTP for undocumented statuses. */
function messageOf(status: number): string {
  return serviceTexts[status] ?? STATUS_CODES[status] ?? `Status ${status}`
}

const serviceTexts: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'Unauthorized',
  404: 'Resource not found',
  500: 'Internal server error',
}

/** The id of a fault that a request asked for itself, in the response header. */
const id = 'prefer'

/**
 * The documented error that a request asks for with `Prefer: code=404`. A documented success asks for nothing; any other
 * code is refused, so that a typing error in a test is noticed.
 */
export function preferredError(header: unknown, { statuses }: Operation): FaultFired | undefined {
  const code = typeof header === 'string' ? codeIn(header) : undefined
  if (code === undefined) return undefined
  const status = statuses.find((documented) => String(documented) === code)
  if (status !== undefined) return status < 400 ? undefined : fire(id, { status })
  return fire(id, { status: 400, message: `Prefer: code must be a status of this operation: ${statuses.join(', ')}` })
}

/** As RFC 7240 writes preferences: `code=404`, `respond-async, code="404"`. */
const codeIn = (header: string) =>
  /(?:^|,)\s*code\s*(?![^=;,])=?([^,;]*)/i
    .exec(header)?.[1]
    ?.trim()
    .replace(/^"(.*)"$/, '$1')

/** Refuses a fault whose fields exclude each other, with one sentence. */
export function checkFault(fault: FaultToAdd): void {
  const { phase = 'onArrival', delay, status, connection, body } = fault
  checkFailure(fault)
  delayOf(fault)
  if ((status ?? connection ?? body ?? delay) === undefined)
    refuse('a fault needs a status, a connection, a body or a delay')
  if (phase === 'inBody' && (status ?? body) !== undefined)
    refuse('in the middle of the body there is a delay or a connection that ends; a status or a body comes before it')
  if (body !== undefined && status === undefined && phase !== 'afterCommit')
    refuse('body changes an answer: give the status of one, or the phase afterCommit')
}

export function checkFailure(failure: Failure): void {
  const { status, message, retryAfter, connection, body } = failure
  if (connection !== undefined && (status ?? body ?? message ?? retryAfter) !== undefined)
    refuse('a connection that ends carries no answer: give either connection, or status, message, retryAfter and body')
  if (status === undefined && message !== undefined) refuse('message needs a status, such as 500')
  if (retryAfter !== undefined && status !== 429 && status !== 503) refuse('retryAfter needs the status 429 or 503')
  if (status !== undefined && hasNoBody(status) && (message ?? body) !== undefined)
    refuse(`an answer with the status ${status} has no body, so it has neither message nor body`)
  retryAfterOf(failure)
}

/** In seconds. A number is one of seconds, as in the header. */
function retryAfterOf({ status, retryAfter = status === 429 ? 1 : undefined }: Failure): number | undefined {
  if (retryAfter === undefined) return undefined
  const duration = typeof retryAfter === 'number' ? retryAfter * 1000 : retryAfter
  return Math.ceil(readTime(duration, 'retryAfter', 24 * 60 * 60_000) / 1000)
}

const longestDelay = 60_000

/** How long a fault delays a request, in milliseconds. */
export function delayOf({ delay = 0 }: FaultToAdd): number {
  const given = typeof delay === 'object' ? delay : { from: delay, to: delay }
  const [from, to] = [readTime(given.from, 'delay', longestDelay), readTime(given.to, 'delay', longestDelay)]
  if (from > to) refuse('delay.from must not be longer than delay.to')
  return from + Math.random() * (to - from)
}

/** In milliseconds. */
export function readTime(given: string | number, field: string, longest: number): number {
  const time = readDuration(given)
  if (time === undefined) refuse(`${field} must be ${durationForm}`)
  if (time > longest) refuse(`${field} must be at most ${longest / 1000} seconds`)
  return time
}
