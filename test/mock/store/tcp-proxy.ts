import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** `cut` ends the connection in place of the request, `loseAnswer` in place of its answer. */
export type Fate = 'pass' | 'cut' | 'loseAnswer'

/** A TCP proxy in front of a database. */
export class TcpProxy {
  /** The port that new connections lead to. */
  target: number
  /** How long each answer takes, in milliseconds. */
  delay = 0
  fateOf: (request: string) => Fate = () => 'pass'
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(target: number) {
    this.target = target
    this.#server = createServer((client) => this.#relay(client))
  }

  /** Ends with the test. */
  static async to(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    onTestFinished(() => {
      proxy.#server.close()
      proxy.cutAll()
    })
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Ends all connections. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #relay(client: Socket): void {
    const database = connect(this.target, '127.0.0.1')
    const end = () => {
      client.destroy()
      database.destroy()
    }
    for (const socket of [client, database]) {
      this.#sockets.add(socket)
      socket.on('error', end).on('close', () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    let isLost = false
    client.on('data', (request) => {
      const fate = this.fateOf(request.toString('latin1'))
      isLost ||= fate === 'loseAnswer'
      if (fate === 'cut') end()
      else database.write(request)
    })
    database.on('data', (answer) => {
      if (isLost) end()
      else setTimeout(() => client.write(answer), this.delay)
    })
  }
}
