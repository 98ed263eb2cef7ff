import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { type Operation, operations } from '../../spec/operations.ts'
import type { Answered } from '../core/answered.ts'
import { type Caller, callerOf, type Credentials } from '../core/caller.ts'
import type { Perform } from '../core/perform.ts'
import { type RateLimit, TooManyRequests } from '../core/rate-limit.ts'
import { NotFound, refuse, Unauthorized } from '../core/refusals.ts'
import { checkContentType } from './content-types.ts'
import { answerToError } from './errors.ts'
import { readKey, readRequest } from './reading.ts'
import { type Send, send, sendFailure, sendingTogether } from './sending.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What is left open, and which of it the answer has relied on; there for every request to an operation. */
    assumed: Assumed | undefined
    caller: Caller | undefined
  }
}

export interface Routing {
  readonly credentials: Credentials
  readonly perform: Perform
  readonly newAssumed: () => Assumed
  readonly rateLimit: RateLimit
}

/** One route for each operation of the document; an envelope for every error. */
export function addRoutes(app: FastifyInstance, routing: Routing): void {
  const { newAssumed } = routing
  app.decorateRequest('caller', undefined)
  app.decorateRequest('assumed', undefined)
  const sendTogether = sendingTogether()
  for (const operation of Object.values(operations)) {
    addRoute(app, operation, routing, operation.effect === 'read' ? send : sendTogether)
  }
  app.setErrorHandler((error, request, reply) => {
    // What goes nowhere is not judged by its body.
    if (request.is404) return send(reply, unknownRoute(request, newAssumed()))
    const answered = answerToError(error, request.assumed ?? newAssumed())
    if (answered.status === 500) request.log.error(error)
    if (error instanceof TooManyRequests) reply.header('retry-after', error.seconds)
    return send(reply, answered)
  })
  app.setNotFoundHandler((request, reply) => send(reply, unknownRoute(request, newAssumed())))
}

function addRoute(app: FastifyInstance, operation: Operation, routing: Routing, sendAnswer: Send): void {
  const { credentials, perform, newAssumed, rateLimit } = routing
  const refuseNobody = refusalOfNobody(operation)

  app.route({
    method: operation.method.toUpperCase(),
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,

    // Before a byte of the body is read.
    onRequest: async (request) => {
      const assumed = (request.assumed = newAssumed())
      const caller = (request.caller = await callerOf(request.headers, credentials, assumed))
      if (caller) rateLimit.count(caller.teamId, assumed)
      else refuseNobody(assumed)
      checkContentType(request.headers, operation.contentTypes, assumed)
    },

    handler: (request, reply) => {
      const { caller, assumed = newAssumed() } = request
      const read = () => readRequest(request, operation, assumed)
      const answer = caller
        ? perform({ operation, caller, assumed, keyed: readKey(request, operation, assumed), read })
        : refuseAfter(read)
      answer.then(
        (answered) => {
          sendAnswer(reply, answered)
        },
        (why: unknown) => sendFailure(reply, why),
      )
    },
  })
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

function unknownRoute({ url }: FastifyRequest, assumed: Assumed): Answered {
  try {
    const [path = ''] = url.split('?')
    const parts = decodeURI(path).split('/')
    if (Object.values(operations).some((operation) => isPathOf(operation, parts))) wrongMethod[assumed.wrongMethod]()
    throw new NotFound()
  } catch (refusal) {
    return answerToError(refusal, assumed)
  }
}

function isPathOf({ path }: Operation, sent: readonly string[]): boolean {
  const documented = path.split('/')
  return documented.length === sent.length && documented.every((part, at) => part.startsWith('{') || part === sent[at])
}

const wrongMethod: ByChoice<'wrongMethod', () => void> = {
  notFound: () => {
    throw new NotFound()
  },
  badRequest: () => {
    refuse('this path does not take that method')
  },
}
