import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assumedBy } from '../../spec/assumed.ts'
import { chooseAll } from '../../spec/choices.ts'
import { NotFound } from './refusals.ts'
import { answerToError } from '../http/errors.ts'
import { hintHeader } from '../http/hints.ts'
import { hintOfPath } from '../http/path-hints.ts'
import { NoSuchTeam } from '../store/port.ts'
import { bulkSends } from './bulk-sends.ts'
import { checkEntry } from './guard.ts'
import { health } from './health.ts'
import { reset } from './reset.ts'
import type { ControlContext, ControlRoute } from './route.ts'
import { teams } from './teams.ts'
import { templates } from './templates.ts'
import { tokens } from './tokens.ts'

export const routes: readonly ControlRoute[] = [...health, ...reset, ...teams, ...tokens, ...templates, ...bulkSends]

const bodyLimit = 1024 * 1024

/** Adds everything below `/_sandbox`, behind one guard. It answers in the envelope of the service. */
export function addControlPlane(app: FastifyInstance, context: ControlContext, controlToken: string | undefined): void {
  async function plane(plane: FastifyInstance) {
    guardEntry(plane, context, controlToken)
    refuseInEnvelope(plane)
    for (const route of routes) addRoute(plane, route, context)
  }
  app.register(plane, { prefix: '/_sandbox' })
}

function guardEntry(plane: FastifyInstance, { store }: ControlContext, controlToken: string | undefined): void {
  plane.addHook('onRequest', async (request, reply) => {
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
  return method === 'GET' && routeOptions.url === '/_sandbox/health'
}

function refuseInEnvelope(plane: FastifyInstance): void {
  plane.setErrorHandler((error, request, reply) => {
    const { status, body } = answerToError(error instanceof NoSuchTeam ? new NotFound() : error, newDefaults())
    if (status === 500) plane.failed(error, request)
    return send(reply, status, body)
  })
  plane.setNotFoundHandler(({ method, url }, reply) => {
    reply.header(hintHeader, hintOfPath(method, url, routesToHint))
    throw new NotFound()
  })
}

const routesToHint = routes.map(({ method, path }) => ({ method, path: writtenPath(path) }))

/** As the documentation writes it, such as `/_sandbox/teams/{teamId}`. */
function writtenPath(path: string): string {
  return `/_sandbox${path.replaceAll(/:(\w+)/g, '{$1}')}`
}

/** The assumed choices: how the service words its refusals does not change the control plane. */
const newDefaults = assumedBy(chooseAll())

function addRoute(plane: FastifyInstance, { method, path, ...route }: ControlRoute, context: ControlContext): void {
  plane.route<{ Params: Record<string, string> }>({
    method,
    url: path,
    bodyLimit,
    exposeHeadRoute: false,
    handler: async ({ params, query, body }, reply) => {
      const { status, ...content } = await route.answer(context, { path: params, query, body })
      return send(reply, status, JSON.stringify({ success: true, ...content }))
    },
  })
}

function send(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}
