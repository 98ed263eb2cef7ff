import { STATUS_CODES, validateHeaderName, validateHeaderValue } from 'node:http'
import { quoteUnlessPlain } from '../../../lib/text.ts'
import { durationForm, readDuration } from '../../../lib/time.ts'
import type { Operation } from '../../../spec/operations.ts'
import { reject } from '../../core/rejections.ts'
import type { ServiceResponse } from '../../core/operation.ts'
import type { FaultResponse, FaultToAdd, Phase } from './schemas.ts'
import { isObject } from '../../../lib/json.ts'

/** The replacement for the response. */
interface Sent {
  /** Undefined when the connection ends without a response. */
  readonly response?: ServiceResponse | undefined
  /** The changes of the request, if it was committed. */
  readonly changed?: ServiceResponse['changed'] | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the body is the user's, so that it may differ from the document. */
  readonly isCustom?: boolean
  /** Resolves when the second half of the body may be sent. */
  readonly pause?: () => Promise<void>
  /** How the connection ends, if it does. */
  readonly connection?: FaultToAdd['connection']
}

/** Thrown to replace the response of a request. */
export class FaultFired extends Error {
  readonly id: string
  readonly sent: Sent

  constructor(id: string, sent: Sent) {
    super('A fault answers this request')
    this.id = id
    this.sent = sent
  }
}

/** Names the fault that made an answer. */
export const faultHeader = 'x-sandbox-fault'

/** The effect of a fault or a gate on a request. */
export type Failure = Omit<FaultResponse, 'delay'>

/** The fault that replaces the original response, if there is one; undefined when it stays. */
export function fire(id: string, failure: Failure, original?: ServiceResponse): FaultFired | undefined {
  const { connection, status, body, merge, headers: own } = failure
  const changed = original?.changed
  if (connection !== undefined) return new FaultFired(id, { connection, changed })
  const real = merge && original ? { ...original, status: status ?? original.status } : original
  const whole = status === undefined || merge ? real : answerWith(status, failure)
  if (!whole || (status ?? body ?? own) === undefined) return undefined
  const response = body === undefined ? whole : { ...whole, body: bodyOf(body, merge, whole) }
  const seconds = retryAfterOf(failure)
  const headers = {
    ...(body === 'notJson' && { 'content-type': 'text/html; charset=utf-8' }),
    ...(seconds !== undefined && { 'retry-after': String(seconds) }),
    ...own,
  }
  return new FaultFired(id, { response, changed, headers, isCustom: typeof body === 'object' })
}

function answerWith(status: number, { message = messageOf(status) }: Failure): ServiceResponse {
  const body = hasNoBody(status) ? '' : JSON.stringify({ success: status < 400, message })
  return { status, body, assumed: [] }
}

/** HTTP knows no body with these. */
export const hasNoBody = (status: number) => status === 204 || status === 205 || status === 304

function bodyOf(
  body: NonNullable<Failure['body']>,
  merge: boolean | undefined,
  { status, body: real }: ServiceResponse,
) {
  if (body === 'cut') return real.slice(0, real.length / 2)
  if (body === 'notJson') return pageOf(status)
  return JSON.stringify(merge ? mergePatch(JSON.parse(real), body) : body)
}

/** As RFC 7396 merges a patch. */
function mergePatch(value: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged = new Map(isObject(value) ? Object.entries(value) : [])
  for (const [name, part] of Object.entries(patch)) {
    if (part === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), part))
  }
  return Object.fromEntries(merged)
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

/** Throws a sentence if fields of a fault exclude each other. */
export function checkFault(fault: FaultToAdd): void {
  const { status, message, retryAfter, connection, body, merge, headers, delay, responses, ...others } = fault
  const own = [status, message, retryAfter, connection, body, merge, headers, delay, others.times]
  if (responses && own.some((field) => field !== undefined))
    reject('responses says what happens to each request; the fault itself then has no response and no times')
  for (const response of responses ?? [fault]) checkResponse(response, phaseOf(fault))
  if (!responses && (status ?? connection ?? body ?? headers ?? delay) === undefined)
    reject('a fault needs a status, a connection, a body, headers, a delay or responses')
}

/** Merging needs the real answer. */
export const phaseOf = ({ merge, phase = merge ? 'afterCommit' : 'onArrival' }: FaultToAdd): Phase => phase

function checkResponse(response: FaultResponse, phase: Phase): void {
  const { status, message, body, merge, headers = {} } = response
  checkFailure(response)
  delayOf(response)
  if (merge && (typeof body !== 'object' || Array.isArray(body))) reject('merge needs a body that is a JSON object')
  if (merge && phase !== 'afterCommit') reject('merge changes the real response, so it needs the phase afterCommit')
  if (phase === 'inBody' && (status ?? body ?? response.headers) !== undefined)
    reject('the phase inBody takes a delay or a connection only, since the status has been sent by then')
  if ((body ?? response.headers) !== undefined && status === undefined && phase !== 'afterCommit')
    reject(
      `${body === undefined ? 'headers need' : 'body needs'} a status to answer with, or the phase afterCommit to change the real response`,
    )
  if (typeof body === 'object' && message !== undefined) reject('a body of your own has its own message')
  for (const [name, value] of Object.entries(headers)) checkHeader(name, value)
}

function checkHeader(name: string, value: string): void {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  } catch {
    reject(`${quoteUnlessPlain(name)} is no header with a value that HTTP can send`)
  }
  if (/^(content-length|transfer-encoding|connection|trailer|x-sandbox-.*)$/i.test(name))
    reject(`the sandbox itself sends the header ${name}`)
}

export function checkFailure(failure: Failure): void {
  const { status, message, retryAfter, connection, body, headers } = failure
  if (connection !== undefined && (status ?? body ?? message ?? retryAfter ?? headers) !== undefined)
    reject('a connection that ends carries no answer: give either connection, or status, message, retryAfter and body')
  if (status === undefined && message !== undefined) reject('message needs a status, such as 500')
  if (retryAfter !== undefined && status !== 429 && status !== 503) reject('retryAfter needs the status 429 or 503')
  if (status !== undefined && hasNoBody(status) && (message ?? body) !== undefined)
    reject(`an answer with the status ${status} has no body, so it has neither message nor body`)
  retryAfterOf(failure)
}

/** In seconds. A number is one of seconds, as in the header. */
function retryAfterOf({ status, retryAfter = status === 429 ? 1 : undefined }: Failure): number | undefined {
  if (retryAfter === undefined) return undefined
  const duration = typeof retryAfter === 'number' ? retryAfter * 1000 : retryAfter
  return Math.ceil(readTime(duration, 'retryAfter', 24 * 60 * 60_000, secondsForm) / 1000)
}

const secondsForm = 'a duration such as 30s or 2m, or a number of seconds'

const longestDelay = 60_000

/** How long a fault delays a request, in milliseconds. */
export function delayOf({ delay = 0 }: Pick<FaultResponse, 'delay'>): number {
  const range = typeof delay === 'object' ? delay : { from: delay, to: delay }
  const [from, to] = [readTime(range.from, 'delay', longestDelay), readTime(range.to, 'delay', longestDelay)]
  if (from > to) reject('delay.from must not be longer than delay.to')
  return from + Math.random() * (to - from)
}

/** In milliseconds. */
export function readTime(written: string | number, field: string, longest: number, form = durationForm): number {
  const time = readDuration(written)
  if (time === undefined) reject(`${field} must be ${form}`)
  if (time > longest) reject(`${field} must be at most ${longest / 1000} seconds`)
  return time
}
