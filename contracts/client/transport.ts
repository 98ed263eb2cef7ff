import { rootCertificates } from 'node:tls'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import { Agent, type Dispatcher, EnvHttpProxyAgent, errors, request as send } from 'undici'
import { codeOf } from '../../lib/files.ts'
import { exceededLimit } from '../../lib/json.ts'
import { CannotRun } from './errors.ts'
import type { Tls } from './target/target.ts'

/** A request as it is sent. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** An answer as it was received. */
export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/**
 * Sends a request once. The timeout in milliseconds includes the body of the answer. Redirects are not followed: they
 * would send the credential to another host. Throws `NoResponse`.
 */
export type Send = (request: Outgoing, timeout: number) => Promise<Incoming>

/** The connections of one run. */
export interface Transport {
  readonly send: Send
  readonly close: () => Promise<void>
}

/** No answer, or not all of it. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse'
  /**
   * `cut`: only a part arrived; `unreadable`: the body has another encoding than its header says; `lost`: the connection was
   * closed before a response began, so the server may have processed the request.
   */
  readonly how: 'cut' | 'unreadable' | 'lost' | 'none'

  constructor(reason: string, how: NoResponse['how'] = 'none') {
    super(reason)
    this.how = how
  }
}

/** The answer is longer than the limit, which says nothing about the server. */
export class TooLong extends NoResponse {
  constructor(how = `is longer than ${mostBytes / 1024 / 1024} MiB`) {
    super(`the response ${how}`)
  }
}

export const brokenOff = 'the response broke off'

/** The limit of a body in bytes, before it is decompressed and after. */
export const mostBytes = 16 * 1024 * 1024
/** The limit of the values in a body: each takes more memory than its text. */
const mostValues = 250_000

/** Connections without timeouts, through the proxy of `HTTPS_PROXY` or `HTTP_PROXY` unless the server is on this machine. */
export function createDispatcher(origin: string, { ca, insecure = false }: Partial<Tls> = {}): Dispatcher {
  const connect = { rejectUnauthorized: !insecure, ...alsoTrust(ca) }
  const options = { headersTimeout: 0, bodyTimeout: 0, connect, requestTls: connect }
  const proxy = proxyVariable(origin)
  return proxy === undefined ? new Agent(options) : proxyAgent(proxy, options)
}

/** Sends with undici. `withTimeout` limits the whole request; the timeouts of undici would limit parts of it. */
export function undiciTransport(origin: string, tls: Partial<Tls> = {}): Transport {
  const dispatcher = createDispatcher(origin, tls)
  return {
    send: ({ url, body, ...request }, timeout) =>
      withTimeout(timeout, async (signal) => {
        const answer = await send(url, { ...request, body: body ?? null, dispatcher, signal })
        const { statusCode: status, headers } = answer
        const bytes = await readAll(answer.body).catch((error: unknown) => {
          throw signal.aborted || error instanceof NoResponse ? error : new NoResponse(brokenOff, 'cut')
        })
        return { status, headers, text: decodeBody(bytes, headers['content-encoding']) }
      }),
    close: () => dispatcher.destroy(),
  }
}

async function readAll(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > mostBytes) throw new TooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Runs `exchange` with a signal that aborts after the timeout. Throws `NoResponse`. */
export async function withTimeout(
  timeout: number,
  exchange: (signal: AbortSignal) => Promise<Incoming>,
): Promise<Incoming> {
  const signal = AbortSignal.timeout(timeout)
  try {
    return await exchange(signal)
  } catch (error) {
    if (signal.aborted) throw new NoResponse(`no response within ${timeout / 1000} seconds`)
    throw error instanceof NoResponse ? error : new NoResponse(reasonOf(error), isLost(error) ? 'lost' : 'none')
  }
}

const isLost = (error: unknown) =>
  error instanceof errors.SocketError || ['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '')

/** Why no answer came, in a few words. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error) ?? ''
  if (isLost(error)) return 'the connection was closed without a response (ECONNRESET)'
  if (error instanceof errors.HTTPParserError || code.startsWith('HPE_')) return 'the response is not HTTP'
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return `no encrypted connection came about (${code})`
  // A connection that failed at several addresses has a code only.
  const message = error instanceof Error && error.message !== '' ? error.message : code
  return /CERT|ISSUER|VERIFY/.test(code) ? `${message} (${code}); name certificates to trust with --ca` : message
}

/** Adds a certificate to the root certificates of Node, which the option `ca` would otherwise replace. */
export const alsoTrust = (ca: string | undefined): { ca?: string[] } =>
  ca === undefined ? {} : { ca: [...rootCertificates, ca] }

const decoders: Readonly<Record<string, typeof unzipSync>> = {
  gzip: unzipSync,
  deflate: unzipSync,
  br: brotliDecompressSync,
}

/** The text of a body. Some servers and proxies compress it without being asked, and pactum does not decode it. */
export function decodeBody(bytes: Buffer, encoding: string | string[] | undefined): string {
  const text = decompress(bytes, encoding)
  if (exceededLimit(text, { fields: Infinity, values: mostValues, levels: Infinity }))
    throw new TooLong('has more than 250,000 values')
  return text
}

function decompress(bytes: Buffer, encoding: string | string[] | undefined): string {
  if (bytes.length > mostBytes) throw new TooLong()
  const decode = decoders[String(encoding).toLowerCase()]
  if (!decode || bytes.length === 0) return bytes.toString()
  try {
    return decode(bytes, { maxOutputLength: mostBytes }).toString()
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw new TooLong()
    throw new NoResponse(`the response is not ${String(encoding)}, as it says`, 'unreadable')
  }
}

/** The environment variable with the proxy for this server; none for a server on this machine. */
export function proxyVariable(origin: string, env = process.env): string | undefined {
  const { protocol, hostname } = new URL(origin)
  if (hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')) return undefined
  const names =
    protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'] : ['http_proxy', 'HTTP_PROXY']
  return names.find((name) => Boolean(env[name]))
}

function proxyAgent(variable: string, options: EnvHttpProxyAgent.Options): EnvHttpProxyAgent {
  try {
    return new EnvHttpProxyAgent(options)
  } catch {
    // The cause may repeat a password.
    throw new CannotRun(`The proxy in ${variable} must be an http or https address; a % in its password is %25.`)
  }
}
