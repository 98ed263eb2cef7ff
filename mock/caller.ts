import type { IncomingHttpHeaders } from 'node:http'
import type { Role } from '../fixtures/records.ts'
import type { Assumed } from '../spec/assumed.ts'
import type { ByChoice } from '../spec/assumptions.ts'
import type { Store } from './store/port.ts'
import type { Tokens } from './tokens.ts'

/** Who calls: a team, and the user that a token names. An API key names no user. */
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
 * promise access.noCredentialIs401, access.wrongKeyIs401, access.wrongTokenIs401: whoever sends no credential of a team
 * is nobody.
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
  const byToken = await ofToken(token, credentials, assumed)
  return key === undefined ? byToken : ofBoth(byKey, byToken, assumed)
}

/** What stands for a bearer token, be it none. An Authorization of another scheme is no token at all. */
function tokenIn(authorization: string): string | undefined {
  return /^bearer(?: |$)/i.test(authorization) ? authorization.slice('bearer'.length).trimStart() : undefined
}

async function ofToken(token: string, { store, tokens }: Credentials, assumed: Assumed): Promise<Caller | undefined> {
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

/** Where a key and a token name one team, which of them counts matters only to who asks for the user. */
function ofBoth(byKey: Caller | undefined, byToken: Caller | undefined, assumed: Assumed): Caller | undefined {
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
