import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import type * as AjvModule from 'ajv/dist/2020.js'
import type { TObject, TSchema } from 'typebox'
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify'
import { once } from '../../lib/async.ts'
import { quoteUnlessPlain } from '../../lib/text.ts'
import { assumedBy } from '../../spec/assumed.ts'
import { chooseAll } from '../../spec/choices.ts'
import { closeTo } from '../../spec/close-to.ts'
import { complain, type SchemaFault, fieldOf, unlistedField } from '../../spec/explain.ts'
import { streamOf, toJson } from '../core/long-json.ts'
import { hintHeader } from '../core/operation.ts'
import { BadRequest, NotFound } from '../core/refusals.ts'
import { answerToError, noMemory } from '../http/errors.ts'
import { hintOfPath } from '../http/hints.ts'
import {
  HeldMemory,
  mayBeLong,
  memoryFor,
  readJson,
  readJsonBodies,
  shortBody,
  timesOfBody,
} from '../http/json-body.ts'
import { readForms } from '../http/multipart-body.ts'
import { type AppHandler, handlerOf } from '../http/pass-to.ts'
import { NoSuchTeam, UnusableSnapshot } from '../store/port.ts'
import { mebibyte, type MemoryBudget, NoMemoryFree } from '../store/retention.ts'
import type { ControlContext } from './context.ts'
import { routesOfNouns } from './nouns.ts'
import { UnknownName, RejectedNow } from '../core/rejections.ts'
import { mostMebibytes } from './most-mebibytes.ts'
import { readJsonOfWorld } from './world-json.ts'

export const prefix = '/_sandbox'

/** Returns the request handler of the control plane of a server, which is a separate app. */
export async function newControlHandler(server: FastifyInstance, context: ControlContext): Promise<AppHandler> {
  const app = Fastify({ routerOptions: { maxParamLength: 16 * 1024 } })
  server.logResponsesOf(app)
  readJsonBodies(app, (json, { routeOptions }) =>
    routeOptions.config.takesWorld ? readJsonOfWorld(json) : readJson(json, 'the body'),
  )
  readForms(app)
  addControlPlane(app, context)
  return handlerOf(app)
}

/** Adds everything below `/_sandbox`, behind one guard. It answers in the envelope of the service. */
export function addControlPlane(app: FastifyInstance, context: ControlContext): void {
  app.register(
    async (below) => {
      guardEntry(below, context)
      const { sharedSettings } = context
      if (sharedSettings)
        below.addHook('onRequest', async ({ routeOptions }) => {
          if (!routeOptions.config.isLocal) await sharedSettings.refresh()
        })
      holdMemory(below, context)
      answerErrors(below)
      checkInput(below)
      below.setSerializerCompiler(() => JSON.stringify)
      sendLongAnswers(below, context)
      for (const { name, routesFor } of routesOfNouns)
        for (const [operationId, route] of Object.entries(routesFor(context as never)))
          below.route({
            ...route,
            bodyLimit: route.config?.takesWorld ? largestWorld(context.memory) : mostMebibytes.ofOthers * mebibyte,
            schema: { operationId, ...route.schema, tags: [name] },
          })
    },
    { prefix },
  )
}

/** Takes memory for each request before its body is read, and for what its handler collects. */
function holdMemory(below: FastifyInstance, { memory }: ControlContext): void {
  below.decorateReply('held', undefined)
  below.decorateReply('hold', {
    getter() {
      return (bytes) => (this.held ??= new HeldMemory(memory, 'answers', this)).hold(bytes)
    },
  })
  below.addHook('onRequest', async (request, reply) => {
    const { isLocal, takesWorld } = request.routeOptions.config
    if (isLocal) return
    const bytes = mayBeLong(request) ? memoryFor(request, takesWorld ? timesOfWorld : timesOfBody) : shortBody
    new HeldMemory(memory, 'requests', reply).hold(bytes)
  })
}

/** The text of a world, its records, and what checks them. */
const timesOfWorld = 4

