import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { CannotStart } from '../cannot-start.ts'
import type { BindAddress } from './bind-address.ts'

/** The address that the operating system reports. */
export interface Listening extends BindAddress {
  readonly port: number
}

/** As much of a server as it takes to listen. */
interface Server {
  listen(options: { host: string; port: number }): Promise<unknown>
  readonly server: { address(): AddressInfo | string | null }
}

export async function listen(app: Server, bound: BindAddress, port: number): Promise<Listening> {
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
export function urlOf({ address, port, reach }: Listening): string {
  const here = reach !== 'everyNetwork' ? address : address.includes(':') ? '::1' : '127.0.0.1'
  return `http://${here.includes(':') ? `[${here}]` : here}:${port}`
}

function reasonFor(error: unknown, address: string, port: number): unknown {
  const why = reasons[(error as NodeJS.ErrnoException).code ?? '']
  return why ? new CannotStart(why(address, port), { cause: error }) : error
}

const reasons: Readonly<Record<string, (address: string, port: number) => string>> = {
  EADDRINUSE: (address, port) =>
    `Port ${port} of ${address} is taken; stop what listens there, or choose another with --port (0 takes a free one).`,
  EACCES: (_address, port) =>
    `Port ${port} may not be opened without more rights; choose one from 1024 up with --port.`,
  EADDRNOTAVAIL: (address) => `This machine has no address ${address}; choose another with --host.`,
}
