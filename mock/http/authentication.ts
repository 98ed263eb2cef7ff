import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import type { Operation } from '../../spec/operations.ts'
import { type Because, NotFound, Unauthorized } from '../core/refusals.ts'
import { type Awaitable, andThen } from '../../lib/async.ts'
import type { Caller } from '../core/transaction.ts'
import { SettingsChanged } from '../store/port.ts'
import type { Engine } from '../operations/engine.ts'
import { checkContentType } from './reading.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operation: Operation['id'] | undefined
    /** The choices, and those that the response relied on; set for every request to an operation. */
    assumed: Assumed | undefined
    caller: Caller | undefined
    /** The version of the settings that it relies on, until the store has compared it. */
    settings: number | undefined
  }
}

/** Checks the credential, the rate limit and the content type of a request, before its body is read. */
export function authenticate(request: FastifyRequest, operation: Operation, engine: Engine): Awaitable<void> {
  const { choices } = engine
  return choices.differByTeam
    ? teamOf(request, engine).then((teamId) => admit(request, operation, engine, choices.newAssumed(teamId)))
    : admit(request, operation, engine, choices.newAssumed())
}

function admit(request: FastifyRequest, operation: Operation, engine: Engine, assumed: Assumed): Awaitable<void> {
  request.assumed = assumed
  if (hasTrailingSlash(request.url) && assumed.trailingSlash === 'notFound')
    throw new NotFound({ assumption: 'trailingSlash', field: 'path' })
  const caller = callerOf(request.headers, engine, assumed)
  return caller instanceof Promise
    ? admitLater(caller, request, operation, engine, assumed)
    : admitCaller(caller, request, operation, engine, assumed)
}

async function admitLater(
  caller: Promise<Caller | undefined>,
  ...request: [FastifyRequest, Operation, Engine, Assumed]
): Promise<void> {
  return admitCaller(await caller, ...request)
}

function admitCaller(
  caller: Caller | undefined,
  request: FastifyRequest,
  operation: Operation,
  { choices }: Engine,
  assumed: Assumed,
): Awaitable<void> {
  // promise access.credentialComesFirst: without a valid credential nothing else is checked.
  if (!caller) throw new Unauthorized(whyNoCaller(request.headers, assumed))
  request.caller = caller
  const { rateLimit } = choices.of(caller.teamId)
  // A count is an effect, so it must be by the settings of now.
  if (rateLimit && request.settings !== undefined) throw new SettingsChanged()
  if (rateLimit)
    return rateLimit(caller.teamId, assumed).then(() => checkContentType(request.headers, operation, assumed))
  checkContentType(request.headers, operation, assumed)
}

/** Also for the journal, when a fault answers before the credential is checked. */
export async function teamOf(request: FastifyRequest, engine: Engine): Promise<string | undefined> {
  request.caller = await callerOf(request.headers, engine, engine.choices.newAssumed())
  return request.caller?.teamId
}

const hasTrailingSlash = (url: string) => /^[^?#]*\/(?:[?#]|$)/.test(url)

/**
 * promise access.noCredentialIs401, access.wrongKeyIs401, access.wrongTokenIs401: without a valid credential of a team
 * there is no caller.
 */
function callerOf(headers: IncomingHttpHeaders, engine: Engine, assumed: Assumed): Awaitable<Caller | undefined> {
  const { 'x-api-key': key, authorization } = headers
  const byKey = key === undefined ? undefined : callerOfKey(String(key), engine)
  const token = authorization === undefined ? undefined : tokenIn(authorization)
  return token === undefined ? byKey : callerOfEither(key, byKey, token, engine, assumed)
}

const callerOfKey = (key: string, { store }: Engine): Awaitable<Caller | undefined> =>
  andThen(store.teamOfKey(key), callerOfTeam)

const callerOfTeam = (teamId: string | undefined) => (teamId === undefined ? undefined : { teamId })

/** Why these headers name no caller, once `callerOf` has looked. */
function whyNoCaller({ 'x-api-key': key, authorization }: IncomingHttpHeaders, assumed: Assumed): Because {
  if (assumed.reliesOn('bothCredentials')) return { assumption: 'bothCredentials', field: 'x-api-key' }
  if (assumed.reliesOn('bearerRoutes')) return { assumption: 'bearerRoutes', field: 'authorization' }
  if (key !== undefined) return { promise: 'access.wrongKeyIs401', field: 'x-api-key' }
  return authorization !== undefined && tokenIn(authorization) !== undefined
    ? { promise: 'access.wrongTokenIs401', field: 'authorization' }
    : { promise: 'access.noCredentialIs401', field: 'x-api-key' }
}

/** The bearer token, which may be empty; undefined when Authorization has another scheme. */
function tokenIn(authorization: string): string | undefined {
  return /^bearer(?: |$)/i.test(authorization) ? authorization.slice('bearer'.length).trimStart() : undefined
}

async function callerOfToken(token: string, { store, tokens }: Engine, assumed: Assumed): Promise<Caller | undefined> {
  const bearer = await tokens.verify(token)
  if (!bearer || !(await store.team(bearer.teamId))) return undefined
  if (assumed.bearerRoutes === 'none') return undefined
  return { teamId: bearer.teamId, user: { id: bearer.userId, role: bearer.role } }
}

async function callerOfEither(
  key: unknown,
  byKey: Awaitable<Caller | undefined>,
  token: string,
  engine: Engine,
  assumed: Assumed,
): Promise<Caller | undefined> {
  const byToken = await callerOfToken(token, engine, assumed)
  return key === undefined ? byToken : callerOfBoth(await byKey, byToken, assumed)
}

/** If key and token name the same team, the choice matters only when an operation reads the user, so the user is a getter. */
function callerOfBoth(byKey: Caller | undefined, byToken: Caller | undefined, assumed: Assumed): Caller | undefined {
  if (byKey?.teamId !== byToken?.teamId)
    return { key: byKey, bearer: byToken, refuse: undefined }[assumed.bothCredentials]
  return (
    byToken && {
      teamId: byToken.teamId,
      get user() {
        return assumed.bothCredentials === 'key' ? undefined : byToken.user
      },
    }
  )
}