/** In bytes. Kept data never takes more than a third of the memory, so that a world this large finds room. */
const largestWorld = ({ most }: MemoryBudget) => Math.min(mostMebibytes.ofWorld * mebibyte, Math.floor(most / 6))

/** Sends an answer; a long one keeps its records in memory until it is read. */
function sendLongAnswers(below: FastifyInstance, { memory }: ControlContext): void {
  below.decorateReply('sendJson', function (answer) {
    // Each part of a held answer is made as it is sent, and other requests run between.
    const json = toJson(answer, this.held ? 1 : longestShortAnswer)
    this.type('application/json; charset=utf-8')
    if (typeof json === 'string') return this.send(json)
    if (!this.held) this.hold(memory.most / (mostLongAnswers + 1))
    const { socket } = this.raw
    // Ends the connection of a client that does not read.
    if (socket instanceof Socket) socket.setTimeout(longestStall)
    return this.send(streamOf(json))
  })
}

const longestShortAnswer = 256 * 1024
const mostLongAnswers = 20
const longestStall = 30_000

function guardEntry(below: FastifyInstance, { store, controlToken }: ControlContext): void {
  below.addHook('onRequest', async (request, reply) => {
    const { headers } = request
    const deny = (status: 401 | 403, message: string) => reply.code(status).send({ success: false, message })
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    if (isCrossSite(headers)) return deny(403, 'The control plane refuses requests from the pages of other sites')
    const { isOpen, isLocal } = request.routeOptions.config
    if (controlToken === undefined || isOpen) return undefined
    const sent = readToken(headers)
    const isKnown = sent !== undefined && isEqual(sent, controlToken)
    // Clients of the API have an API key, which must not open the control plane.
    if (isKnown && (isLocal || (await store.teamOfKey(controlToken)) === undefined)) return undefined
    // Without a token, a client may ask whether the sandbox is up, and gets no data.
    if (isBareHealth(request)) return reply.send({ success: true, message: 'The sandbox is up' })
    reply.header('www-authenticate', 'Bearer')
    return isKnown
      ? deny(401, 'The control token is the API key of a team; start the sandbox with another one')
      : deny(401, 'Send the control token as x-sandbox-token, or as a bearer token')
  })
}

