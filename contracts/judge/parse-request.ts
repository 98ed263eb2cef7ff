import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Fields, fieldsOf } from '../client/answer.ts'
import { decodeBody, TooLong } from '../client/transport.ts'
import { parseJson } from '../../lib/json.ts'
import { nameUnlisted } from '../../spec/close-to.ts'
import { type Complaint, operations } from '../../spec/operations.ts'
import { promiseOfFault } from '../../spec/promise-of-a-fault.ts'
import { promise, type PromiseId } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'

/** A request as it passes through the proxy, or as an archive has it. */
export interface PassingRequest {
  readonly method: string
  /** The path and the query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The body, if it is JSON within the limit. */
  readonly bytes: Buffer | undefined
  /** Why the body was not read. */
  readonly unread?: Unread
  /** When it was sent, in milliseconds. */
  readonly at: number
  /** The caller; by default the holder of the credential in the headers. */
  readonly caller?: string
  /** The role of the credential: an agent sees its own templates only. */
  readonly role?: string
  /** The headers lack the credential, which was sent. */
  readonly hidesCredentials?: boolean
}

/** A request to an operation of the document. */
export interface ParsedRequest extends PassingRequest {
  readonly operation: OperationId
  readonly caller: string
  readonly path: Readonly<Record<string, string>>
  /** A parameter that is repeated is a list. */
  readonly query: Readonly<Record<string, string | string[]>>
  readonly body: unknown
  readonly isKeyed: boolean
  readonly isAuthenticated: boolean
  /** The difference between the request and the document. */
  readonly complaint?: BadRequest | undefined
  /** Sentences about fields, parameters or a body that the operation does not have, which a server may ignore. */
  readonly ignored: readonly string[]
}

export interface BadRequest {
  readonly sentence: string
  /** The promise that a server breaks when it accepts this request. */
  readonly refusedBy?: PromiseId | undefined
}

/** Fixed paths come before those with an id. */
const routes = Object.values(operations)
  .map(({ id, method, path }) => ({
    operation: id,
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }))
  .toSorted((one, other) => Number(one.pattern.source.includes('?<')) - Number(other.pattern.source.includes('?<')))

/** Whether there is an operation of the document at a path. */
export const isDocumented = (method: string, pathname: string) =>
  routes.some((one) => one.method === method && one.pattern.test(pathname))

/** Returns `undefined` for a request to no operation of the document. */
export function parseRequest(request: PassingRequest): ParsedRequest | undefined {
  const { method, url, headers } = request
  const [, pathname = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? []
  const route = routes.find((one) => one.method === method && one.pattern.test(pathname))
  if (!route) return undefined
  const parameters = Object.entries(route.pattern.exec(pathname)?.groups ?? {})
  const query = parseQuery(new URLSearchParams(search))
  const { body, unread, complaint: bodyComplaint } = readBody(route.operation, request)
  const complaint = checkQuery(route.operation, query) ?? bodyComplaint
  return {
    ...request,
    operation: route.operation,
    caller: request.caller ?? digestOf([headers.authorization, headers['x-api-key']]),
    path: Object.fromEntries(parameters.map(([name, text]) => [name, decode(text)])),
    query,
    body,
    ...(unread && { unread }),
    isKeyed: headers['idempotency-key'] !== undefined,
    isAuthenticated: request.hidesCredentials === true || credentialHeaders.some((name) => Boolean(headers[name])),
    complaint,
    ignored: complaint ? [] : findIgnored(route.operation, query, body, request),
  }
}

/** Remembered with each record, however long the credentials are. */
const digestOf = (credentials: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(credentials)).digest('base64')

export const credentialHeaders = ['x-api-key', 'authorization', 'cookie']

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function parseQuery(parameters: URLSearchParams): ParsedRequest['query'] {
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const all = parameters.getAll(name)
      return [name, all.length > 1 ? all : (all[0] ?? '')]
    }),
  )
}

function checkQuery(operation: OperationId, query: ParsedRequest['query']): BadRequest | undefined {
  const { takesQuery, query: shape } = operations[operation]
  // The check changes its argument.
  const found = takesQuery ? badRequest(operation, shape.complaint(structuredClone(query))) : undefined
  // Some servers read `types[]=sms` as `types=sms`.
  return found && Object.keys(query).some((name) => name.endsWith(']')) ? { sentence: found.sentence } : found
}

