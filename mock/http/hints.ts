import type { FastifyRequest } from 'fastify'
import { apiKinds, type ApiKind, type Provider } from '../../fixtures/records.ts'
import { type OperationId, operations } from '../../spec/operations.ts'
import type { ServiceResponse } from '../core/operation.ts'
import type { Caller } from '../core/transaction.ts'
import { looksLikeAnId } from '../core/ids.ts'
import { NoSuchTeam, type ReadRecords, type ReadTeam, type Store } from '../store/port.ts'
import { closeTo, nameUnlisted } from '../../spec/close-to.ts'
import { isObject } from '../../lib/json.ts'
import { singularOf } from '../../lib/text.ts'

type RefusedRequest = Pick<FastifyRequest, 'headers' | 'params' | 'body' | 'caller'>

/** The hint for the response to a refused request; undefined when there is nothing more to say. */
export async function hintFor(
  request: RefusedRequest,
  { status, because }: Pick<ServiceResponse, 'status' | 'because'>,
  store: Store,
): Promise<string | undefined> {
  if (status === 401) return hintOfCredential(request, store)
  const field = status === 400 ? because?.field : undefined
  return (await hintOfKnown(field, request, store)) ?? hintOfIds(request, status, store)
}

const mostKnown = 20

/** The records of the team that a refused field could name. */
async function hintOfKnown(
  field: string | undefined,
  { caller }: RefusedRequest,
  store: Store,
): Promise<string | undefined> {
  const list = field === undefined ? undefined : knownFor[field]
  if (!caller || !list) return undefined
  const { records } = await store.page(caller.teamId, 'providers', { skip: 0, take: mostKnown })
  const known = list(await store.read(caller.teamId, ({ onFile }) => onFile), records)
  const more = known.length > mostKnown ? ` and ${known.length - mostKnown} more` : ''
  return inAscii(
    known.length === 0 ? `this team has no ${field}` : `this team has ${known.slice(0, mostKnown).join(', ')}${more}`,
  )
}

const providersOf: ListKnown = (_, providers) =>
  providers.map(({ _id, channel, address }) => `${_id} (${channel}, ${address})`)
const groupsOf: ListKnown = ({ groups = [] }) => groups

type ListKnown = (onFile: ReadTeam['onFile'], providers: readonly Provider[]) => readonly string[]

const knownFor: Readonly<Record<string, ListKnown>> = {
  providerId: providersOf,
  provider: providersOf,
  pipeline: ({ pipelines = [] }) => pipelines.map(({ _id }) => _id),
  stage: ({ pipelines = [] }) => pipelines.flatMap(({ _id, stages }) => stages.map((stage) => `${stage} (of ${_id})`)),
  groupId: groupsOf,
  groupIds: groupsOf,
}

async function hintOfCredential({ headers }: RefusedRequest, store: Store): Promise<string> {
  const { 'x-api-key': key, authorization } = headers
  if (key !== undefined)
    return authorization === undefined ? 'no team has this x-api-key' : 'key and token open nothing'
  if (authorization === undefined) return 'send the key of a team as x-api-key, or a token as Authorization: Bearer'
  if (await store.teamOfKey(authorization.replace(/^bearer /i, '')))
    return 'this is the key of a team: send it as x-api-key'
  if (!/^bearer /i.test(authorization))
    return 'send a token with the word Bearer before it, as in Authorization: Bearer TOKEN'
  return 'this token opens nothing: it may be expired, ended by a reset, or signed elsewhere'
}

/** The kinds of records that the fields of a request name. */
const kindNamedBy: Readonly<Record<string, ApiKind>> = {
  contactId: 'contacts',
  recipientId: 'contacts',
  recipientIds: 'contacts',
  contacts: 'contacts',
  conversationId: 'conversations',
  templateId: 'templates',
  companyId: 'companies',
  company: 'companies',
  productId: 'products',
  dealId: 'deals',
  quoteId: 'quotes',
  replyToMessageId: 'messages',
}

async function hintOfIds(request: RefusedRequest, status: number, store: Store): Promise<string | undefined> {
  const { caller } = request
  const ids = idsIn(request).filter(({ kind }) => caller && seenBy(caller).includes(kind))
  if (!caller || (status !== 404 && status !== 400) || ids.length === 0) return undefined
  try {
    return await store.read(caller.teamId, ({ records }) => firstHint(ids, status, records, seenBy(caller)))
  } catch (error) {
    if (error instanceof NoSuchTeam) return undefined
    throw error
  }
}

interface Named {
  readonly field: string
  readonly id: string
  readonly kind: ApiKind
}

const most = 20

function idsIn({ params, body }: RefusedRequest): Named[] {
  return [params, body].filter(isObject).flatMap((part) =>
    Object.entries(kindNamedBy).flatMap(([field, kind]) => {
      const sent = Object.hasOwn(part, field) ? [part[field]].flat().slice(0, most) : []
      return sent.flatMap((id) => (typeof id === 'string' && id !== '' ? [{ field, id, kind }] : []))
    }),
  )
}

