import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { type Operation, operations } from '../../spec/operations.ts'
import type { Answered } from '../core/answered.ts'
import type { Caller } from '../core/caller.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import { answerToError } from './errors.ts'
import { pipelineOf, retryAfter, type Routing } from './pipeline.ts'
import { type Send, send, sendFailure, sendingTogether } from './sending.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The choices, and those that the answer relied on; set for every request to an operation. */
    assumed: Assumed | undefined
    caller: Caller | undefined
  }
}

/** One route for each operation of the document; an envelope for every error. */
export function addRoutes(app: FastifyInstance, routing: Routing): void {
  const { newAssumed } = routing
  app.decorateRequest('caller', undefined)
  app.decorateRequest('assumed', undefined)
  const sendTogether = sendingTogether()
  for (const operation of Object.values(operations)) {
    addRoute(app, operation, routing, sendTogether)
  }
  app.setErrorHandler((error, request, reply) => {
    // An unknown path is a 404 whatever its body.
    if (request.is404) return send(reply, unknownRoute(request, newAssumed()))
    const answered = answerToError(error, request.assumed ?? newAssumed())
    if (answered.status === 500) request.log.error(error)
    return send(reply.headers(retryAfter(error)), answered)
  })
  app.setNotFoundHandler((request, reply) => send(reply, unknownRoute(request, newAssumed())))
}

function addRoute(app: FastifyInstance, operation: Operation, routing: Routing, sendAnswer: Send): void {
  const pipeline = pipelineOf(operation, routing)

  const url = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
  const route = {
    method: operation.method.toUpperCase(),
    exposeHeadRoute: false,
    onRequest: (request: FastifyRequest) => pipeline.admit(request),
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      pipeline.answer(request).then(
        (answered) => {
          sendAnswer(reply, answered)
        },
        (why: unknown) => sendFailure(reply, why),
      )
    },
  }
  app.route({ ...route, url })
  app.route({ ...route, url: `${url}/` }) // see the assumption trailingSlash
}

function unknownRoute({ url }: FastifyRequest, assumed: Assumed): Answered {
  try {
    const [path = ''] = url.split('?')
    const parts = decodeURI(path)
      .replace(/(?<=.)\/$/, '')
      .split('/')
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
