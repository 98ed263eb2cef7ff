import { once } from 'node:events'
import { BlockList, createServer, isIP, type AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { NameOf } from '../../lib/user-error.ts'
import { CannotStart } from '../../lib/user-error.ts'
import { lookup } from 'node:dns/promises'
import { quote } from '../../lib/text.ts'

/** The address that the operating system reports. */
export interface Listening extends BindAddress {
  readonly port: number
}

export async function listen(app: FastifyInstance, bound: BindAddress, port: number): Promise<Listening> {
  await app.listen({ host: bound.address, port }).catch((error: unknown) => {
    throw reasonFor(error, bound.address, port)
  })
  const { address, port: taken } = app.server.address() as AddressInfo
  return { address, port: taken, reach: bound.reach }
}

/** Throws the reason why nothing can listen there, before anything is written that a sandbox would leave behind. */
export async function checkCanListen({ address }: BindAddress, port: number): Promise<void> {
  const server = createServer()
  const listening = once(server, 'listening')
  server.listen({ host: address, port, exclusive: true })
  await listening.catch((error: unknown) => {
    throw reasonFor(error, address, port)
  })
  server.close()
  await once(server, 'close')
}

/** The URL for a client on this machine. */
export function urlOf({ address, port, reach }: Listening, scheme: 'http' | 'https'): string {
  const here = reach !== 'everyNetwork' ? address : address.includes(':') ? '::1' : '127.0.0.1'
  return `${scheme}://${here.includes(':') ? `[${here}]` : here}:${port}`
}

function reasonFor(error: unknown, address: string, port: number): unknown {
  const why = reasons[(error as NodeJS.ErrnoException).code ?? '']
  return why ? new CannotStart((nameOf) => why({ address, port, nameOf }), { cause: error }) : error
}

const reasons: Readonly<Record<string, (at: { address: string; port: number; nameOf: NameOf }) => string>> = {
  EADDRINUSE: ({ address, port, nameOf }) =>
    `Port ${port} of ${address} is taken; stop what listens there, or choose another with ${nameOf('port')} (0 takes a free one).`,
  EACCES: ({ port, nameOf }) =>
    `Port ${port} may not be opened without more rights; choose one from 1024 up with ${nameOf('port')}.`,
  EADDRNOTAVAIL: ({ address, nameOf }) =>
    `This machine has no address ${address}; choose another with ${nameOf('host')}.`,
}

/** An address to listen on, and who can reach it. */
export interface BindAddress {
  readonly address: string
  readonly reach: 'thisMachine' | 'oneNetwork' | 'everyNetwork'
}

/**
 * Resolves a host to the address to listen on. There are many ways to write "all interfaces" (`0`, `0x0`,
 * `::ffff:0.0.0.0`, …), so the check looks at the resolved address, and the server listens on that address.
 */
export async function bindAddress(host: string, isPublic: boolean): Promise<BindAddress> {
  if (host.trim() === '')
    throw new CannotStart('The host is empty, which would mean all interfaces; name an address.', {
      option: 'host',
    })
  const address = isIP(host) ? host : host === 'localhost' ? '127.0.0.1' : await addressOf(host)
  const reach = reachOf(address)
  if (reach === 'everyNetwork' && !isPublic) {
    throw new CannotStart(
      `The host ${quote(host)} means all interfaces, where other machines can reach it; add --public, or in code public: true, if you want that.`,
      { option: 'host' },
    )
  }
  return { address, reach }
}

function reachOf(addressInZone: string): BindAddress['reach'] {
  const [address = ''] = addressInZone.split('%')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (everywhere.check(address, family)) return 'everyNetwork'
  return loopback.check(address, family) ? 'thisMachine' : 'oneNetwork'
}

const everywhere = new BlockList()
everywhere.addAddress('0.0.0.0')
everywhere.addAddress('::', 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

async function addressOf(host: string): Promise<string> {
  const found = await lookup(host, { all: true }).catch(() => [])
  const address = (found.find(({ family }) => family === 4) ?? found[0])?.address
  if (address === undefined)
    throw new CannotStart(`The host ${quote(host)} is no address of this machine.`, { option: 'host' })
  return address
}
