import { type Duplex, Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { markHeaders, type ServiceResponse, type StreamableResponse } from '../core/operation.ts'
import type { Journal } from '../journal/journal.ts'
import type { Redactor } from '../../shared/redactor.ts'
import { type Guarded, hostCheck } from './guard.ts'
import type { Log } from './log.ts'
import { addLog } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When it came, by `performance.now()`. */
    startedAt: number
    /** The body as it was sent. */
    text: string | undefined
  }
  interface FastifyReply {
    /** The response of the service, for the journal. */
    response: StreamableResponse | undefined
    /** The error of a response with the status 500. */
    failure: string | undefined
  }
}

export interface ServerOptions {
  readonly bodyLimit: number
  /** Receives a line for each request. */
  readonly log: Log | undefined
  readonly secrets: Redactor
  readonly journal: Journal
  readonly guarded: Guarded
}

const seconds = 1_000

/** A server that answers even malformed requests with an envelope, has timeouts, and closes in bounded time. */
export function newServer({ bodyLimit, log, secrets, journal, guarded }: ServerOptions): FastifyInstance {
  const refuseSocket = refuseBytes(journal)
  const app = Fastify({
    bodyLimit,
    genReqId: ({ headers }) => journal.ids.idFor(headers),
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    trustProxy: false,
    // Node limits the request line and headers to 16 KiB, so every id reaches its operation whole.
    routerOptions: { maxParamLength: 16 * 1024 },
    requestTimeout: 30 * seconds,
    keepAliveTimeout: 5 * seconds,
    http: {
      headersTimeout: 15 * seconds,
      connectionsCheckingInterval: 5 * seconds,
      requireHostHeader: false, // the guard refuses it in an envelope
    },
    clientErrorHandler: refuseSocket,
    // Fastify calls it for a path that the router cannot decode.
    frameworkErrors: (_error, { id, method, url, headers }, reply) => {
      const response = malformed('the path is not well formed')
      if (isForService(url))
        journal.note({ ...unreadable, id, method, url, headers, startedAt: performance.now() }, response)
      sendResponse(reply.header(requestHeader, id), response)
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  // Node would answer an unknown Expect with 417, which is not documented; HTTP allows ignoring it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Node would close the connection of a CONNECT without an answer.
  app.server.on('connect', (_request, socket) => {
    refuseSocket(new Error('CONNECT'), socket)
  })
  closeInTime(app)
  addJournal(app, journal)
  addLog(app, log, secrets)
  guardHosts(app, guarded)
  return app
}

/** The document's validators check requests and answers; loading Fastify's own compilers takes a tenth of the start. */
function noSchemas(): never {
  throw new Error('No route here has a schema of its own')
}

/** Answers bytes that are not a request, or that did not arrive in time. */
function refuseBytes(journal: Journal) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const id = journal.ids.next()
    const response = malformed(complaints[error.code ?? ''] ?? 'The request is not well formed')
    journal.note({ ...unreadable, id, startedAt: performance.now() }, response)
    const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json; charset=utf-8', 'Connection: close']
    const { body } = response
    socket.end([...head, `${requestHeader}: ${id}`, `Content-Length: ${body.length}`, '', body].join('\r\n'))
    // A client that keeps its side open must not keep the socket.
    setTimeout(() => socket.destroy(), timeToClose).unref()
  }
}

const timeToClose = 1 * seconds

/** The journal entry of bytes that are not a request. */
const unreadable = {
  method: undefined,
  url: '',
  headers: {},
  text: undefined,
  operation: undefined,
  caller: undefined,
} as const

const malformed = (message: string): ServiceResponse => ({
  status: 400,
  body: JSON.stringify({ success: false, message }),
  assumed: [],
  because: { limit: 'wellFormed' },
})

const complaints: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
}

const timeToFinish = 2 * seconds

/** Requests in flight have two seconds to finish; connections still open then are destroyed. */
function closeInTime(app: FastifyInstance): void {
  let deadline: NodeJS.Timeout | undefined
  let sweep: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    sweep = setInterval(() => {
      app.server.closeIdleConnections()
    }, 50)
    deadline = setTimeout(() => {
      app.server.closeAllConnections()
    }, timeToFinish)
  })
  app.addHook('onClose', async () => {
    clearTimeout(deadline)
    clearInterval(sweep)
  })
}

/** The response header with the id of the request, as in the journal and in the log. */
const requestHeader = 'x-sandbox-request'

/** Whether a request belongs in the journal: one to the service, and not to the control plane or a page of the sandbox. */
const isForService = (url: string): boolean => !/^\/(?:_sandbox|docs|openapi\.json)(?:[/?]|$)/.test(url)

/** Adds every response of the service to the journal as it is sent. */
function addJournal(app: FastifyInstance, journal: Journal): void {
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('text', undefined)
  app.decorateReply('response', undefined)
  app.decorateReply('failure', undefined)
  app.addHook('onRequest', (request, reply, next) => {
    request.startedAt = performance.now()
    reply.header(requestHeader, request.id)
    next()
  })
  app.addHook('onSend', (request, reply, payload, next) => {
    const { response, failure } = reply
    if (!response || !isForService(request.url)) {
      next()
      return
    }
    const { body } = journal.note(request, response, reply.raw.destroyed, failure)
    next(null, typeof body === 'string' ? payload : body)
  })
}

/** Sends a response of the service. */
export function sendResponse(reply: FastifyReply, response: StreamableResponse): FastifyReply {
  const { status, body } = response
  reply.response = response
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json; charset=utf-8', ...markHeaders(response) })
    .send(typeof body === 'string' ? body : streamOf(body))
}

const streamOf = (body: AsyncIterable<string>) => Readable.from(body, { highWaterMark: 1 })

/**
 * Refuses requests for another Host before any handler runs. This stops DNS rebinding: a web page
 * can point its own domain at this machine, but the browser still sends that domain as Host.
 */
function guardHosts(app: FastifyInstance, guarded: Guarded): void {
  const complaintAbout = hostCheck(guarded)
  app.addHook('onRequest', (request, reply, next) => {
    const message = complaintAbout(request.raw)
    if (message === undefined) {
      next()
      return
    }
    const body = JSON.stringify({ success: false, message })
    sendResponse(reply, { status: 400, body, assumed: [], because: { limit: 'host', field: 'Host' } })
  })
}
