import type { Duplex } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import type { ServiceResponse } from '../core/operation.ts'
import type { Journal } from '../journal/journal.ts'
import type { Redactor } from '../../shared/redactor.ts'
import { addJournal, isForService, requestHeader, sendResponse } from './journal.ts'
import type { Log } from './log.ts'
import { addLog } from './request-log.ts'

export interface ServerOptions {
  readonly bodyLimit: number
  /** Receives a line for each request. */
  readonly log: Log | undefined
  readonly secrets: Redactor
  readonly journal: Journal
}

const seconds = 1_000

/** A server that answers even malformed requests with an envelope, has timeouts, and closes in bounded time. */
export function newServer({ bodyLimit, log, secrets, journal }: ServerOptions): FastifyInstance {
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
