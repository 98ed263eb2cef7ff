import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Dispatcher, errors } from 'undici'
import { type Incoming, brokenOff, createDispatcher, mostBytes, reasonOf } from '../client/transport.ts'
import { codeOf } from '../../lib/files.ts'
import { hostCheck, type HostFault } from '../../lib/host.ts'
import type { Target } from '../client/target/target.ts'
import { type BodyText, type PassingRequest, textOf } from '../judge/parse-request.ts'

/** Called with each request before it is sent on. */
export type Observe = (request: PassingRequest) => {
  /** A sentence refuses the request. */
  readonly refusal: string | undefined
  onResponse(response: Omit<Incoming, 'text'> & BodyText): void
  onNoAnswer(reason: string): void
}

/** Returns why a request is refused, if it is. */
export type HostGuard = (request: Pick<IncomingMessage, 'url' | 'headers'>) => HostFault | undefined

/** Refuses requests to another name, and from the pages of another name. */
export function guardFor(address: string, allowHosts: readonly string[]): HostGuard {
  const isEveryAddress = /^(?:0\.0\.0\.0|::)$/.test(address)
  const check = hostCheck({ server: 'crm-sandbox observe', address, isEveryAddress, allowHosts })
  return ({ url, headers }) => {
    const { origin, host } = headers
    const fault = check({ url, headers: { host } })
    if (fault !== undefined || origin === undefined) return fault
    const isKnown = check({ url, headers: { host: origin.replace(/^https?:\/\//, '') } }) === undefined
    if (isKnown) return undefined
    return {
      message: `crm-sandbox observe refuses requests of pages of ${origin.slice(0, 100)}; start it with --allow-host to let them pass`,
    }
  }
}

/** The bytes of all bodies that are held until they are judged. Beyond that, a body passes without being judged. */
const mostHeld = 8 * mostBytes

/** A server that sends every request that the guard lets pass on to the target, unchanged. */
export function createProxy(
  { origin: base, tls }: Pick<Target, 'origin' | 'tls'>,
  observe: Observe,
  guard: HostGuard,
): Server {
  const { origin, pathname } = new URL(base)
  const prefix = pathname.replace(/\/$/, '')
  const dispatcher = createDispatcher(base, tls)
  const server = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined)
    })
  })
  server.once('close', () => void dispatcher.destroy())
  let held = 0
  return server

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = incoming
    const refusal = guard(incoming)
    if (refusal !== undefined) {
      incoming.resume()
      answer(response, 400, refusal.message, refusal.headers)
      return
    }
    let own = 0
    const hold = (bytes: number) => {
      own += bytes
      held += bytes
      if (held <= mostHeld) return true
      held -= own
      own = 0
      return false
    }
    response.once('close', () => (held -= own))
    const body = await readBody(incoming, hold)
    const observed = observe({ method, url, headers, bytes: Buffer.isBuffer(body) ? body : undefined, at: Date.now() })
    if (observed.refusal !== undefined) {
      answer(response, 400, `crm-sandbox observe refused this request: ${observed.refusal}`)
      return
    }
    const abort = new AbortController()
    response.once('close', () => abort.abort())
    const upstream = await dispatcher
      .request({
        origin,
        path: `${prefix}${url}`,
        method: method,
        headers: sentHeaders(incoming),
        body,
        signal: abort.signal,
      })
      .catch((error: unknown) => {
        if (response.destroyed) return // the client has gone
        const hasEnded = error instanceof errors.ClientDestroyedError
        const reason = hasEnded ? 'observe ended before the response came' : reasonOf(error)
        observed.onNoAnswer(reason)
        answer(response, 502, `crm-sandbox observe gets no response from ${origin} (${reason})`)
      })
    if (upstream) await passBack(observed, upstream, response, hold)
  }

  async function passBack(
    observed: ReturnType<Observe>,
    { statusCode: status, headers, body }: Dispatcher.ResponseData,
    response: ServerResponse,
    hold: Hold,
  ): Promise<void> {
    response.writeHead(status, withoutHopByHop(headers))
    response.flushHeaders() // an event stream may have no event for a long time
    const isStream = /^text\/event-stream/i.test(String(headers['content-type'] ?? ''))
    let [chunks, length]: [Buffer[], number] = [[], isStream ? Infinity : 0]
    await pipeline(
      body,
      async function* (source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          length += chunk.length
          if (length <= mostBytes && hold(chunk.length)) chunks.push(chunk)
          else [chunks, length] = [[], Infinity]
          yield chunk
        }
      },
      response,
    ).catch((error: unknown) => {
      if (!isOfClient(error)) observed.onNoAnswer(brokenOff)
      throw error
    })
    const read = isStream
      ? ({ unread: 'stream' } as const)
      : length > mostBytes
        ? ({ unread: 'tooLong' } as const)
        : textOf(Buffer.concat(chunks), headers['content-encoding'])
    observed.onResponse({ status, headers, ...read })
  }
}

/** The client has gone before it had the whole answer. */
const isOfClient = (error: unknown) =>
  error instanceof Error && (error.name === 'AbortError' || codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE')

/** Starts to listen, and returns the port. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  const taken = typeof address === 'object' && address ? address.port : port
  return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`
}

/** How long requests in flight have to finish, in milliseconds. */
const timeToFinish = 2000

export async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const timer = setTimeout(() => server.closeAllConnections(), timeToFinish)
  await closed
  clearTimeout(timer)
}

/** Whether there is room for so many bytes more. */
type Hold = (bytes: number) => boolean

/** A JSON body up to the limits as a whole, any other as a stream. */
async function readBody(request: IncomingMessage, hold: Hold): Promise<Buffer | Readable | null> {
  const { 'content-type': type = '', 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if (length === undefined && encoding === undefined) return null
  if (!/^application\/json\b/i.test(type)) return request
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > mostBytes || !hold(chunk.length)) return Readable.from(concatenated(chunks, request))
  }
  return Buffer.concat(chunks)
}

async function* concatenated(first: readonly Buffer[], rest: Readable): AsyncGenerator<Buffer> {
  yield* first
  yield* rest as AsyncIterable<Buffer>
}

/** Headers that concern one connection only. undici writes them itself, or refuses them. */
const hopByHop = new Set(
  'connection keep-alive proxy-connection te trailer transfer-encoding upgrade expect host'.split(' '),
)

/** The header `connection` may name others. */
function isPassedOn({ connection = '' }: Readonly<Record<string, string | string[] | undefined>>) {
  const named = String(connection)
    .toLowerCase()
    .split(/\s*,\s*/)
  return (name: string) => !hopByHop.has(name) && !named.includes(name)
}

/** As they were written. */
function sentHeaders({ headers, rawHeaders }: IncomingMessage): string[] {
  const passes = isPassedOn(headers)
  return rawHeaders.filter((_, at) => passes((rawHeaders[at - (at % 2)] ?? '').toLowerCase()))
}

function withoutHopByHop(headers: IncomingHttpHeaders) {
  const passes = isPassedOn(headers)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => passes(name)))
}

/** Answers in the envelope of the service. */
function answer(response: ServerResponse, status: number, message: string, headers: OutgoingHttpHeaders = {}): void {
  const body = Buffer.from(JSON.stringify({ success: false, message }))
  const ofBody = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }
  response.writeHead(status, { ...headers, ...ofBody })
  response.end(body)
}
