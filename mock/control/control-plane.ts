import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { assumedBy } from '../../spec/assumed.ts'
import { chooseAll } from '../../spec/choices.ts'
import { answerToError } from '../http/errors.ts'
import { hintHeader, hintOfPath } from '../http/hints.ts'
import { NoSuchTeam, type Store, UnusableKeptWorld } from '../store/port.ts'
import { assumptions } from './assumptions.ts'
import { bulkSends } from './bulk-sends.ts'
import { newValidatorCompiler } from './check.ts'
import { clock } from './clock.ts'
import type { ControlContext } from './context.ts'
import { faults } from './faults.ts'
import { gates } from './gates.ts'
import { incoming } from './incoming.ts'
import { outbox } from './outbox.ts'
import { NotFound } from './refusals.ts'
import { requests } from './requests.ts'
import type { Noun } from './route.ts'
import { sandbox } from './sandbox.ts'
import { snapshots } from './snapshots.ts'
import { teams } from './teams.ts'
import { templates } from './templates.ts'
import { tokens } from './tokens.ts'
import { world } from './world.ts'

export const prefix = '/_sandbox'

export const nouns: readonly Noun<unknown>[] = [
  sandbox,
  teams,
  snapshots,
  world,
  clock,
  tokens,
  templates,
  bulkSends,
  outbox,
  incoming,
  faults,
  gates,
  assumptions,
  requests,
]

/** Adds everything below `/_sandbox`, behind one guard. It answers in the envelope of the service. */
export function addControlPlane(app: FastifyInstance, context: ControlContext): void {
  const routes: RouteOptions[] = []
  app.register(
    async (below) => {
      guardEntry(below, context)
      refuseInEnvelope(below, routes)
      below.setValidatorCompiler(newValidatorCompiler())
      below.setSerializerCompiler(() => JSON.stringify)
      below.addHook('preValidation', async (request) => {
        if (request.body === undefined) request.body = {}
      })
      below.addHook('onRoute', (route) => void routes.push(route))
      for (const noun of nouns) below.register(pluginOf(noun, context))
    },
    { prefix },
  )
}

function pluginOf({ name, routesFor }: Noun<unknown>, context: ControlContext) {
  return async (below: FastifyInstance) => {
    for (const route of routesFor(context as never))
      below.route({ ...route, schema: { ...route.schema, tags: [name] } })
  }
}

function guardEntry(below: FastifyInstance, { store, controlToken }: ControlContext): void {
  below.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const denial = await checkEntry(request.headers, controlToken, store)
    if (!denial) return undefined
    // Without a token, a client may ask whether the sandbox is up, and gets no data.
    if (denial.status === 401 && isBareHealth(request))
      return reply.send({ success: true, message: 'The sandbox is up' })
    if (denial.status === 401) reply.header('www-authenticate', 'Bearer')
    return reply.code(denial.status).send({ success: false, message: denial.message })
  })
}

interface Denial {
  readonly status: 401 | 403
  readonly message: string
}

/** Why a request may not use the control plane, or `undefined` when it may. */
async function checkEntry(
  headers: IncomingHttpHeaders,
  controlToken: string | undefined,
  store: Store,
): Promise<Denial | undefined> {
  if (isCrossSite(headers))
    return { status: 403, message: 'The control plane refuses requests from the pages of other sites' }
  if (controlToken === undefined) return undefined
  const sent = readToken(headers)
  if (sent === undefined || !isEqual(sent, controlToken))
    return { status: 401, message: 'Send the control token as x-sandbox-token, or as a bearer token' }
  // An API key is given to everyone who tests the API, and must not open the control plane too.
  if ((await store.teamOfKey(controlToken)) === undefined) return undefined
  return { status: 401, message: 'The control token is the API key of a team; start the sandbox with another one' }
}

/** Browsers send these headers with a request of another site; other clients send neither. */
function isCrossSite({ origin, host, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (origin !== undefined && origin !== `http://${host ?? ''}`) return true
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

function readToken({ authorization, 'x-sandbox-token': token }: IncomingHttpHeaders): string | undefined {
  return typeof token === 'string' ? token : /^Bearer +([^ ]+)$/i.exec(authorization ?? '')?.[1]
}

/** Compares in constant time, so that response times reveal nothing about the token. */
const isEqual = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

const digest = (text: string) => createHash('sha256').update(text).digest()

function isBareHealth({ method, headers, routeOptions }: FastifyRequest): boolean {
  if ('x-sandbox-token' in headers || 'authorization' in headers) return false
  return method === 'GET' && routeOptions.url === `${prefix}/health`
}

function refuseInEnvelope(below: FastifyInstance, routes: readonly RouteOptions[]): void {
  below.setErrorHandler((error, request, reply) => {
    const { status, body } = answerToError(error instanceof NoSuchTeam ? new NotFound() : error, newDefaults())
    if (status === 500) below.failed(error, request)
    if (error instanceof UnusableKeptWorld) return reply.code(status).send({ success: false, message: error.message })
    return sendText(reply, status, body)
  })
  below.setNotFoundHandler(({ method, url }, reply) => {
    const known = routes.map((route) => ({
      method: String(route.method),
      path: route.url.replaceAll(/:(\w+)/g, '{$1}'),
    }))
    reply.header(hintHeader, hintOfPath(method, url, known))
    throw new NotFound()
  })
}

/** The assumed choices: how the service words its refusals does not change the control plane. */
const newDefaults = assumedBy(chooseAll())

const sendText = (reply: FastifyReply, status: number, body: string) =>
  reply.code(status).type('application/json; charset=utf-8').send(body)
