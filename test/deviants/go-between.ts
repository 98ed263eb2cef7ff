import type { Incoming, Outgoing, Send } from '../../client/transport.ts'
import type { PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { operationAsked } from './operation-asked.ts'

/** A go-between that makes a correct server look as if it broke these promises. */
export interface GoBetween {
  readonly name: string
  readonly breaks: readonly PromiseId[]
  /** Promises to check first, so that the go-between has a request to repeat. */
  readonly after?: readonly PromiseId[]
  /** A new one for each run, since some keep state. */
  readonly between: (send: Send, known: Known) => Send
}

/** The credential headers of each caller. */
interface Known {
  readonly team: Headers
  readonly otherTeam: Headers
  readonly admin: Headers
}
type Headers = Readonly<Record<string, string>>

export const credentials = ['x-api-key', 'authorization']
export const withoutCredential = ({ headers }: Outgoing): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !credentials.includes(name)))
export const as = (who: Headers, request: Outgoing): Outgoing => ({
  ...request,
  headers: { ...withoutCredential(request), ...who },
})
export const isFrom = (who: Headers, { headers }: Outgoing) =>
  Object.entries(who).every(([name, value]) => headers[name] === value)

/** With the credential of the other team. */
export const asTheOther = ({ team, otherTeam }: Known, request: Outgoing) =>
  isFrom(team, request) ? as(otherTeam, request) : isFrom(otherTeam, request) ? as(team, request) : request

/** Rewrites each request. */
export const rewriting =
  (rewrite: (request: Outgoing, known: Known) => Outgoing): GoBetween['between'] =>
  (send, known) =>
  (request, timeout) =>
    send(rewrite(request, known), timeout)

export type Json = Readonly<Record<string, unknown>>

/** The same for the JSON of some operations. */
export const rewritingBodies = (ids: readonly OperationId[], rewrite: (body: Json) => Json) =>
  rewriting((request) => {
    const body = isOf(request, ids) ? jsonOf(request) : undefined
    return body ? { ...request, body: Buffer.from(JSON.stringify(rewrite(body))) } : request
  })

/** The same for the query. */
export const rewritingQueries = (ids: readonly OperationId[], rewrite: (query: URLSearchParams) => void) =>
  rewriting((request) => {
    if (!isOf(request, ids)) return request
    const url = new URL(request.url)
    rewrite(url.searchParams)
    return { ...request, url: url.href }
  })

export function isOf(request: Outgoing, ids: readonly OperationId[]): boolean {
  const operation = operationAsked(request)
  return operation !== undefined && ids.includes(operation)
}

export function jsonOf({ body, headers }: Outgoing): Json | undefined {
  if (!body || headers['content-type'] !== 'application/json') return undefined
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined
  }
}

export const hasAnId = ({ url }: Outgoing) => /[0-9a-f]{24}/.test(url)

export const answering = (status: number, body: object): Incoming => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(body),
})

/** Gives missing fields a value. */
export const fillIn = (fields: Json) => (body: Json) => ({ ...fields, ...body })
