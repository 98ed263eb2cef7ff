import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4, isIPv6 } from 'node:net'

// A page can give its own name an address of this machine (DNS rebinding), and then read what a server here sends. Its requests
// still have the name of the page in `Host` and `Origin`.

export interface KnownHosts {
  /** The server, as a sentence begins with it. */
  readonly server: string
  /** The address that it listens on. */
  readonly address: string
  /** Whether it listens on all addresses of the machine. */
  readonly isEveryAddress: boolean
  /** Additional names to accept, such as the name of a container. */
  readonly allowHosts: readonly string[]
}

type Head = Pick<IncomingMessage, 'url' | 'headers'>

/** The header of a refusal with the name that `--allow-host` would accept. */
export const unknownHostHeader = 'x-sandbox-unknown-host'

export interface HostFault {
  /** A sentence. */
  readonly message: string
  /** Of the response. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the fault of a request that must be refused. */
export function hostCheck({ server, address, isEveryAddress, allowHosts }: KnownHosts) {
  const names = new Set(['localhost', '[::1]', ...[address, ...allowHosts].map(asInHost)])

  return ({ url = '', headers: { host } }: Head): HostFault | undefined => {
    if (!url.startsWith('/') || url.includes('#')) return notAPath
    const name = host === undefined ? undefined : nameIn(host)
    if (name === undefined) return notAName
    if (!names.has(name) && !isAddress(name, isEveryAddress)) {
      const unknown = name.slice(0, 100)
      return {
        message: `${server} is not called ${unknown}; start it with --allow-host to give it another name`,
        headers: { [unknownHostHeader]: unknown },
      }
    }
    return undefined
  }
}

const notAPath = { message: 'The target of the request must be a path, without a #' }
const notAName = { message: 'The Host header must be a name in lower case and a port, such as localhost:4010' }

/** As browsers send it: lower case, IPv6 in brackets, no trailing dot. */
const hostForm = /^(?:\[[0-9a-f:.]+\]|[0-9a-z_-]+(?:\.[0-9a-z_-]+)*)(?::\d{1,5})?$/

function nameIn(host: string): string | undefined {
  if (!hostForm.test(host)) return undefined
  const port = host.indexOf(':', host.indexOf(']'))
  return port < 0 ? host : host.slice(0, port)
}

/** Rebinding needs a name, so each address of this machine is accepted. */
function isAddress(name: string, isEveryAddress: boolean): boolean {
  if (isIPv4(name) && name.startsWith('127.')) return true
  return isEveryAddress && isIP(name.replace(/^\[|\]$/g, '')) > 0
}

/** Formats a host as in a Host header. */
function asInHost(host: string): string {
  // `isIPv6` compiles a large pattern, which would slow the start down.
  return host.includes(':') && isIPv6(host) ? new URL(`http://[${host}]`).hostname : host
}

/** The name as a Host header has it; `undefined` when it is none. */
export function hostName(text: string): string | undefined {
  const name = asInHost(text.toLowerCase())
  return nameIn(name) === name ? name : undefined
}