/** Browsers send these headers with a request of another site; other clients send neither. */
function isCrossSite({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  // The scheme may differ, since a proxy in front of the sandbox may use TLS.
  if (origin !== undefined && origin.replace(/^https?:\/\//, '') !== host) return true
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function readToken({ authorization, 'x-sandbox-token': token }: IncomingHttpHeaders): string | undefined {
  return typeof token === 'string' ? token : /^Bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1]
}

/** Compares in constant time, so that response times reveal nothing about the token. */
const isEqual = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

const digest = (text: string) => createHash('sha256').update(text).digest()

function isBareHealth({ headers, routeOptions }: FastifyRequest): boolean {
  if ('x-sandbox-token' in headers || 'authorization' in headers) return false
  return routeOptions.url === `${prefix}/health`
}

function answerErrors(below: FastifyInstance): void {
  const known: { method: string; path: string }[] = []
  below.addHook('onRoute', ({ method, url }) => {
    known.push({ method: String(method), path: url.replaceAll(/:(\w+)/g, '{$1}') })
  })
  below.setNotFoundHandler(({ method, url }, reply) => {
    if (method === 'GET' && /^\/_sandbox\/?$/.test(url)) return reply.send(indexOf(known))
    reply.header(hintHeader, hintOfPath(method, url, known))
    throw new NotFound(controlPlane)
  })
  below.setErrorHandler((error, request, reply) => {
    // Fastify parses the body of a request before it finds that no route takes it.
    const refusal = request.is404 ? new NotFound(controlPlane) : refusalFor(error, request)
    const { status, body } = answerToError(refusal, newDefaults())
    if (status === 500) below.failed(error, request)
    if (status === 429) reply.header('retry-after', '1')
    if (error instanceof UnusableSnapshot) return reply.code(status).send({ success: false, message: error.message })
    return reply.code(status).type('application/json; charset=utf-8').send(body)
  })
}

/** The body of the answer to `GET /_sandbox`. */
const indexOf = (known: readonly { readonly method: string; readonly path: string }[]) => ({
  success: true,
  message: 'The control plane of crm-sandbox, described at /docs/control',
  data: known.filter(({ method }) => method !== 'HEAD').map(({ method, path }) => `${method} ${path}`),
})

function refusalFor(error: unknown, { routeOptions }: FastifyRequest): unknown {
  if (error instanceof NoMemoryFree) return new RejectedNow(429, noMemory)
  if (error instanceof NoSuchTeam) return new UnknownName('team', error.teamId)
  if ((error as FastifyError).code !== 'FST_ERR_CTP_BODY_TOO_LARGE') return error
  return new BadRequest(routeOptions.config.takesWorld ? tooLargeWorld(routeOptions.bodyLimit) : tooLarge, controlPlane)
}

const controlPlane = { limit: 'controlPlane' } as const

const tooLarge = `a request to the control plane without a world must not be larger than ${mostMebibytes.ofOthers} MiB`
const tooLargeWorld = (most: number) =>
  `a request to the control plane must not be larger than ${Math.floor(most / mebibyte)} MiB; start the sandbox with a larger world (--world), or add its teams in several requests (POST /_sandbox/world)`

/** The defaults: the wording of refusals that a user chose does not apply to the control plane. */
const newDefaults = assumedBy(chooseAll())

/** Validates by the schemas of the routes. An error is a refusal in one sentence. */
function checkInput(below: FastifyInstance): void {
  const ajv = once(() => {
    const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof AjvModule
    const options = { verbose: true, messages: false, strict: false, validateSchema: false } as const
    return { json: new Ajv2020(options), text: new Ajv2020({ ...options, coerceTypes: 'array' }) }
  })
  // A schema is compiled at its first request: to compile them all would take a fifth of the start.
  below.setValidatorCompiler<object>(({ schema, httpPart }) => {
    const compiled = once(() => (httpPart === 'body' ? ajv().json : ajv().text).compile(schema))
    return (data: unknown) => compiled()(data) || { error: compiled().errors ?? [] }
  })
  below.setSchemaErrorFormatter((errors, part) => {
    const sentence = sentenceFor(errors, part === 'body' ? 'the body' : 'the query')
    return new BadRequest(sentence, { limit: 'controlPlane' })
  })
  below.addHook('preValidation', async (request) => {
    if (request.body === undefined) request.body = {}
    const query = request.query as Record<string, unknown>
    const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as Partial<TObject>
    // `?all` means `?all=true`.
    for (const name of Object.keys(query)) if (query[name] === '' && isFlag(properties[name])) query[name] = true
  })
}

const isFlag = (schema: TSchema | undefined) => schema !== undefined && 'type' in schema && schema.type === 'boolean'

/** As for the service, but it lists the known fields when one is unknown. */
function sentenceFor(faults: readonly SchemaFault[], whole: string): string {
  const fault = faults.at(-1)
  const { 'x-form': form, properties = {} } = (fault?.parentSchema ?? {}) as { 'x-form'?: string; properties?: object }
  const unknownField = fault && unlistedField(fault)
  if (unknownField !== undefined) {
    const [known, [meant]] = [Object.keys(properties), closeTo(unknownField, Object.keys(properties))]
    const nearest = meant === undefined ? '' : ` (did you mean ${meant}?)`
    return `${quoteUnlessPlain(unknownField)} is not a field of this request${nearest}, which takes ${known.join(', ') || 'none'}`
  }
  if (fault && form !== undefined && fault.keyword !== 'required') return `${fieldOf(fault)} must be ${form}`
  return complain(faults, { whole, member: 'a field of this request' }).sentence
}
