import { type IncomingMessage, type OutgoingHttpHeaders, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { ServiceResponse } from '../core/response.ts'
import type { Journal } from '../journal/journal.ts'
import { addJournal, isForService, requestHeader } from './journal.ts'
import type { Log } from './log.ts'
import type { Redactor } from '../../shared/redactor.ts'
import { addLog } from './request-log.ts'

export interface ServerOptions {
  readonly bodyLimit: number
  /** Receives a line for each request. */
  readonly log: Log | undefined
  readonly secrets: Redactor
  readonly journal: Journal
  /** How long a client may read nothing of an answer that waits for it, in milliseconds. */
  readonly timeToRead?: number
}

const seconds = 1_000

/** A server that answers even malformed requests with an envelope, has timeouts, and closes in bounded time. */
export function newServer(options: ServerOptions): FastifyInstance {
  const { bodyLimit, log, secrets, journal, timeToRead = 10 * seconds } = options
  const life: Life = { isEnding: false }
  const latest: Responses = new WeakMap()
  const refuseSocket = refuseBytes(journal, latest)
  const app: FastifyInstance = Fastify({
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
      ServerResponse: answersDuring(life, timeToRead),
      requireHostHeader: false, // the guard refuses it in an envelope
    },
    clientErrorHandler: refuseSocket,
    frameworkErrors: refuseUrl(journal),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  // Node would answer an unknown Expect with 417, which is not documented; HTTP allows ignoring it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Answers CONNECT with 400; Node would close the connection without an answer.
  app.server.on('connect', (_request, socket) => {
    refuseSocket(new Error('CONNECT'), socket)
  })
  handleInOrder(app.server, latest)
  closeInTime(app, life)
  addJournal(app, journal)
  addLog(app, log, secrets)
  return app
}

/** The document's validators check requests and answers; loading Fastify's own compilers takes a tenth of the start. */
function noSchemas(): never {
  throw new Error('No route here has a schema of its own')
}

const envelope = (message: string) => JSON.stringify({ success: false, message })

/** The response to the latest request of each connection. */
type Responses = WeakMap<Duplex, ServerResponse>

/** Answers bytes that are not a request, or that did not arrive in time, after the requests before them. */
function refuseBytes(journal: Journal, latest: Responses) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const before = latest.get(socket)
    if (before?.req.complete && !before.writableFinished)
      before.once('close', () => {
        refuse(error, socket)
      })
    else refuse(error, socket)
  }

  function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
    const id = journal.ids.next()
    const body = envelope(complaints[error.code ?? ''] ?? 'The request is not well formed')
    journal.note({ ...unreadable, id, startedAt: performance.now() }, malformed(body))
    const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json; charset=utf-8', 'Connection: close']
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

const malformed = (body: string): ServiceResponse => ({
  status: 400,
  body,
  assumed: [],
  because: { limit: 'wellFormed' },
})

const complaints: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
}

/** Answers a path that the router cannot decode; such a request reaches no route and no error handler. */
function refuseUrl(journal: Journal) {
  return (_error: FastifyError, { id, method, url, headers }: FastifyRequest, reply: FastifyReply): void => {
    const answered = malformed(envelope('the path is not well formed'))
    if (isForService(url))
      journal.note({ ...unreadable, id, method, url, headers, startedAt: performance.now() }, answered)
    void reply.header(requestHeader, id).code(400).type('application/json; charset=utf-8').send(answered.body)
  }
}

const timeToFinish = 2 * seconds

interface Life {
  isEnding: boolean
}

/**
 * Responses that close their connection once the server is closing, or once a client reads nothing for too long. Hooks
 * and timers would cost every answer before that.
 */
function answersDuring(life: Life, timeToRead: number) {
  return class Answer<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...others: readonly unknown[]): this {
      if (life.isEnding) this.shouldKeepAlive = false
      return super.writeHead(status, ...(others as [OutgoingHttpHeaders]))
    }

    override write(...given: readonly unknown[]): boolean {
      const isTaken = super.write(...(given as [string]))
      this.#limitTimeToRead()
      return isTaken
    }

    override end(...given: readonly unknown[]): this {
      super.end(...(given as []))
      this.#limitTimeToRead()
      return this
    }

    /** Without a listener for the timeout, Node closes the connection. */
    #limitTimeToRead(): void {
      if (this.socket && this.socket.writableLength > 0) this.socket.setTimeout(timeToRead)
    }
  }
}

/** Requests in flight have two seconds to finish; connections still open then are destroyed. */
function closeInTime(app: FastifyInstance, life: Life): void {
  let deadline: NodeJS.Timeout | undefined
  app.addHook('preClose', async () => {
    life.isEnding = true
    deadline = setTimeout(() => {
      app.server.closeAllConnections()
    }, timeToFinish)
  })
  app.addHook('onClose', async () => {
    clearTimeout(deadline)
  })
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Handles pipelined requests one after another, so that a client that sends many and reads nothing has one pending
 * response. Node would handle all at once, and buffer their responses.
 */
function handleInOrder(server: Server, latest: Responses): void {
  const waiting = new WeakMap<Socket, number>()
  const handlers = server.listeners('request') as Handle[]
  const handle: Handle = (request, response) => {
    for (const handler of handlers) handler.call(server, request, response)
  }

  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    latest.set(request.socket, response)
    // A response has its socket as soon as all others before it are written.
    if (response.socket) handle(request, response)
    else wait(request, response)
  })

  function wait(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1)
    socket.pause()
    response.once('socket', () => {
      const others = (waiting.get(socket) ?? 1) - 1
      waiting.set(socket, others)
      socket.setTimeout(0)
      if (others === 0) socket.resume()
      handle(request, response)
    })
  }
}
