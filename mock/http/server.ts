import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyServerOptions } from 'fastify'

export interface ServerOptions {
  readonly bodyLimit: number
  readonly logger: FastifyServerOptions['logger']
}

const seconds = 1_000

/** A server that gives every request an envelope, however broken it is, waits for nobody, and stops when it is told to. */
export function newServer({ bodyLimit, logger = false }: ServerOptions): FastifyInstance {
  const life: Life = { isEnding: false }
  const app: FastifyInstance = Fastify({
    logger,
    bodyLimit,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    trustProxy: false,
    // A header is 16 KiB at most, so no part of a path is longer: an id is judged, not cut off.
    routerOptions: { maxParamLength: 16 * 1024 },
    requestTimeout: 30 * seconds,
    keepAliveTimeout: 5 * seconds,
    http: {
      headersTimeout: 15 * seconds,
      connectionsCheckingInterval: 5 * seconds,
      ServerResponse: answersDuring(life),
      requireHostHeader: false, // refused by the guard, in an envelope
    },
    clientErrorHandler: refuseBytes,
    frameworkErrors: refuseUrl,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  // An expectation that is not known would be a 417, which is not documented; it may be ignored as well.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // Who asks to be put through to somewhere would be cut off without an answer.
  app.server.on('connect', (_request, socket) => {
    refuseBytes(new Error('CONNECT'), socket)
  })
  closeInTime(app, life)
  return app
}

/** The document judges requests and answers. Fastify's own compilers would only take a tenth of the start to load. */
function noSchemas(): never {
  throw new Error('No route here has a schema of its own')
}

const envelope = (message: string) => JSON.stringify({ success: false, message })

/** What came is no request, or did not come in time. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const body = envelope(complaints[error.code ?? ''] ?? 'The request is not well formed')
  const head = ['HTTP/1.1 400 Bad Request', 'Content-Type: application/json; charset=utf-8', 'Connection: close']
  socket.end([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'))
}

const complaints: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The headers of the request are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time',
}

/** The router cannot read the path; then no route, and no error handler, gets to see the request. */
function refuseUrl(_error: FastifyError, _request: unknown, reply: FastifyReply): void {
  void reply.code(400).type('application/json; charset=utf-8').send(envelope('the path is not well formed'))
}

const timeToFinish = 2 * seconds

interface Life {
  isEnding: boolean
}

/** Answers that end their connection when the server ends. A hook would cost each answer something all the time before. */
function answersDuring(life: Life) {
  return class Answer<Request extends IncomingMessage> extends ServerResponse<Request> {
    override writeHead(status: number, ...others: readonly unknown[]): this {
      if (life.isEnding) this.shouldKeepAlive = false
      return super.writeHead(status, ...(others as [OutgoingHttpHeaders]))
    }
  }
}

/** Requests in flight have two seconds to finish; whoever is still connected then is cut off. */
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
