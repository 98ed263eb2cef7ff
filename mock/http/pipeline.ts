import type { IncomingHttpHeaders } from 'node:http'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { type Operation, type OperationId, operations } from '../../spec/operations.ts'
import type { AnsweredAtLength } from '../core/answered.ts'
import { type Caller, callerOf, type Credentials, whyNoCaller } from '../core/caller.ts'
import type { FormOfIds } from '../core/ids.ts'
import type { Perform } from '../core/perform.ts'
import type { ChoicesInForce } from '../core/choices-in-force.ts'
import { TooManyRequests } from '../core/rate-limit.ts'
import { NotFound, type Say, Unauthorized } from '../core/refusals.ts'
import type { Interception } from '../faults/interception.ts'
import type { Met } from '../faults/match.ts'
import type { Journal } from '../journal/journal.ts'
import type { Speaker } from '../voice/speaker.ts'
import { checkContentType } from './content-types.ts'
import { Form } from './form.ts'
import { readKey, readRequest } from './reading.ts'

/** A request to an operation, whether it came over HTTP or in process. */
export interface Incoming {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  operation: OperationId | undefined
  /** The choices, and those that the answer relied on; set when the request is admitted. */
  assumed: Assumed | undefined
  caller: Caller | undefined
}

export interface Routing {
  readonly credentials: Credentials
  readonly perform: Perform
  readonly newAssumed: (teamId?: string) => Assumed
  readonly choices: ChoicesInForce
  /** Faults and gates. */
  readonly interception: Interception
  readonly journal: Journal
  /** There when the sandbox speaks as a server does. */
  readonly speaker?: Speaker | undefined
  readonly formOfIds?: FormOfIds
}

/** Handles the requests to one operation. Both steps throw refusals, or reject with them. */
export interface Pipeline {
  /** Runs before the body is read. */
  admit(request: Incoming): Promise<void>
  /** Runs when the body has been read. */
  answer(request: Incoming): Promise<AnsweredAtLength>
}

export function pipelineOf(operation: Operation, routing: Routing): Pipeline {
  const { credentials, perform, newAssumed, choices, interception } = routing

  return {
    async admit(request) {
      request.operation = operation.id
      if (interception.mayMeet(request.headers))
        await interception.onArrival(operation, request.headers, () => teamOf(request))
      const assumed = (request.assumed = newAssumed(choices.differByTeam ? await teamOf(request) : undefined))
      if (hasTrailingSlash(request.url)) trailingSlash[assumed.trailingSlash]()
      const caller = (request.caller = await callerOf(request.headers, credentials, assumed))
      // promise access.credentialComesFirst: without a valid credential nothing else is checked.
      if (!caller) throw new Unauthorized(whyNoCaller(request.headers, assumed))
      const { rateLimit } = choices.of(caller.teamId)
      if (rateLimit) await rateLimit(caller.teamId, assumed)
      checkContentType(request.headers, operation, assumed)
    },

    answer: (request) => (interception.isOn ? answerIntercepted(request) : carryOut(request)),
  }

  function carryOut(request: Incoming, beforeCommit?: () => void): Promise<AnsweredAtLength> {
    const { caller, assumed = newAssumed() } = request
    const read = () => readRequest(request, operation, assumed)
    if (!caller) throw new Unauthorized(whyNoCaller(request.headers, assumed))
    return perform({
      operation,
      caller,
      assumed,
      keyed: readKey(request, operation, assumed),
      read,
      beforeCommit,
      say: sayingOf(routing, request),
    })
  }

  async function answerIntercepted(request: Incoming): Promise<AnsweredAtLength> {
    const met = metBy(request, operation)
    await interception.onBody(met)
    return interception.afterCommit(met, await carryOut(request, interception.beforeCommit(met)))
  }

  async function teamOf({ headers }: Incoming): Promise<string | undefined> {
    return (await callerOf(headers, credentials, newAssumed()))?.teamId
  }
}

function metBy({ caller, body, params, query }: Incoming, { id }: Operation): Met {
  const fields = [body instanceof Form ? body.fields : body, params, query]
  return { operation: id, team: caller?.teamId, fields }
}

const hasTrailingSlash = (url: string) => /^[^?#]*\/(?:[?#]|$)/.test(url)

const trailingSlash: ByChoice<'trailingSlash', () => void> = {
  accepted: () => undefined,
  notFound: () => {
    throw new NotFound({ assumption: 'trailingSlash', field: 'path' })
  },
}

/** How the refusal of a request is worded; undefined when it is in our words. */
export function sayingOf({ speaker }: Routing, { operation, params }: Asking): Say | undefined {
  return (
    speaker &&
    ((refused) => speaker.refusal({ ...refused, operation: operation && operations[operation], path: params }))
  )
}

type Asking = Pick<Incoming, 'operation' | 'params'>

/** The header of a refusal by rate. */
export function retryAfter(error: unknown): { 'retry-after'?: string } {
  return error instanceof TooManyRequests ? { 'retry-after': String(error.seconds) } : {}
}
