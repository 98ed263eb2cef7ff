import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CannotStart } from '../cannot-start.ts'
import type { BindAddress } from './listening.ts'

export interface Guarded {
  readonly bound: BindAddress
  /** Additional Host names to accept, such as the name of a container. */
  readonly allowHosts: readonly string[]
}

type Head = Pick<IncomingMessage, 'url' | 'headers'>

/** Returns a sentence when the request must be refused. */
export function hostCheck({ bound, allowHosts }: Guarded): (request: Head) => string | undefined {
  const names = new Set(['localhost', '[::1]', ...[bound.address, ...allowHosts].map(asInHost)])

  return ({ url = '', headers: { host } }) => {
    if (!url.startsWith('/') || url.includes('#')) return 'The target of the request must be a path, without a #'
    const name = host === undefined ? undefined : nameIn(host)
    if (name === undefined) return 'The Host header must be a name in lower case and a port, such as localhost:4010'
    if (!names.has(name) && !isOwnAddress(name, bound)) {
      return `This sandbox is not called ${name.slice(0, 100)}; start it with --allow-host to give it another name`
    }
    return undefined
  }
}

/** As browsers send it: lower case, IPv6 in brackets, no trailing dot. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[0-9a-z_-]+(?:\.[0-9a-z_-]+)*)(?::\d{1,5})?$/

function nameIn(host: string): string | undefined {
  if (!hostForm.test(host)) return undefined
  const port = host.indexOf(':', host.indexOf(']'))
  return port < 0 ? host : host.slice(0, port)
}

/** DNS rebinding needs a name, so each address of this machine is accepted. */
function isOwnAddress(name: string, bound: BindAddress): boolean {
  if (isIPv4(name) && name.startsWith('127.')) return true
  return bound.reach === 'everyNetwork' && isIP(name.replace(/^\[|\]$/g, '')) > 0
}

/** Formats a host as in a Host header. */
function asInHost(host: string): string {
  // `isIPv6` compiles a large pattern, which would slow the start down.
  return host.includes(':') && isIPv6(host) ? new URL(`http://[${host}]`).hostname : host
}

/** Normalizes a name given with `--allow-host`. */
export function readHostName(text: string): string {
  const name = asInHost(text.toLowerCase())
  if (nameIn(name) === name) return name
  throw new CannotStart('must be a name without a port, such as sandbox.example.com')
}

/** Parses the origin of `intercept`. */
export function readInterceptedOrigin(text: string): string {
  if (/^https?:\/\/[^\s/?#@*\\]+\/?$/i.test(text) && URL.canParse(text)) {
    const { origin, hostname } = new URL(text)
    if (nameIn(hostname) === hostname) return origin
  }
  throw new CannotStart('must be the origin of a server, without a path, such as https://crm.example.com')
}

/**
 * Lets pages of these origins read the responses of the API and its document, but not of the control plane: a page could
 * reset the sandbox, or read its keys.
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