const none: ReadonlySet<string> = new Set()

function findIgnored(id: OperationId, query: Fields, body: unknown, { bytes }: PassingRequest): string[] {
  const { takesQuery, query: queryShape, body: shapeOf, contentTypes } = operations[id]
  const sentencesAbout = (sent: Fields, listed: ReadonlySet<string>, word: string) => {
    const names = Object.keys(sent).filter((name) => !listed.has(name))
    return names.length === 0 ? [] : [nameUnlisted(names, listed, id, word)]
  }
  // Some clients send an empty object with each DELETE.
  const hasBody = bytes !== undefined && !/^\s*(\{\s*\})?\s*$/.test(bytes.toString())
  return [
    ...sentencesAbout(query, takesQuery ? queryShape.listed(query) : none, 'parameter'),
    ...sentencesAbout(fieldsOf(body), shapeOf(json)?.listed(body) ?? none, 'field'),
    ...(contentTypes.length === 0 && hasBody ? [`${id} takes no body`] : []),
  ]
}

const json = 'application/json'

/** A form, and a body beyond the limit, are not checked. */
function readBody(
  operation: OperationId,
  { headers, bytes }: PassingRequest,
): Partial<Record<'body', unknown>> & {
  readonly complaint?: BadRequest | undefined
  readonly unread?: Unread
} {
  const { contentTypes, body: shapeOf } = operations[operation]
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const contentType = type.trim().toLowerCase()
  if (contentTypes.length === 0 || (contentType !== json && contentTypes.includes(contentType))) return {}
  if (contentType !== json) {
    const isPlainUpsert = operation === 'createOrUpdateContact' && contentType === 'text/plain'
    const refusedBy = isPlainUpsert ? 'contact.upsertRefusesPlainText' : undefined
    return { complaint: { sentence: `Content-Type must be ${contentTypes.join(' or ')}`, refusedBy } }
  }
  if (bytes === undefined) return {}
  const read = textOf(bytes, headers['content-encoding'])
  if ('unread' in read) return { unread: read.unread }
  const { text } = read
  const body = parseJson(text.replace(/^\uFEFF/, ''))
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  if (isObject || text.trim() === '')
    return { body, complaint: badRequest(operation, shapeOf(json)?.complaint(body), body) }
  // It lacks all required fields.
  const refusedBy = badRequest(operation, shapeOf(json)?.complaint({}), {})?.refusedBy
  return { complaint: { sentence: `the body must be ${body === undefined ? 'valid JSON' : 'an object'}`, refusedBy } }
}

/** The text of a body, or why it has none. */
export type BodyText = { readonly text: string } | { readonly unread: Unread }

/** A body is a stream of events, too long, compressed in a way that cannot be undone, or not in the archive. */
export type Unread = 'stream' | 'tooLong' | 'encoding' | 'missing'

export function textOf(bytes: Buffer, encoding: string | string[] | undefined): BodyText {
  if (!/^(identity|gzip|deflate|br)$/i.test(String(encoding ?? 'identity'))) return { unread: 'encoding' }
  try {
    return { text: decodeBody(bytes, encoding) }
  } catch (error) {
    return { unread: error instanceof TooLong ? 'tooLong' : 'encoding' }
  }
}

function badRequest(operation: OperationId, complaint: Complaint | undefined, body?: unknown): BadRequest | undefined {
  if (!complaint) return undefined
  const { sentence, kind } = complaint
  const refusedBy = promiseOfFault(operation, complaint, body)
  const isAboutValue = kind === 'type' || kind === 'value'
  const isOpen = isAboutValue && isReadable(complaint.field, fieldsOf(body)[complaint.field])
  // A usual promise is enough for a warning.
  const isFirm = refusedBy !== undefined && promise(refusedBy).strength !== 'usual'
  return { sentence, refusedBy: isOpen && isFirm ? undefined : refusedBy }
}

/** Whether a server may read a value of another form: as no value, as an address with a name, or as a phone number. */
function isReadable(field: string, value: unknown): boolean {
  if (value === null || value === '') return true
  if (typeof value !== 'string' || !['email', 'phone', 'to'].includes(field)) return false
  const digits = value.replaceAll(/\D/g, '').length
  return /[^@\s]@[^@\s]/.test(value) || (/^[\d\s+()./-]+$/.test(value) && digits >= 4 && digits <= 15)
}
