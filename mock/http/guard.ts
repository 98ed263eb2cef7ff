import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { BindAddress } from './bind-address.ts'
import { CannotStart } from '../cannot-start.ts'

export interface Guarded {
  readonly bound: BindAddress
  /** What else this sandbox is called, such as the name of a container. */
  readonly allowHosts: readonly string[]
}

/**
 * Refuses every request that does not name this sandbox, before anything else looks at it. A page on the internet can
 * have its own name point to this machine, and the browser then takes us for a part of that page; the Host gives it away.
 */
export function guardHosts(app: FastifyInstance, guarded: Guarded): void {
  const complaintAbout = hostCheck(guarded)
  app.addHook('onRequest', (request, reply, next) => {
    const message = complaintAbout(request.raw)
    if (message === undefined) next()
    else reply.code(400).send({ success: false, message })
  })
}

type Asked = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>

/** One sentence when a request must not be answered. */
export function hostCheck({ bound, allowHosts }: Guarded): (asked: Asked) => string | undefined {
  const names = new Set(['localhost', '[::1]', ...[bound.address, ...allowHosts].map(asInHost)])
  let lastGood = 'localhost'

  return ({ url = '', headers: { host }, rawHeaders }) => {
    if (!url.startsWith('/') || url.includes('#')) return 'The target of the request must be a path, without a #'
    if (host === undefined || isDoubled(rawHeaders)) return 'The Host header must be there once'
    if (host === lastGood) return undefined
    const name = nameIn(host)
    if (name === undefined) return 'The Host header must be a name in lower case and a port, such as localhost:4010'
    if (!names.has(name) && !isOwnAddress(name, bound)) {
      return `This sandbox is not called ${name.slice(0, 100)}; start it with --allow-host to give it another name`
    }
    lastGood = host
    return undefined
  }
}

/** As a browser writes it: in lower case, an IPv6 address in brackets, no dot at the end. */
const hostForm = /^(\[[0-9a-f:.]+\]|[0-9a-z_-]+(?:\.[0-9a-z_-]+)*)(?::\d{1,5})?$/

const nameIn = (host: string) => hostForm.exec(host)?.[1]

/** Names can be made to point here from anywhere. Addresses cannot, so any of ours will do. */
function isOwnAddress(name: string, bound: BindAddress): boolean {
  if (isIPv4(name) && name.startsWith('127.')) return true
  return bound.reach === 'everyNetwork' && isIP(name.replace(/^\[|\]$/g, '')) > 0
}

function isDoubled(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** The host as it stands in a Host header. */
export function asInHost(host: string): string {
  // Only a colon is worth the question: to compile its pattern takes longer than all else that a start does here.
  return host.includes(':') && isIPv6(host) ? new URL(`http://[${host}]`).hostname : host
}

/** A name for `--allow-host`, as it will be compared. */
export function readHostName(text: string): string {
  const name = asInHost(text.toLowerCase())
  if (nameIn(name) === name) return name
  throw new CannotStart('must be a name without a port, such as sandbox.example.com')
}
