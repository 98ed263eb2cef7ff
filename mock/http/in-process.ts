import { parse as parseQuery } from 'node:querystring'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { operations } from '../../spec/operations.ts'
import type { AnsweredAtLength } from '../core/answered.ts'
import { FaultFired } from '../faults/fault-fired.ts'
import type { Requested } from '../journal/journal.ts'
import { answerToError } from './errors.ts'
import type { Fetch } from './fetch.ts'
import { noteFault } from './fault-notes.ts'
import { hintsFrom } from './hints.ts'
import { requestHeader } from './journaling.ts'
import { long, readJson } from './json-body.ts'
import { type Incoming, type Pipeline, pipelineOf, retryAfter, type Routing, sayingOf } from './pipeline.ts'
import { headersOf } from './sending.ts'

interface InProcess {
  /** The address that this fetch answers for. */
  readonly url: string
  readonly routing: Routing
  /** Answers everything but plain requests to an operation. */
  readonly app: () => Promise<FastifyInstance>
  /** Whether the server does more than to answer: it logs requests, or lets pages read the answers. */
  readonly needsServer: boolean
}

/**
 * Answers as the server does over a socket. A plain request to an operation, as nearly all are, goes straight to its
 * pipeline: streams for the request and for its answer would cost several times what it takes to answer.
 */
export function fetchInProcess({ url, routing, app, needsServer }: InProcess): Fetch {
  const { origin, host } = new URL(url)
  const answerPlain = needsServer ? async () => undefined : plainAnswers(routing)

  const answer: Fetch = async (input, init) => {
    const asked = isPlain(input, init) ? readPlain(new URL(input, url), init) : await readAny(input, init, url)
    if (asked.url.origin !== origin) throw new TypeError(`This fetch only asks ${url}, not ${asked.url.origin}`)
    const answer = (await answerPlain(asked)) ?? (await inject(await app(), asked, host))
    await setImmediate() // lets timers and other requests run between two answers, as a socket does
    return answer
  }

  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    return signal ? untilAborted(signal, () => answer(input, init)) : answer(input, init)
  }
}

/** Rejects when the caller gives up; what it has asked for is done all the same. */
async function untilAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      reject(signal.reason as Error)
    }
    signal.addEventListener('abort', giveUp)
    const stopListening = () => {
      signal.removeEventListener('abort', giveUp)
    }
    work().then(resolve, reject).finally(stopListening)
  })
}

interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Record<string, string>
  readonly body: Buffer
  /** Says that the client waits no longer. */
  readonly signal: AbortSignal | null | undefined
}

const plainMethods: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE']

/** Whether it can be read without a Request, which takes as long to make and to read as everything else. */
function isPlain(input: string | URL | Request, init: RequestInit = {}): input is string | URL {
  const { method = 'GET', headers, body, signal, ...others } = init
  if (input instanceof Request || !plainMethods.includes(method) || Object.keys(others).length > 0) return false
  return body === undefined || (typeof body === 'string' && method !== 'GET')
}

function readPlain(url: URL, { method = 'GET', headers, body, signal }: RequestInit = {}): Asked {
  const all = new Headers(headers)
  if (body !== undefined && !all.has('content-type')) all.set('content-type', 'text/plain;charset=UTF-8')
  return { method, url, headers: Object.fromEntries(all), body: Buffer.from((body ?? '') as string), signal }
}

async function readAny(input: string | URL | Request, init: RequestInit | undefined, base: string): Promise<Asked> {
  const isRequest = input instanceof Request
  const request = isRequest && !init ? input : new Request(isRequest ? input : new URL(input, base), init)
  const { method, url, headers, signal } = request
  const body = Buffer.from(await request.arrayBuffer())
  return { method, url: new URL(url), headers: Object.fromEntries(headers), body, signal }
}

type AnswerPlain = (asked: Asked) => Promise<Response | undefined>

