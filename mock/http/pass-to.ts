import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { once } from '../../lib/once.ts'

/** The request handler of a separate app. */
export type AppHandler = FastifyInstance['routing']

export async function handlerOf(app: FastifyInstance): Promise<AppHandler> {
  await app.ready()
  return (request, response) => app.routing(request, response)
}

/** Answers a request for a missing page in the envelope of the service. */
export function answerNotFound(app: FastifyInstance): void {
  const body = { success: false, message: 'Resource not found' }
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(body))
  app.setErrorHandler((_error, _request, reply) => reply.code(404).send(body))
}

/** Passes requests to a separate app that is loaded on first use. As an `onRequest` hook it leaves the body unread. */
export function passTo(load: () => Promise<AppHandler>) {
  const handler = once(load)
  return async ({ raw: request }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const handle = await handler()
    reply.hijack()
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value)
    handle(request, reply.raw)
  }
}
