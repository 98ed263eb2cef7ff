import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { once } from '../../lib/async.ts'
import { hasNoBody } from './faults/failure.ts'

/** As the global fetch. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** The remote address of requests that the control functions of a sandbox send; the log leaves them out. */
export const controlFunctions = 'control functions'

/** A fetch that passes requests to `base` on to the app, without a port. */
export function fetchFrom(app: () => Promise<FastifyInstance>, base: string, remoteAddress = '127.0.0.1'): Fetch {
  const { origin, host } = new URL(base)

  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    signal?.throwIfAborted()
    const { method, url, headers, body } = isPlain(input, init)
      ? readPlain(new URL(input, base), init)
      : await readRequest(input instanceof Request ? input : new URL(input, base), init)
    if (url.origin !== origin) throw new TypeError(`This fetch only asks ${base}, not ${url.origin}`)
    const server = await app()
    signal?.throwIfAborted()
    const injected = server.inject({
      method: method as 'GET',
      url: url.pathname + url.search,
      headers: Object.assign(headers, { host }),
      ...(body.length > 0 && { payload: body }),
      remoteAddress,
      payloadAsStream: true,
      ...(signal && { signal }),
    })
    const answer = await (signal ? untilAborted(signal, injected) : injected).catch((cause: unknown) => {
      signal?.throwIfAborted()
      throw new TypeError('fetch failed', { cause })
    })
    await setImmediate() // lets timers and other requests run between two responses, as a socket does
    const stream = answer.stream()
    stream.on('error', () => undefined) // the reader of the body receives it too
    const hasBody = method !== 'HEAD' && !hasNoBody(answer.statusCode)
    const { statusCode: status, statusMessage: statusText } = answer
    const head = { status, statusText, headers: answer.headers as Record<string, string> }
    const response = await responseWith(hasBody ? stream : undefined, head, answer.raw.res)
    return Object.defineProperty(response, 'url', { value: url.href.replace(url.hash, '') })
  }
}

/** Rejects when the caller gives up: `inject` waits for the response, which a fault may delay. */
async function untilAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const done = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const giveUp = () => reject(signal.reason as Error)
    signal.addEventListener('abort', giveUp, { signal: done.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    done.abort()
  }
}

async function responseWith(stream: Readable | undefined, head: ResponseInit, sent: ServerResponse): Promise<Response> {
  if (!stream) return new Response(null, head)
  if (!sent.writableFinished) {
    // Makes the server stop writing when the reader cancels.
    stream.once('close', () => sent.destroy())
    return new Response(webStreamOf(stream), head)
  }
  const body = stream.read() as Buffer<ArrayBuffer> | null
  if (!String(sent.getHeader('content-type')).includes('json')) return new Response(body, head)
  const { TextResponse } = await textResponse()
  return new TextResponse(body?.toString() ?? '', head)
}

/** Node loads its own Response only with this one. */
const textResponse = once(() => import('./text-response.ts'))

/** `Readable.toWeb` throws an uncaught error in Node 20 when the reader cancels. */
function webStreamOf(stream: Readable): ReadableStream<Uint8Array> {
  const parts = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const part = await parts.next()
      if (part.done) controller.close()
      else controller.enqueue(part.value)
    },
    cancel() {
      stream.destroy()
    },
  })
}

interface Sent {
  readonly method: string
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body: Buffer | string
}

const plainMethods: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE']

/** Whether it can be read without a Request, which takes as long to create and to read as all the rest. */
function isPlain(input: string | URL | Request, init: RequestInit = {}): input is string | URL {
  const { method = 'GET', headers, body, signal, ...others } = init
  if (input instanceof Request || !plainMethods.includes(method) || Object.keys(others).length > 0) return false
  return body === undefined || (typeof body === 'string' && method !== 'GET')
}

function readPlain(url: URL, { method = 'GET', headers, body }: RequestInit = {}): Sent {
  const all = new Headers(headers)
  if (body !== undefined && !all.has('content-type')) all.set('content-type', 'text/plain;charset=UTF-8')
  return { method, url, headers: Object.fromEntries(all), body: (body ?? '') as string }
}

async function readRequest(input: URL | Request, init: RequestInit | undefined): Promise<Sent> {
  const request = input instanceof Request && !init ? input : new Request(input, init)
  const { method, url, headers } = request
  const body = Buffer.from(await request.arrayBuffer())
  return { method, url: new URL(url), headers: Object.fromEntries(headers), body }
}
