import type { FastifyRequest } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Operation } from '../../spec/operations.ts'
import { type Caller, callerOf, type Credentials, whyNoCaller } from '../core/caller.ts'
import type { ChoicesInForce } from '../core/choices-in-force.ts'
import { NotFound, Unauthorized } from '../core/refusals.ts'
import { checkContentType } from './reading.ts'

declare module 'fastify' {
  interface FastifyRequest {
    operation: Operation['id'] | undefined
    /** The choices, and those that the response relied on; set for every request to an operation. */
    assumed: Assumed | undefined
    caller: Caller | undefined
  }
}

export interface Admission {
  readonly credentials: Credentials
  readonly choices: ChoicesInForce
  readonly newAssumed: (teamId?: string) => Assumed
}

/** Checks the credential, the rate limit and the content type of a request, before its body is read. */
export async function authenticate(request: FastifyRequest, operation: Operation, admission: Admission): Promise<void> {
  const { credentials, choices, newAssumed } = admission
  request.operation = operation.id
  const assumed = (request.assumed = newAssumed(choices.differByTeam ? await teamOf(request, admission) : undefined))
  if (hasTrailingSlash(request.url)) trailingSlash[assumed.trailingSlash]()
  const caller = (request.caller = await callerOf(request.headers, credentials, assumed))
  // promise access.credentialComesFirst: without a valid credential nothing else is checked.
  if (!caller) throw new Unauthorized(whyNoCaller(request.headers, assumed))
  const { rateLimit } = choices.of(caller.teamId)
  if (rateLimit) await rateLimit(caller.teamId, assumed)
  checkContentType(request.headers, operation, assumed)
}

export async function teamOf(
  { headers }: Pick<FastifyRequest, 'headers'>,
  { credentials, newAssumed }: Admission,
): Promise<string | undefined> {
  return (await callerOf(headers, credentials, newAssumed()))?.teamId
}

const hasTrailingSlash = (url: string) => /^[^?#]*\/(?:[?#]|$)/.test(url)

const trailingSlash: ByChoice<'trailingSlash', () => void> = {
  accepted: () => undefined,
  notFound: () => {
    throw new NotFound({ assumption: 'trailingSlash', field: 'path' })
  },
}
