import { type Dispatcher, errors, Pool, ProxyAgent } from 'undici'
import { decodeBody } from './content-encoding.ts'
import { proxyFor } from './proxy.ts'
import { type TlsOptions, trusting } from './target/tls.ts'
import type { Tls } from './target/target.ts'
import { type Incoming, type Outgoing, type Transport, Unanswered, withDeadline } from './transport.ts'

/** As much of an answer as is kept in memory. */
const largest = 50_000_000

/** A pool of connections to one server, for many requests at once. */
export function undiciTransport(origin: string, { ca, insecure = false }: Partial<Tls> = {}): Transport {
  // The deadline of a request covers all of it; undici's own timeouts are shorter, and each covers a part.
  const pool = createDispatcher(
    origin,
    { headersTimeout: 0, bodyTimeout: 0 },
    { rejectUnauthorized: !insecure, ...trusting(ca) },
  )
  return {
    send: (request, timeout) => withDeadline(timeout, (signal) => exchange(pool, request, signal)),
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

async function exchange(pool: Dispatcher, request: Outgoing, signal: AbortSignal): Promise<Incoming> {
  const { method, url, headers, body = null } = request
  const { origin, pathname, search } = new URL(url)
  const answer = await pool
    .request({ origin, method, path: `${pathname}${search}`, headers, body, signal })
    .catch((error: unknown) => {
      throw withNodeCode(error)
    })
  const { statusCode: status, headers: answered } = answer
  const bytes = await readAll(answer.body, signal)
  return { status, headers: answered, text: decodeBody(bytes, answered['content-encoding']) }
}

/** With the code that node:http gives the same error. */
function withNodeCode(error: unknown): unknown {
  if (error instanceof errors.SocketError) return Object.assign(error, { code: 'ECONNRESET' })
  if (error instanceof errors.ConnectTimeoutError) return Object.assign(error, { code: 'ETIMEDOUT' })
  if (error instanceof errors.HTTPParserError) return Object.assign(error, { code: 'HPE_INVALID_CONSTANT' })
  return error
}

async function readAll(body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > largest) throw new Unanswered(`the answer is longer than ${largest / 1e6} MB`)
    }
  } catch (error) {
    if (signal.aborted || error instanceof Unanswered) throw error
    throw new Unanswered('the answer broke off', true)
  }
  return Buffer.concat(chunks)
}