/** An agent must not learn of the templates of other users. */
function seenBy({ user }: Caller): readonly ApiKind[] {
  return user?.role === 'agent' ? apiKinds.filter((kind) => kind !== 'templates') : apiKinds
}

async function firstHint(
  ids: readonly Named[],
  status: number,
  records: ReadRecords,
  kinds: readonly ApiKind[],
): Promise<string | undefined> {
  for (const { field, id, kind } of ids) {
    if (await records[kind].get(id)) continue
    const other = await kindOf(id, records, kinds)
    if (other !== undefined) return `${field} is the id of a ${singularOf(other)}, not of a ${singularOf(kind)}`
    if (!looksLikeAnId(id)) return `${field} is not in the form of an id, which is 24 hexadecimal characters`
    if (status === 404) return `${field} is not the id of a ${singularOf(kind)} of this team`
  }
  return undefined
}

async function kindOf(id: string, records: ReadRecords, kinds: readonly ApiKind[]): Promise<ApiKind | undefined> {
  for (const kind of kinds) if (await records[kind].get(id)) return kind
  return undefined
}

/** For the response of a fault with a body of the user's, which may be any. */
export function hintOfCustomBody({ status, body }: ServiceResponse, id: OperationId | undefined): string | undefined {
  if (id === undefined) return undefined
  const shape = operations[id].response(status)
  if (!shape) return `the document has no ${status} for ${id}`
  const complaint = shape.check(JSON.parse(body))
  return complaint && inAscii(`the body of the fault is not as documented: ${complaint}`)
}

export function addHint(request: { hint: string | undefined }, hint: string): void {
  request.hint = request.hint === undefined ? hint : `${request.hint}; ${hint}`
}

/** As a header takes it. */
export const hintOfUnlisted = (...args: Parameters<typeof nameUnlisted>) => inAscii(nameUnlisted(...args))

/** HTTP takes no other characters in a header. */
export const inAscii = (text: string) => text.replace(/[^ -~]/g, '?')

interface Route {
  readonly method: string
  /** With parameters, such as `/api/contacts/{contactId}`. */
  readonly path: string
}

/** A suggestion for an unknown path or method. It repeats no part of the request. */
export function hintOfPath(method: string, url: string, routes: readonly Route[]): string {
  const [path = ''] = url.split('?')
  const sent = path.split('/')
  const close = closePaths(segmentsOf(path), routes)
  const meant = close.find((one) => methodsOf(one, routes).includes(method))
  const exact = routes.filter((route) => isPathOf(route, sent))
  // Any word may stand where an id does, as in /api/messages/sendEmail.
  const isSure = looksLikeAnId(sent.at(-1) ?? '') || exact.some((route) => !route.path.includes('{'))
  if (exact.length > 0 && (isSure || meant === undefined)) {
    return `this path takes ${methodsOfAll(exact).join(' or ')}, not ${/^[A-Z]{1,20}$/.test(method) ? method : 'this method'}`
  }
  const best = meant ?? close[0]
  if (best === undefined) return 'no such path; /docs shows those that there are'
  return `no such path; did you mean ${meant ? method : methodsOf(best, routes).join(' or ')} ${best}`
}

/** The paths of similar routes, the closest first. */
function closePaths(sent: readonly string[], routes: readonly Route[]): string[] {
  const parameter = sent.length > 1 ? sent.at(-1) : ''
  const paths = new Map(routes.map(({ path }) => [inWords(segmentsOf(path), parameter), path]))
  return closeTo(inWords(sent), [...paths.keys()]).map((words) => paths.get(words) ?? '')
}

export function isPathOf({ path }: Route, sent: readonly string[]): boolean {
  const documented = path.split('/')
  return documented.length === sent.length && documented.every((part, at) => part.startsWith('{') || part === sent[at])
}

const methodsOf = (path: string, routes: readonly Route[]) =>
  methodsOfAll(routes.filter((route) => route.path === path))

const methodsOfAll = (routes: readonly Route[]) => [...new Set(routes.map(({ method }) => method.toUpperCase()))]

/** Without what all paths begin with, or what people take for it. */
function segmentsOf(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '')
  const first = segments.findIndex((segment) => !/^(?:api|v\d+)$/i.test(segment))
  return first < 0 ? [] : segments.slice(first)
}

/** Replaces a parameter by the sent segment, and every id by the same word. */
function inWords(segments: readonly string[], parameter = ''): string {
  const shown = segments.map((segment) => (segment.startsWith('{') ? parameter : segment))
  return shown.map((segment) => (looksLikeAnId(segment) ? 'id' : segment)).join('/')
}
