import type { ServiceResponse } from '../core/operation.ts'
import { STATUS_CODES } from 'node:http'
import type { Operation } from '../../spec/operations.ts'

/** The replacement for the response. */
interface Sent {
  /** Undefined when the connection ends without a response. */
  readonly answered?: ServiceResponse | undefined
  /** The changes of the request, if it was committed. */
  readonly changed?: ServiceResponse['changed'] | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Pauses after half of the body. */
  readonly inMiddle?: { readonly pause: () => Promise<void> }
  /** How the connection ends, if it does. */
  readonly connection?: Effect['connection']
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

/** The fault that an effect causes, based on the original response if there is one. */
export function fire(id: string, effect: Effect, original?: ServiceResponse): FaultFired | undefined {
  const { connection, status, body, retryAfter } = effect
  const changed = original?.changed
  if (connection !== undefined) return new FaultFired(id, { connection, changed })
  const whole = status === undefined ? original : answerWith(status, effect)
  if (!whole || (status ?? body) === undefined) return undefined
  const answered = body === undefined ? whole : { ...whole, body: badly[body](whole) }
  const headers = {
    ...(body === 'notJson' && { 'content-type': 'text/html; charset=utf-8' }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  }
  return new FaultFired(id, { answered, changed, headers })
}

function answerWith(status: number, { message = messageOf(status) }: Effect): ServiceResponse {
  const body = hasNoBody(status) ? '' : JSON.stringify({ success: status < 400, message })
  return { status, body, assumed: [] }
}

/** HTTP knows no body with these. */
export const hasNoBody = (status: number) => status === 204 || status === 205 || status === 304

const badly: Readonly<Record<NonNullable<Effect['body']>, (answered: ServiceResponse) => string>> = {
  cut: ({ body }) => body.slice(0, body.length / 2),
  notJson: ({ status }) => pageOf(status),
}

/** As a proxy in front of the service would send. */
const pageOf = (status: number) => `<!doctype html>\n<title>${status}</title>\n<h1>${messageOf(status)}</h1>\n`

/** The effect on a request. */
export interface Effect {
  /** The range of the delay in milliseconds. */
  readonly delay?: { readonly from: number; readonly to: number } | undefined
  readonly status?: number | undefined
  readonly message?: string | undefined
  /** The seconds of `Retry-After`. */
  readonly retryAfter?: number | undefined
  readonly connection?: 'close' | 'reset' | undefined
  /** Cuts the JSON of the answer in its middle, or sends a page of HTML in place of it. */
  readonly body?: 'cut' | 'notJson' | undefined
}

/** The texts of the service, and the texts of HTTP for undocumented statuses. */
export function messageOf(status: number): string {
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
