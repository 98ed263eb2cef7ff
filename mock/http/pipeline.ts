import type { IncomingHttpHeaders } from 'node:http'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Operation } from '../../spec/operations.ts'
import { type Caller, callerOf, type Credentials } from '../caller.ts'
import type { Answered } from '../idempotency.ts'
import type { Perform } from '../perform.ts'
import { type RateLimit, TooManyRequests } from '../rate-limit.ts'
import { Unauthorized } from '../replies.ts'
import { checkContentType } from './content-types.ts'
import { readKey, readRequest } from './reading.ts'

/** A request to an operation, whether it came over HTTP or in process. */
export interface Incoming {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** What is left open, and which of it the answer has relied on; there once the request was admitted. */
  assumed: Assumed | undefined
  caller: Caller | undefined
}

export interface Routing {
  readonly credentials: Credentials
  readonly perform: Perform
  readonly newAssumed: () => Assumed
  readonly rateLimit: RateLimit
}

/** What is done with each request to one operation. Both throw refusals, or reject with them. */
export interface Pipeline {
  /** Before a byte of the body is read. */
  admit(request: Incoming): Promise<void>
  /** Once the body is read. */
  answer(request: Incoming): Promise<Answered>
}

export function pipelineOf(operation: Operation, routing: Routing): Pipeline {
  const { credentials, perform, newAssumed, rateLimit } = routing
  const refuseNobody = refusalOfNobody(operation)

  return {
    async admit(request) {
      const assumed = (request.assumed = newAssumed())
      const caller = (request.caller = await callerOf(request.headers, credentials, assumed))
      if (caller) rateLimit.count(caller.teamId, assumed)
      else refuseNobody(assumed)
      checkContentType(request.headers, operation.contentTypes, assumed)
    },

    answer(request) {
      const { caller, assumed = newAssumed() } = request
      const read = () => readRequest(request, operation, assumed)
      return caller
        ? perform({ operation, caller, assumed, keyed: readKey(request, operation, assumed), read })
        : refuseAfter(read)
    },
  }
}

/** The header that goes with a refusal, if any does. */
export function retryAfter(error: unknown): { 'retry-after'?: string } {
  return error instanceof TooManyRequests ? { 'retry-after': String(error.seconds) } : {}
}

/** Where there is a body or a query to judge, it may be judged first. */
function refusalOfNobody({ contentTypes, takesQuery }: Operation): (assumed: Assumed) => void {
  const isJudged = contentTypes.length > 0 || takesQuery
  return (assumed) => {
    if (isJudged) firstCheck[assumed.firstCheck]()
    else throw new Unauthorized()
  }
}

const firstCheck: ByChoice<'firstCheck', () => void> = {
  credential: () => {
    throw new Unauthorized()
  },
  body: () => undefined,
}

async function refuseAfter(read: () => unknown): Promise<never> {
  await read()
  throw new Unauthorized()
}
