import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CannotStart } from '../cannot-start.ts'

/**
 * Lets pages of these origins read the answers of the API and its document. The control plane is never among them: a page
 * could reset the sandbox, or read its keys.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  app.addHook('onRequest', (request, reply, next) => {
    if (!isForPages(request.url)) {
      next()
      return
    }
    reply.header('vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !allowed.has(origin)) next()
    else if (isPreflight(request)) void answerPreflight(reply, origin)
    else {
      reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed })
      next()
    }
  })
}

/** Reads an origin as a browser sends it, so that it can be compared as a whole. */
export function readOrigin(text: string): string {
  if (/^https?:\/\/[^\s/?#@*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text) return text
  throw new CannotStart('must be one origin as a browser sends it, such as http://localhost:5173')
}

const isForPages = (url: string) => url.startsWith('/api/') || /^\/openapi\.json(?:\?|$)/.test(url)

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

function answerPreflight(reply: FastifyReply, origin: string): FastifyReply {
  return reply
    .code(204)
    .headers({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key, prefer, x-api-key, x-request-id',
      'access-control-allow-private-network': 'true', // a page of the network may ask this machine
      'access-control-max-age': '600',
    })
    .send()
}

const exposed =
  'retry-after, x-request-id, x-sandbox-assumed, x-sandbox-fault, x-sandbox-hint, x-sandbox-learned, x-sandbox-request'
