import type { FastifyInstance } from 'fastify'
import type { OperationId } from '../../spec/types.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When it came, by `performance.now()`. */
    startedAt: number
    /** The body as it was sent. */
    text: string | undefined
    operation: OperationId | undefined
  }
}

/** Names each answer by the id of its request, which the journal and the log have too. */
export const requestHeader = 'x-sandbox-request'

/** Whether a request belongs in the journal: one to the service, and not to the control plane or a page of the sandbox. */
export const isForService = (url: string): boolean => !/^\/(?:_sandbox|docs|openapi\.json)(?:[/?]|$)/.test(url)

/** Prepares requests for the journal: each is named as it arrives, and its time is taken. */
export function nameRequests(app: FastifyInstance): void {
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('text', undefined)
  app.decorateRequest('operation', undefined)
  app.addHook('onRequest', (request, reply, next) => {
    request.startedAt = performance.now()
    reply.header(requestHeader, request.id)
    next()
  })
}
