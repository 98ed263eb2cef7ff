import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { quote } from '../../shared/printable.ts'
import { CannotStart } from '../cannot-start.ts'

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
  if (host.trim() === '') throw new CannotStart('The host is empty, which would mean all interfaces; name an address.')
  const address = isIP(host) ? host : host === 'localhost' ? '127.0.0.1' : await addressOf(host)
  const reach = reachOf(address)
  if (reach === 'everyNetwork' && !isPublic) {
    throw new CannotStart(
      `The host ${quote(host)} means all interfaces, where other machines can reach it; add --public if you want that.`,
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
  if (address === undefined) throw new CannotStart(`The host ${quote(host)} is no address of this machine.`)
  return address
}
