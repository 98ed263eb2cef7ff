import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { markNames } from '../core/operation.ts'
import { controlFunctions } from './fetch.ts'
import { type Log, type Logged, stackOf, writerOf } from './log.ts'
import { hidden, type Redactor } from '../../lib/redactor.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Adds an internal error to the line of its request. */
    failed(error: unknown, request: FastifyRequest): void
    /** Lets the lines of the log show the messages and errors of a separate app that requests are passed to. */
    logResponsesOf(app: FastifyInstance): void
  }
}

/** Logs a line for each request: neither headers nor bodies, and no known secret. Without a log it costs nothing. */
export function addLog(app: FastifyInstance, log: Log | undefined, secrets: Redactor): void {
  if (!log) {
    const logNothing = (one: FastifyInstance) => void one.decorate('failed', () => undefined)
    logNothing(app)
    app.decorate('logResponsesOf', logNothing)
    return
  }
  const write = writerOf(log, secrets)
  const errors = new WeakMap<IncomingMessage, unknown>()
  const messages = new WeakMap<IncomingMessage, string>()
  const collectFrom = (one: FastifyInstance) => {
    one.decorate('failed', (error, { raw }) => void errors.set(raw, error))
    one.addHook('onSend', ({ raw, headers }, _reply, payload, next) => {
      const message = withoutHost(messageIn(payload), headers.host)
      if (message !== undefined) messages.set(raw, message)
      next()
    })
  }
  collectFrom(app)
  app.decorate('logResponsesOf', collectFrom)
  app.addHook('onResponse', (request, reply, next) => {
    const { raw, ip } = request
    if (ip !== controlFunctions) write(describe(request, reply, messages.get(raw), errors.get(raw)))
    next()
  })
}

function describe(request: FastifyRequest, reply: FastifyReply, message: string | undefined, error: unknown): Logged {
  const { id, method, url, caller, operation } = request
  const { statusCode: status, elapsedTime } = reply
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

/** Only the message about an unknown Host repeats a header. */
function withoutHost(message: string | undefined, host: string | undefined): string | undefined {
  return host === undefined || host === '' ? message : message?.replaceAll(host, hidden)
}

/** Query parameters with values that contain no personal data. */
const harmless: readonly string[] = ['page', 'limit', 'types', 'statuses', 'channel']

/** The target of a request, such as `/api/contacts/deleteContactsByEmail?email=[redacted]`. */
export function redactTarget(target: string): string {
  const [path = '', query] = target.split(/\?(.*)/s)
  const shown = path.length > longestPath ? hidden : path.split('/').map(redactSegment).join('/')
  if (query === undefined) return shown
  return `${shown}?${query.length > longestPath ? hidden : query.split('&').map(redactParameter).join('&')}`
}

const longestPath = 2_000

/** Addresses have an @ or begin with a plus, and may be escaped. */
function redactSegment(segment: string): string {
  return /^[\w.~:-]{0,100}$/.test(segment) && !/^\d{7,15}$/.test(segment) ? segment : hidden
}

function redactParameter(parameter: string): string {
  const [name = '', value] = parameter.split(/=(.*)/s)
  if (value === undefined) return hidden
  if (harmless.includes(name) && /^[\w,]{0,20}$/.test(value)) return parameter
  return `${/^[A-Za-z][\w[\]-]{0,39}$/.test(name) ? name : hidden}=${hidden}`
}
