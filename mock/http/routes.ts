import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { type Operation, type OperationId, operations } from '../../spec/operations.ts'
import type { Answered } from '../core/answered.ts'
import type { Caller } from '../core/caller.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import { FaultFired } from '../faults/fault-fired.ts'
import { answerToError } from './errors.ts'
import { sendFault } from './fault-answers.ts'
import { hintHeader, hintsFrom } from './hints.ts'
import { hintOfPath, isPathOf } from './path-hints.ts'
import { pipelineOf, retryAfter, type Routing, sayingOf } from './pipeline.ts'
import { type Send, sendFailure, sendingTo, sendingTogether } from './sending.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The choices, and those that the answer relied on; set for every request to an operation. */
    assumed: Assumed | undefined
    caller: Caller | undefined
  }
  interface FastifyContextConfig {
    operation?: OperationId
  }
}

/** One route for each operation of the document; an envelope for every error. */
export function addRoutes(app: FastifyInstance, routing: Routing): void {
  const { newAssumed } = routing
  app.decorateRequest('caller', undefined)
  app.decorateRequest('assumed', undefined)
  const send = sendingTo(routing.journal, routing.speaker)
  const sendTogether = sendingTogether(send)
  for (const operation of Object.values(operations)) {
    addRoute(app, operation, routing, sendTogether)
  }
  const hintAt = hintsFrom(routing.credentials.store, routing.formOfIds)
  app.setErrorHandler(async (error, request, reply) => {
    // An unknown path is a 404 whatever its body.
    if (request.is404) return sendUnknownRoute(request, reply)
    if (error instanceof FaultFired) return sendFault(reply, error, routing.journal)
    const answered = answerToError(error, request.assumed ?? newAssumed(), sayingOf(routing, request))
    const failure = answered.status === 500 ? String(error) : undefined
    if (failure !== undefined) app.failed(error, request)
    const headers = { ...retryAfter(error), ...(await hintAt(request, answered.status)) }
    return send(reply.headers(headers), answered, failure)
  })
  app.setNotFoundHandler(sendUnknownRoute)

  function sendUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const hint = hintOfPath(request.method, request.url, routesToHint)
    return send(reply.header(hintHeader, hint), unknownRoute(request, newAssumed()))
  }
}

function addRoute(
  app: FastifyInstance,
  operation: Operation,
  routing: Routing,
  sendAnswer: (...answer: Parameters<Send>) => void,
): void {
  const pipeline = pipelineOf(operation, routing)

  const url = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
  const route = {
    method: operation.method.toUpperCase(),
    exposeHeadRoute: false,
    config: { operation: operation.id },
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

const routesToHint = [...Object.values(operations), ...['/', '/docs', '/openapi.json'].map(readable)]

function readable(path: string) {
  return { method: 'GET', path }
}

function unknownRoute({ url }: FastifyRequest, assumed: Assumed): Answered {
  try {
    const [path = ''] = url.split('?')
    const parts = decodeURI(path)
      .replace(/(?<=.)\/$/, '')
      .split('/')
    if (Object.values(operations).some((operation) => isPathOf(operation, parts))) wrongMethod[assumed.wrongMethod]()
    throw new NotFound({ promise: 'envelope.pathsAreFixed', field: 'path' })
  } catch (refusal) {
    return answerToError(refusal, assumed)
  }
}

const wrongMethod: ByChoice<'wrongMethod', () => void> = {
  notFound: () => {
    throw new NotFound({ assumption: 'wrongMethod', field: 'method' })
  },
  badRequest: () => {
    refuse('this path does not take that method', { assumption: 'wrongMethod', field: 'method' })
  },
}
