import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { markNames } from '../core/mark-headers.ts'
import { type Log, logLevels } from './log.ts'
import { lineOf, type Logged } from './log-line.ts'
import { hidden, type Secrets } from '../../shared/redaction.ts'
import { redactTarget } from './redaction.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs an error that the server itself is to blame for. */
    failed(error: unknown, request?: FastifyRequest): void
  }
}

/** Logs a line for each request: neither headers nor bodies, and no known secret. Without a log it costs nothing. */
export function addLog(app: FastifyInstance, log: Log | undefined, secrets: Secrets): void {
  if (!log) {
    app.decorate('failed', () => undefined)
    return
  }
  const { level, form = 'json' } = log
  const write = (logged: Logged) => {
    if (logLevels.indexOf(logged.level) >= logLevels.indexOf(level)) log.write(secrets.redact(lineOf[form](logged)))
  }
  const errors = new WeakMap<FastifyRequest, unknown>()
  const messages = new WeakMap<FastifyRequest, string>()

  app.decorate('failed', (error, request) => {
    if (request) errors.set(request, error)
    else write({ level: 'error', time: new Date().toISOString(), error: stackOf(error) })
  })
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    next()
  })
  app.addHook('onSend', (request, _reply, payload, next) => {
    const message = withoutHost(messageIn(payload), request.headers.host)
    if (message !== undefined) messages.set(request, message)
    next()
  })
  app.addHook('onResponse', (request, reply, next) => {
    write(describe(request, reply, messages.get(request), errors.get(request)))
    next()
  })
}

function describe(request: FastifyRequest, reply: FastifyReply, message: string | undefined, error: unknown): Logged {
  const { id, method, url, caller, routeOptions } = request
  const { statusCode: status, elapsedTime } = reply
  const { operation } = routeOptions.config
  return {
    level: status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info',
    time: new Date().toISOString(),
    method,
    url: redactTarget(url),
    status,
    ...(message === undefined ? {} : { message }),
    ...(caller ? { team: caller.teamId } : {}),
    ...(operation === undefined ? {} : { operation }),
    ...namesIn('assumed', reply),
    ...namesIn('learned', reply),
    id,
    ms: Math.round(elapsedTime * 10) / 10,
    ...(error === undefined ? {} : { error: stackOf(error) }),
  }
}

function namesIn(mark: 'assumed' | 'learned', reply: FastifyReply): Partial<Logged> {
  const names = reply.getHeader(markNames[mark])
  return names === undefined ? {} : { [mark]: String(names).split(', ') }
}

/** The message of an answer. It stands at the beginning, so the rest, which may be long, is not parsed. */
function messageIn(payload: unknown): string | undefined {
  if (typeof payload !== 'string') return undefined
  const [, message] = /^\{"success":(?:true|false),"message":("(?:[^"\\]|\\.){0,1000}")/.exec(payload) ?? []
  return message === undefined ? undefined : (JSON.parse(message) as string)
}

/** The one message that repeats a header is that of an unknown Host. */
function withoutHost(message: string | undefined, host: string | undefined): string | undefined {
  return host === undefined || host === '' ? message : message?.replaceAll(host, hidden)
}

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
