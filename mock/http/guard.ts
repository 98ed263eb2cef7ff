import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hostName } from '../../lib/host.ts'
import { CannotStart } from '../../lib/user-error.ts'

/** Normalizes a name given with `--allow-host`. */
export function readHostName(text: string): string {
  const name = hostName(text)
  if (name !== undefined) return name
  throw new CannotStart('must be a name without a port, such as sandbox.example.com')
}

/** Parses the origin of `intercept`. */
export function readInterceptedOrigin(text: string): string {
  if (/^https?:\/\/[^\s/?#@*\\]+\/?$/i.test(text) && URL.canParse(text)) {
    const { origin, hostname } = new URL(text)
    if (hostName(hostname) === hostname) return origin
  }
  throw new CannotStart('must be the origin of a server, without a path, such as https://crm.example.com')
}

/**
 * Lets pages of these origins read the responses of the API and its document, but not of the control plane: a page could
 * reset the sandbox, or read its keys.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[] = []): void {
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

/** Parses an origin. It must be as a browser sends it, since it is compared with the header. */
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