/** Answers plain requests to an operation, and nothing else. */
function plainAnswers(routing: Routing): AnswerPlain {
  const routeTo = routesTo(routing)
  const hintAt = hintsFrom(routing.credentials.store, routing.formOfIds)
  const { journal } = routing

  return async (asked) => {
    const { method, url, headers, body, signal } = asked
    const route = routeTo(asked)
    if (!route) return undefined
    const request: Incoming & Requested & { body: unknown } = {
      id: journal.ids.idFor(headers),
      startedAt: performance.now(),
      method,
      url: url.pathname + url.search,
      headers: body.length > 0 ? { ...headers, 'content-length': String(body.length) } : headers,
      params: route.params,
      query: parseQuery(url.search.slice(1), '&', '=', { maxKeys: 0 }),
      body: undefined,
      text: body.length > 0 ? body.toString() : undefined,
      operation: undefined,
      assumed: undefined,
      caller: undefined,
    }
    const named = { ...routing.speaker?.headers(), [requestHeader]: request.id }
    try {
      await route.pipeline.admit(request)
      signal?.throwIfAborted()
      request.body = readJson(request.text ?? '', request.headers, request.assumed)
      return await responseOf(journal.note(request, await route.pipeline.answer(request)), named)
    } catch (error) {
      if (error instanceof FaultFired) {
        noteFault(error, request, journal)
        return await answerOfFault(error, named)
      }
      const answered = answerToError(error, request.assumed ?? routing.newAssumed(), sayingOf(routing, request))
      const noted = journal.note(request, answered, false, answered.status === 500 ? String(error) : undefined)
      return await responseOf(noted, { ...named, ...retryAfter(error), ...(await hintAt(request, answered.status)) })
    }
  }
}

async function responseOf(answered: AnsweredAtLength, more: Readonly<Record<string, string>>): Promise<Response> {
  const { TextResponse } = await import('./text-response.ts') // Node loads its own Response only with this one
  const { status } = answered
  const body = await wholeOf(answered)
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  return new TextResponse(body, { status, headers: { ...headersOf(answered), ...length, ...more } })
}

async function wholeOf({ body }: AnsweredAtLength): Promise<string> {
  if (typeof body === 'string') return body
  let whole = ''
  for await (const part of body) whole += part
  return whole
}

interface Route {
  readonly pipeline: Pipeline
  readonly params: Readonly<Record<string, string>>
}

/** Finds the operation that a plain request is for. Parameters stand at the end of a path. */
function routesTo(routing: Routing): (asked: Asked) => Route | undefined {
  const known = new Map(
    Object.values(operations).map((operation) => {
      const [, start = '', parameter] = /^(.*?)(?:\{(\w+)\})?$/.exec(operation.path) ?? []
      return [`${operation.method.toUpperCase()} ${start}`, { pipeline: pipelineOf(operation, routing), parameter }]
    }),
  )

  return (asked) => {
    if (!isPlainTarget(asked.url) || !isPlainBody(asked)) return undefined
    const { method, url } = asked
    const start = url.pathname.lastIndexOf('/') + 1
    const { pipeline, parameter } =
      known.get(`${method} ${url.pathname}`) ?? known.get(`${method} ${url.pathname.slice(0, start)}`) ?? {}
    return pipeline && { pipeline, params: parameter === undefined ? {} : { [parameter]: url.pathname.slice(start) } }
  }
}

/** Read alike by any reader of paths and of queries. */
function isPlainTarget({ pathname, search }: URL): boolean {
  return /^(?:\/[\w.~-]{1,100})+$/.test(pathname) && (!search.includes('%') || canDecode(search))
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** JSON that is soon parsed, or nothing. */
function isPlainBody({ method, headers, body }: Asked): boolean {
  if ('content-length' in headers || 'transfer-encoding' in headers) return false
  const type = headers['content-type']
  if (method === 'GET' || method === 'DELETE') return body.length === 0 && type === undefined
  return body.length < long && !/multipart/i.test(type ?? '')
}

async function inject(app: FastifyInstance, { method, url, headers, body }: Asked, host: string): Promise<Response> {
  const asked = { method: method as 'GET', url: url.pathname + url.search, headers: { ...headers, host } }
  const answer = await app.inject(body.length > 0 ? { ...asked, payload: body } : asked).catch((error: unknown) => {
    if (error instanceof FaultFired) return error
    throw error
  })
  if (answer instanceof FaultFired) return answerOfFault(answer, {})
  const answered = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
  const hasBody = method !== 'HEAD' && answer.rawPayload.length > 0
  return new Response(hasBody ? answer.rawPayload : null, { status: answer.statusCode, headers: answered })
}

/** Loaded when the first fault makes an answer. */
async function answerOfFault(fired: FaultFired, more: Readonly<Record<string, string>>): Promise<Response> {
  const { responseOfFault } = await import('./fault-responses.ts')
  return responseOfFault(fired, more)
}
