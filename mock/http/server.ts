import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Answered } from '../core/answered.ts'
import type { Journal } from '../journal/journal.ts'
import { isForService, nameRequests, requestHeader } from './journaling.ts'
import type { Log } from './log.ts'
import { handleInOrder } from './pipelined-requests.ts'
import type { Secrets } from '../../shared/redaction.ts'
import { addLog } from './request-log.ts'

export interface ServerOptions {
  readonly bodyLimit: number
  /** Receives a line for each request. */
  readonly log: Log | undefined
  readonly secrets: Secrets
  readonly journal: Journal
  /** How long a client may read nothing of an answer that waits for it, in milliseconds. */
  readonly timeToRead?: number
}

const seconds = 1_000

/** A server that answers even malformed requests with an envelope, has timeouts, and closes in bounded time. */
export function newServer(options: ServerOptions): FastifyInstance {
  const { bodyLimit, log, secrets, journal, timeToRead = 10 * seconds } = options
  const life: Life = { isEnding: false }
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
    clientErrorHandler: refuseBytes(journal),
    frameworkErrors: refuseUrl(journal),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  // Node would answer an unknown Expect with 417, which is not documented; HTTP allows ignoring it.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Answers CONNECT with 400; Node would close the connection without an answer.
  app.server.on('connect', (_request, socket) => {
    refuseBytes(journal)(new Error('CONNECT'), socket)
  })
  handleInOrder(app.server)
  closeInTime(app, life)
  nameRequests(app)
  addLog(app, log, secrets)
  return app
}

/** The document's validators check requests and answers; loading Fastify's own compilers takes a tenth of the start. */
function noSchemas(): never {
  throw new Error('No route here has a schema of its own')
}

const envelope = (message: string) => JSON.stringify({ success: false, message })

/** Answers bytes that are not a request, or that did not arrive in time. */
function refuseBytes(journal: Journal) {
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const id = journal.ids.next()
    const body = envelope(complaints[error.code ?? ''] ?? 'The request is not well formed')
    journal.note({ ...unreadable, id, startedAt: performance.now() }, malformed(body))
    const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json; charset=utf-8', 'Connection: close']
    socket.end([...head, `${requestHeader}: ${id}`, `Content-Length: ${body.length}`, '', body].join('\r\n'))
  }
}

/** What is known of a request that is none. */
const unreadable = {
  method: undefined,
  url: '',
  headers: {},
  text: undefined,
  operation: undefined,
  caller: undefined,
} as const

const malformed = (body: string): Answered => ({
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

    /** Without anybody who listens for the timeout, Node closes the connection. */
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
