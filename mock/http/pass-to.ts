import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { once } from '../../lib/async.ts'

/** The request handler of a separate app. */
export type AppHandler = FastifyInstance['routing']

export async function handlerOf(app: FastifyInstance): Promise<AppHandler> {
  await app.ready()
  return (request, response) => app.routing(request, response)
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
