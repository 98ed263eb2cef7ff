import { type Dispatcher, errors, Pool, ProxyAgent } from 'undici'
import { decodeBody } from './content-encoding.ts'
import { proxyFor } from './proxy.ts'
import { type TlsOptions, alsoTrust } from './target/tls.ts'
import type { Tls } from './target/target.ts'
import { type Incoming, type Outgoing, type Transport, asUnanswered, brokenOff, Unanswered } from './transport.ts'

/** As much of an answer as is kept in memory. */
const largest = 50_000_000

/** A pool of connections to one server, for many requests at once. */
export function undiciTransport(origin: string, { ca, insecure = false }: Partial<Tls> = {}): Transport {
  // The deadline of a request covers all of it; undici's own timeouts are shorter, and each covers a part.
  const pool = createDispatcher(
    origin,
    { headersTimeout: 0, bodyTimeout: 0 },
    { rejectUnauthorized: !insecure, ...alsoTrust(ca) },
  )
  return {
    send: (request, timeout) => exchange(pool, request, timeout),
    close: () => pool.destroy(),
  }
}

/** Through the proxy of the usual variables, unless the server is one that they except. */
function createDispatcher(origin: string, timeouts: Pool.Options, connect: TlsOptions): Dispatcher {
  const proxy = proxyFor(origin, process.env)
  if (proxy === undefined) return new Pool(new URL(origin).origin, { ...timeouts, connect })
  const proxyTunnel = origin.startsWith('https:')
  return new ProxyAgent({ ...timeouts, uri: proxy, requestTls: connect, proxyTunnel })
}

/** One request to the end of its answer, without the streams and signals of `pool.request`, which cost half its time. */
function exchange(pool: Dispatcher, { method, url, headers, body }: Outgoing, timeout: number) {
  const { origin, pathname, search } = new URL(url)
  return new Promise<Incoming>((resolve, reject) => {
    const receiver = new Receiver(resolve, reject, timeout)
    pool.dispatch({ origin, method, path: `${pathname}${search}`, headers, ...(body ? { body } : {}) }, receiver)
  })
}

/** Gathers an answer, or says why there is none. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: Incoming) => void
  readonly #reject: (error: Unanswered) => void
  readonly #timer: NodeJS.Timeout
  readonly #chunks: Buffer[] = []
  #size = 0
  #status = 0
  #headers: Incoming['headers'] = {}
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false

  constructor(resolve: (answer: Incoming) => void, reject: (error: Unanswered) => void, timeout: number) {
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = setTimeout(() => {
      this.#fail(new Unanswered(`no answer within ${timeout / 1000} seconds`))
    }, timeout)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new Unanswered('it was given up'))
  }

  onResponseStart(_controller: unknown, status: number, headers: Incoming['headers']): void {
    // Those below 200 come before the answer.
    if (status < 200) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > largest) this.#fail(new Unanswered(`the answer is longer than ${largest / 1e6} MB`))
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    try {
      const [first = Buffer.alloc(0)] = this.#chunks
      const bytes = this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first
      const text = decodeBody(bytes, this.#headers['content-encoding'])
      this.#end()
      this.#resolve({ status: this.#status, headers: this.#headers, text })
    } catch (error) {
      this.#fail(asUnanswered(error))
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(this.#status > 0 ? new Unanswered(brokenOff, true) : asUnanswered(withNodeCode(error)))
  }

  #end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  #fail(error: Unanswered): void {
    if (this.#isOver) return
    this.#end()
    this.#reject(error)
    this.#controller?.abort(error)
  }
}

/** With the code that node:http gives the same error. */
function withNodeCode(error: unknown): unknown {
  if (error instanceof errors.SocketError) return Object.assign(error, { code: 'ECONNRESET' })
  if (error instanceof errors.ConnectTimeoutError) return Object.assign(error, { code: 'ETIMEDOUT' })
  if (error instanceof errors.HTTPParserError) return Object.assign(error, { code: 'HPE_INVALID_CONSTANT' })
  return error
}
