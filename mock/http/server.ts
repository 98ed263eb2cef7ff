import { type IncomingMessage, type OutgoingHttpHeaders, type RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Duplex, finished, type Readable } from 'node:stream'
import { setImmediate } from 'node:timers' // a test may replace the global one
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { markHeaders, type ServiceResponse, type StreamableResponse } from '../core/operation.ts'
import type { SharedSettings } from '../core/shared-settings.ts'
import type { Journal } from './journal/journal.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { hostCheck } from '../../lib/host.ts'
import type { Engine } from '../operations/engine.ts'
import type { Interception } from './faults/interception.ts'
import type { BindAddress } from './listening.ts'
import { bodyLimit } from './json-body.ts'
import type { Log } from './log.ts'
import { addLog } from './request-log.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly engine: Engine
    readonly journal: Journal
    readonly interception: Interception
    /** The settings, if other processes on the store may change them. */
    readonly sharedSettings: Pick<SharedSettings<object, object>, 'version' | 'refresh'> | undefined
    /** Whether an operation refuses fields and parameters that it ignores. */
    readonly isStrict: boolean
  }
  interface FastifyRequest {
    /** When it came, by `performance.now()`. */
    startedAt: number
    /** The body as it was sent. */
    text: string | undefined
    /** For the response. */
    hint: string | undefined
  }
  interface FastifyReply {
    /** Sends a response of the service, and adds it to the journal. A failure is the error of a response 500. */
    sendResponse(response: StreamableResponse, failure?: string): FastifyReply
  }
}

interface Parts extends Pick<FastifyInstance, 'engine' | 'journal' | 'interception' | 'sharedSettings' | 'isStrict'> {
  readonly secrets: Redactor
  /** From its abort on, each response ends its connection. */
  readonly stopping: AbortSignal
}

/** The same as in `createSandbox`. */
export interface ServerOptions {
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly log?: Log
  readonly bound: BindAddress
  readonly allowHosts?: readonly string[]
  readonly cors?: readonly string[]
  readonly keepAlive?: number
}

const seconds = 1_000

