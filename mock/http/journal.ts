import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type StreamableResponse, markHeaders } from '../core/operation.ts'
import type { Journal } from '../journal/journal.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When it came, by `performance.now()`. */
    startedAt: number
    /** The body as it was sent. */
    text: string | undefined
  }
  interface FastifyReply {
    /** The response of the service, for the journal. */
    response: StreamableResponse | undefined
    /** The error of a response with the status 500. */
    failure: string | undefined
  }
}

/** The response header with the id of the request, as in the journal and in the log. */
export const requestHeader = 'x-sandbox-request'

/** Whether a request belongs in the journal: one to the service, and not to the control plane or a page of the sandbox. */
export const isForService = (url: string): boolean => !/^\/(?:_sandbox|docs|openapi\.json)(?:[/?]|$)/.test(url)

/** Adds every response of the service to the journal as it is sent. */
export function addJournal(app: FastifyInstance, journal: Journal): void {
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('text', undefined)
  app.decorateReply('response', undefined)
  app.decorateReply('failure', undefined)
  app.addHook('onRequest', (request, reply, next) => {
    request.startedAt = performance.now()
    reply.header(requestHeader, request.id)
    next()
  })
  app.addHook('onSend', (request, reply, payload, next) => {
    const { response, failure } = reply
    if (!response || !isForService(request.url)) {
      next()
      return
    }
    const { body } = journal.note(request, response, reply.raw.destroyed, failure)
    next(null, typeof body === 'string' ? payload : body)
  })
}

/** Sends a response of the service. */
export function sendResponse(reply: FastifyReply, response: StreamableResponse): FastifyReply {
  const { status, body } = response
  reply.response = response
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...markHeaders(response) })
    .send(typeof body === 'string' ? body : streamOf(body))
}

const streamOf = (body: AsyncIterable<string>) => Readable.from(body, { highWaterMark: 1 })
