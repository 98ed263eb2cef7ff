import type { IncomingHttpHeaders } from 'node:http'
import type { Role } from '../../fixtures/records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Store } from '../store/port.ts'
import type { Because } from './refusals.ts'
import type { Tokens } from './tokens.ts'

/** The caller of a request: a team, and the user that a token names. An API key names no user. */
export interface Caller {
  readonly teamId: string
  readonly user?: User | undefined
}

interface User {
  readonly id: string
  readonly role: Role
}

export interface Credentials {
  readonly store: Store
  readonly tokens: Tokens
}

/**
 * promise access.noCredentialIs401, access.wrongKeyIs401, access.wrongTokenIs401: without a valid credential of a team
 * there is no caller.
 */
export async function callerOf(
  { 'x-api-key': key, authorization }: IncomingHttpHeaders,
  credentials: Credentials,
  assumed: Assumed,
): Promise<Caller | undefined> {
  const teamId = key === undefined ? undefined : await credentials.store.teamOfKey(String(key))
  const byKey = teamId === undefined ? undefined : { teamId }
  const token = authorization === undefined ? undefined : tokenIn(authorization)
  if (token === undefined) return byKey
  const byToken = await callerOfToken(token, credentials, assumed)
  return key === undefined ? byToken : callerOfBoth(byKey, byToken, assumed)
}

/** Why these headers name no caller, once `callerOf` has looked. */
export function whyNoCaller({ 'x-api-key': key, authorization }: IncomingHttpHeaders, assumed: Assumed): Because {
  const relied = assumed.relied()
  if (relied.includes('bothCredentials')) return { assumption: 'bothCredentials', field: 'x-api-key' }
  if (relied.includes('bearerRoutes')) return { assumption: 'bearerRoutes', field: 'authorization' }
  if (key !== undefined) return { promise: 'access.wrongKeyIs401', field: 'x-api-key' }
  return authorization !== undefined && tokenIn(authorization) !== undefined
    ? { promise: 'access.wrongTokenIs401', field: 'authorization' }
    : { promise: 'access.noCredentialIs401', field: 'x-api-key' }
}

/** The bearer token, which may be empty; undefined when Authorization has another scheme. */
function tokenIn(authorization: string): string | undefined {
  return /^bearer(?: |$)/i.test(authorization) ? authorization.slice('bearer'.length).trimStart() : undefined
}

async function callerOfToken(
  token: string,
  { store, tokens }: Credentials,
  assumed: Assumed,
): Promise<Caller | undefined> {
  const bearer = await tokens.verify(token)
  if (!bearer || !(await store.team(bearer.teamId))) return undefined
  return bearerRoutes[assumed.bearerRoutes]({
    teamId: bearer.teamId,
    user: { id: bearer.userId, role: bearer.role },
  })
}

const bearerRoutes: ByChoice<'bearerRoutes', (caller: Caller) => Caller | undefined> = {
  all: (caller) => caller,
  none: () => undefined,
}

/** If key and token name the same team, the choice matters only when an operation reads the user: hence a getter. */
function callerOfBoth(byKey: Caller | undefined, byToken: Caller | undefined, assumed: Assumed): Caller | undefined {
  if (byKey?.teamId !== byToken?.teamId) return bothCredentials[assumed.bothCredentials].ifTheyDisagree(byKey, byToken)
  return (
    byToken && {
      teamId: byToken.teamId,
      get user() {
        return bothCredentials[assumed.bothCredentials].userIfTheyAgree(byToken)
      },
    }
  )
}

interface Both {
  ifTheyDisagree(byKey: Caller | undefined, byToken: Caller | undefined): Caller | undefined
  userIfTheyAgree(byToken: Caller): User | undefined
}

const userOf = ({ user }: Caller) => user

const bothCredentials: ByChoice<'bothCredentials', Both> = {
  key: { ifTheyDisagree: (byKey) => byKey, userIfTheyAgree: () => undefined },
  bearer: { ifTheyDisagree: (_, byToken) => byToken, userIfTheyAgree: userOf },
  refuse: { ifTheyDisagree: () => undefined, userIfTheyAgree: userOf },
}
