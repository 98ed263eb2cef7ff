import { parseJson } from '../../lib/json.ts'
import { type Routes, routes } from '../../spec/generated/routes.ts'
import type { operations } from '../../spec/generated/api.ts'
import type { AnswerOf, BodyOf, OperationId, PathOf, QueryOf } from '../../spec/types.ts'

/**
 * The 32 operations as functions. Each takes the id in its path, then its body or its query:
 *
 *     const { data: ada } = await crm.createContact({ firstName: 'Ada', lastName: 'Lovelace' })
 *     await crm.updateContact(ada._id, { status: 'open' }, { idempotencyKey: 'one' })
 */
export type CrmClient = { readonly [Id in keyof Routes]: (...input: Input<Id>) => Promise<Answered<Id>> }

/** The body of a success, and the response itself. */
export type Answered<Id extends OperationId> = AnswerOf<Id> & { readonly response: Response }

export type Input<Id extends OperationId> = [...IdInPath<Id>, ...Content<Id>, options?: CallOptions<Id>]

type IdInPath<Id extends OperationId> = string extends keyof PathOf<Id> ? [] : [id: string]

type Content<Id extends OperationId> =
  BodyOf<Id> extends undefined ? Query<Id> : [body: BodyOf<Id> | (TakesForm<Id> extends true ? FormData : never)]

type TakesForm<Id extends OperationId> = BodyOf<Id, 'multipart/form-data'> extends undefined ? false : true

type Query<Id extends OperationId> = string extends keyof QueryOf<Id>
  ? []
  : Partial<QueryOf<Id>> extends QueryOf<Id>
    ? [query?: QueryOf<Id>]
    : [query: QueryOf<Id>]

interface Options {
  /** Added to the headers of the client. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

interface WriteOptions extends Options {
  /** A repetition with the same key gets the first answer again, and does nothing else. */
  readonly idempotencyKey?: string
}

type CallOptions<Id extends OperationId> = [operations[Id]['parameters']['header']] extends [undefined]
  ? Options
  : WriteOptions

export interface ClientOptions {
  /** The address of the server, such as `https://crm.example.com`. */
  readonly baseUrl: string
  /** Sent with each request, such as `{ 'x-api-key': key }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** A client for a sandbox, or for any server of this API. */
export function createClient(options: ClientOptions): CrmClient {
  const functions = Object.keys(routes).map((id) => [id, operation(id as OperationId, options)])
  return Object.fromEntries(functions) as CrmClient
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

function operation(id: OperationId, { baseUrl, headers, fetch = globalThis.fetch }: ClientOptions) {
  const [method, pathAndQuery] = routes[id].split(' ') as [Method, string]
  const [path = '', query] = pathAndQuery.split('?')
  const takesId = path.endsWith('}')
  const takesBody = method === 'POST' || method === 'PUT'

  return async (...input: unknown[]): Promise<unknown> => {
    const filledIn = takesId ? path.replace(/[^/]+$/, encodeId(id, input.shift())) : path
    const search = query === undefined ? '' : encodeQuery(input.shift() as QueryValues | undefined)
    const body = takesBody ? encodeBody(id, input.shift()) : undefined
    const { idempotencyKey, headers: more, signal } = (input[0] ?? {}) as WriteOptions
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}${filledIn}${search}`, {
      method,
      headers: {
        ...headers,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...more,
      },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    })
    return readAnswer(id, response)
  }
}

/** Refuses ids that would address another path. */
function encodeId(operation: OperationId, id: unknown): string {
  if (typeof id === 'string' && !/^\.{0,2}$/.test(id)) return encodeURIComponent(id)
  throw new TypeError(`${operation} takes an id first, such as '66f0a1b2c3d4e5f60000000a'.`)
}

type QueryValues = Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>

function encodeQuery(query: QueryValues = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`
}

function encodeBody(operation: OperationId, body: unknown): string | FormData {
  if (body instanceof FormData) return body
  if (typeof body === 'object' && body !== null) return JSON.stringify(body)
  throw new TypeError(`${operation} takes a body, which must be an object.`)
}

async function readAnswer(operation: OperationId, response: Response): Promise<object> {
  const text = await response.text()
  const body = parseJson(text)
  if (!response.ok || typeof body !== 'object' || body === null)
    throw new CrmError(operation, response, body === undefined ? text : body)
  return { ...body, response }
}

/** The server responded with something else than a success. A request without any response rejects with the error of `fetch`. */
export class CrmError extends Error {
  override readonly name = 'CrmError'
  readonly operation: OperationId
  readonly status: number
  /** As it was parsed; a text when it is not JSON. */
  readonly body: unknown
  /** The whole answer, for its headers; its body has been read. */
  readonly response: Response

  constructor(operation: OperationId, response: Response, body: unknown) {
    super(`${operation} was answered with ${response.status}${wordsOf(body)}`)
    this.operation = operation
    this.status = response.status
    this.body = body
    this.response = response
  }
}

function wordsOf(body: unknown): string {
  if (typeof body === 'string') return ' and a body that is not JSON'
  const { message } = (body ?? {}) as { message?: unknown }
  return typeof message === 'string' ? `: ${message}` : ''
}