/** A server that answers even malformed requests with an envelope, has timeouts, and closes in bounded time. */
export function newServer(
  { tls, log, bound, allowHosts = [], keepAlive = 75 * seconds }: ServerOptions,
  { secrets, stopping, engine, journal, interception, sharedSettings, isStrict }: Parts,
): FastifyInstance {
  const connections: Connections = { stopping, sending: new WeakMap(), waiting: new WeakMap(), handlers: new WeakMap() }
  const refuseSocket = refuseBytes(journal, connections)
  const http = {
    headersTimeout: 15 * seconds,
    connectionsCheckingInterval: 5 * seconds,
    requireHostHeader: false, // the guard refuses it in an envelope
    joinDuplicateHeaders: true, // so that the guard refuses a second Host too
    ServerResponse: responsesDuring(connections),
  }
  const app: FastifyInstance = Fastify({
    // Of the largest body, as the choice `none` takes it, there is only the text.
    bodyLimit: Math.min(bodyLimit[engine.choices.of().chosen.bodyLimit.choice], Math.floor(engine.memory.most / 4)),
    genReqId: ({ headers }) => journal.ids.idFor(headers),
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    trustProxy: false,
    // Node limits the request line and headers to 16 KiB, so every id reaches its operation whole.
    routerOptions: {
      maxParamLength: 16 * 1024,
      ignoreTrailingSlash: true, // see the assumption trailingSlash
    },
    requestTimeout: 30 * seconds,
    keepAliveTimeout: keepAlive,
    ...(tls ? { https: { ...http, ...tls, handshakeTimeout: http.headersTimeout } as object } : { http }),
    clientErrorHandler: refuseSocket,
    // Fastify calls it for a path that the router cannot decode.
    frameworkErrors: (_error, { id, method, url, headers }, reply) => {
      const response = malformed('the path is not well formed')
      if (isForService(url))
        journal.note({ ...unreadable, id, method, url, headers, startedAt: performance.now() }, response)
      send(reply.header(requestHeader, id), response)
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  // Node would answer an unknown Expect with 417, which is not documented; HTTP allows ignoring it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Node would close the connection of a CONNECT without an answer.
  app.server.on('connect', (_request, socket) => refuseSocket(new Error('CONNECT'), socket))
  app.decorate('engine', engine).decorate('journal', journal).decorate('interception', interception)
  app.decorate('sharedSettings', sharedSettings).decorate('isStrict', isStrict)
  handleInOrder(app)
  closeInTime(app)
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('text', undefined)
  app.decorateRequest('hint', undefined)
  app.decorateReply('sendResponse', function (response, failure) {
    const { request, raw } = this
    const { hint } = request
    const hinted = hint === undefined ? response : { ...response, hint }
    if (!isForService(request.url)) return send(this, hinted as ServiceResponse)
    return send(this, journal.note(request, hinted, raw.destroyed, failure))
  })
  const hostFaultOf = hostCheck({
    server: 'This sandbox',
    address: bound.address,
    isEveryAddress: bound.reach === 'everyNetwork',
    allowHosts,
  })
  app.addHook('onRequest', (request, reply, next) => {
    request.startedAt = performance.now()
    reply.header(requestHeader, request.id)
    if (log) reply.header('x-request-id', request.id)
    const fault = hostFaultOf(request.raw)
    if (fault === undefined) next()
    else {
      reply.headers(fault.headers ?? {})
      reply.sendResponse({ ...malformed(fault.message), because: { limit: 'host', field: 'Host' } })
    }
  })
  addLog(app, log, secrets)
  return app
}

/** The document's validators check requests and answers; loading Fastify's own compilers takes a tenth of the start. */
function noSchemas(): never {
  throw new Error('No route here has a schema of its own')
}

/** Answers bytes that are not a request, or that did not arrive in time. */
function refuseBytes(journal: Journal, { sending, waiting }: Connections) {
  return refuse

  function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const isHandshake = /^ERR_(SSL|TLS)_/.test(error.code ?? '')
    if (isHandshake || error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const before = sending.get(socket)
    // Whole requests that came before on the same connection are answered first.
    const isSending = before?.req.complete && !before.writableFinished && !before.destroyed
    if (before && (isSending || waiting.get(socket))) {
      finished(before, () => refuse(error, socket))
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

interface Connections {
  readonly stopping: AbortSignal
  /** The response that each connection sends, or has sent last. */
  readonly sending: WeakMap<Duplex, ServerResponse>
  /** How many requests of each connection wait for their turn. */
  readonly waiting: WeakMap<Duplex, number>
  /** The handler of each request that waits. A field would make every response larger. */
  readonly handlers: WeakMap<ServerResponse, RequestListener>
}

interface OrderedResponse {
  /** Handles the request once the responses before this one on its connection are sent. */
  inTurn(handle: RequestListener): void
}

/** Node reads 64 KiB at once, so no usual client sends as many, however many requests it sends without waiting. */
const mostWaiting = 500

/**
 * Node parses and handles all requests that arrive together, so that the responses to a client that does not read them
 * would fill the memory.
 */
function handleInOrder({ server }: FastifyInstance): void {
  const [handle] = server.listeners('request') as RequestListener[]
  if (!handle) throw new Error('Fastify handles no requests')
  server.removeListener('request', handle)
  server.on('request', (_request, response) => (response as ServerResponse & OrderedResponse).inTurn(handle))
}

/** Responses that end their connection once the server is stopping. A hook would cost every response before that. */
function responsesDuring(connections: Connections) {
  return class<Request extends IncomingMessage> extends ServerResponse<Request> implements OrderedResponse {
    inTurn(handle: RequestListener): void {
      const { socket } = this.req
      if (this.socket) {
        handle(this.req, this)
        return
      }
      const waiting = (connections.waiting.get(socket) ?? 0) + 1
      if (waiting > mostWaiting) {
        socket.destroy()
        return
      }
      connections.waiting.set(socket, waiting)
      connections.handlers.set(this, handle)
      this.#countAsPending(this.writableHighWaterMark)
    }

    override assignSocket(socket: Socket): void {
      connections.sending.set(socket, this)
      super.assignSocket(socket)
      const handle = connections.handlers.get(this)
      if (!handle) return
      connections.waiting.set(socket, (connections.waiting.get(socket) ?? 0) - 1)
      this.#countAsPending(-this.writableHighWaterMark)
      setImmediate(handle, this.req, this)
    }

    /** Node stops reading from a connection with many pending bytes, but counts only the bytes of responses. */
    #countAsPending(bytes: number): void {
      const node = this as unknown as { _onPendingData(bytes: number): void }
      node._onPendingData(bytes)
    }

    override writeHead(status: number, reason?: unknown, headers?: OutgoingHttpHeaders): this {
      if (connections.stopping.aborted) this.shouldKeepAlive = false
      return super.writeHead(status, reason as string, headers)
    }
  }
}

/** Requests in flight have two seconds to finish; connections still open then are destroyed. */
function closeInTime(app: FastifyInstance): void {
  let deadline: NodeJS.Timeout | undefined
  // Node does not know the connections before the end of a TLS handshake.
  const sockets = new Set<Socket>()
  if ('setSecureContext' in app.server) {
    app.server.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
  }
  app.addHook('preClose', async () => {
    deadline = setTimeout(() => {
      app.server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
    }, timeToFinish)
  })
  app.addHook('onClose', async () => {
    clearTimeout(deadline)
  })
}

/** The response header with the id of the request, as in the journal and in the log. */
const requestHeader = 'x-sandbox-request'

/** Whether a request belongs in the journal: one to the service, and not to the control plane or a page of the sandbox. */
const isForService = (url: string): boolean => !/^\/(?:_sandbox|console|docs|openapi\.json)(?:[/?]|$)/.test(url)

function send(reply: FastifyReply, response: ServiceResponse<string | Readable>): FastifyReply {
  reply.code(response.status).header('content-type', 'application/json; charset=utf-8')
  const marks = markHeaders(response)
  for (const name in marks) reply.header(name, marks[name])
  return reply.send(response.body)
}
