import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, isIPv6 } from 'node:net'
import { CannotStart } from '../cannot-start.ts'
import type { BindAddress } from './listening.ts'

export interface Guarded {
  readonly bound: BindAddress
  /** Additional Host names to accept, such as the name of a container. */
  readonly allowHosts: readonly string[]
}

type Asked = Pick<IncomingMessage, 'url' | 'headers'>

/** Returns a sentence when the request must be refused. */
export function hostCheck({ bound, allowHosts }: Guarded): (asked: Asked) => string | undefined {
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
const hostForm = /^(\[[0-9a-f:.]+\]|[0-9a-z_-]+(?:\.[0-9a-z_-]+)*)(?::\d{1,5})?$/

const nameIn = (host: string) => hostForm.exec(host)?.[1]

/** DNS can point any name here, but not an address, so every own address is accepted. */
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
