import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Controls } from '../../../control/controls.ts'
import { routes } from '../../../control/generated/routes.ts'
import type { ControlAsked, ControlId } from '../../../control/types.ts'
import { assumedBy } from '../../../spec/assumed.ts'
import { chooseAll } from '../../../spec/choices.ts'
import { NotFound } from '../refusals.ts'
import { answerToError } from '../../http/errors.ts'
import { hintHeader } from '../../http/hints.ts'
import { hintOfPath } from '../../http/path-hints.ts'
import { NoSuchTeam, type Store, UnusableKeptWorld } from '../../store/port.ts'
import { checkBody, checkQuery } from '../check.ts'
import { checkEntry } from './guard.ts'
import { bodyLimits, usualBodyLimit } from './body-limits.ts'
import type { ControlReply, Row } from './row.ts'
import { rows } from './rows.ts'

export interface Plane {
  readonly controls: Controls
  readonly store: Store
  /** The token that opens this control plane, if one is needed. */
  readonly controlToken: string | undefined
}

/** Adds everything below `/_sandbox`, behind one guard. It answers in the envelope of the service. */
export function addControlPlane(app: FastifyInstance, plane: Plane): void {
  async function addTo(below: FastifyInstance) {
    guardEntry(below, plane)
    refuseInEnvelope(below)
    for (const id of controlIds) addRoute(below, id, plane.controls)
  }
  app.register(addTo, { prefix })
}

const prefix = '/_sandbox'
const controlIds = Object.keys(routes) as readonly ControlId[]

function guardEntry(below: FastifyInstance, { store, controlToken }: Plane): void {
  below.addHook('onRequest', async (request, reply) => {
    const { headers } = request
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const denial = await checkEntry(headers, controlToken, store)
    if (!denial) return undefined
    if (denial.status === 401 && isBareHealth(request)) return send(reply, 200, bareHealth)
    if (denial.status === 401) reply.header('www-authenticate', 'Bearer')
    return reply.code(denial.status).send({ success: false, message: denial.message })
  })
}

/** Without a token, whatever waits for the sandbox may ask whether it is up, and is told nothing else. */
const bareHealth = JSON.stringify({ success: true, message: 'The sandbox is up' })

function isBareHealth({ method, headers, routeOptions }: FastifyRequest): boolean {
  if ('x-sandbox-token' in headers || 'authorization' in headers) return false
  return method === 'GET' && routeOptions.url === routes.getHealth.path
}

function refuseInEnvelope(below: FastifyInstance): void {
  below.setErrorHandler((error, request, reply) => {
    const { status, body } = answerToError(error instanceof NoSuchTeam ? new NotFound() : error, newDefaults())
    if (status === 500) below.failed(error, request)
    if (error instanceof UnusableKeptWorld)
      return send(reply, status, JSON.stringify({ success: false, message: error.message }))
    return send(reply, status, body)
  })
  below.setNotFoundHandler(({ method, url }, reply) => {
    reply.header(hintHeader, hintOfPath(method, url, Object.values(routes)))
    throw new NotFound()
  })
}

/** The assumed choices: how the service words its refusals does not change the control plane. */
const newDefaults = assumedBy(chooseAll())

function addRoute(below: FastifyInstance, id: ControlId, controls: Controls): void {
  const { method, path } = routes[id]
  below.route({
    method,
    url: path.slice(prefix.length).replaceAll(/\{(\w+)\}/g, ':$1'),
    bodyLimit: bodyLimits[id] ?? usualBodyLimit,
    exposeHeadRoute: false,
    handler: async ({ params: path, query, body: sent }, reply) => {
      const body = sent === undefined ? {} : sent // null is a body, and none that is taken
      checkQuery(id, query)
      checkBody(id, body)
      const row = rows[id] as unknown as Row<ControlId>
      return sendReply(reply, await row(controls, { path, query, body } as ControlAsked<ControlId>))
    },
  })
}

function sendReply(reply: FastifyReply, replied: ControlReply): FastifyReply {
  if ('whole' in replied) return reply.code(replied.status).type(replied.type).send(replied.whole)
  const { status, ...content } = replied
  return send(reply, status, JSON.stringify({ success: true, ...content }))
}

function send(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}
