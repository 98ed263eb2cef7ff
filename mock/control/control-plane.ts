import type { FastifyInstance, FastifyReply } from 'fastify'
import { assumedBy } from '../../spec/assumed.ts'
import { chooseAll } from '../../spec/choices.ts'
import { answerTo } from '../errors.ts'
import { NotFound } from '../replies.ts'
import { NoSuchTeam } from '../store/port.ts'
import { bulkSends } from './bulk-sends.ts'
import { noEntry } from './guard.ts'
import { health } from './health.ts'
import { reset } from './reset.ts'
import type { ControlRoute, Controls } from './route.ts'
import { teams } from './teams.ts'
import { templates } from './templates.ts'
import { tokens } from './tokens.ts'

export const routes: readonly ControlRoute[] = [...health, ...reset, ...teams, ...tokens, ...templates, ...bulkSends]

const largestBody = 1024 * 1024

/** Everything below `/_sandbox`, behind one guard. It answers in the envelope of the service. */
export function addControlPlane(app: FastifyInstance, controls: Controls, controlToken: string | undefined): void {
  async function plane(plane: FastifyInstance) {
    guardEntry(plane, controls, controlToken)
    refuseInEnvelope(plane)
    for (const route of routes) addRoute(plane, route, controls)
  }
  app.register(plane, { prefix: '/_sandbox' })
}

function guardEntry(plane: FastifyInstance, { store }: Controls, controlToken: string | undefined): void {
  plane.addHook('onRequest', async ({ headers }, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const refused = await noEntry(headers, controlToken, store)
    if (!refused) return undefined
    if (refused.status === 401) reply.header('www-authenticate', 'Bearer')
    return reply.code(refused.status).send({ success: false, message: refused.message })
  })
}

function refuseInEnvelope(plane: FastifyInstance): void {
  plane.setErrorHandler((error, request, reply) => {
    const { status, body } = answerTo(error instanceof NoSuchTeam ? new NotFound() : error, asWeAssume())
    if (status === 500) request.log.error(error)
    return send(reply, status, body)
  })
  plane.setNotFoundHandler(() => {
    throw new NotFound()
  })
}

/** How it words what it refuses does not depend on what is chosen for the service. */
const asWeAssume = assumedBy(chooseAll())

function addRoute(plane: FastifyInstance, { method, path, ...route }: ControlRoute, controls: Controls): void {
  plane.route<{ Params: Record<string, string> }>({
    method,
    url: path,
    bodyLimit: largestBody,
    exposeHeadRoute: false,
    handler: async ({ params, query, body }, reply) => {
      const { status, ...said } = await route.answer(controls, { path: params, query, body })
      return send(reply, status, JSON.stringify({ success: true, ...said }))
    },
  })
}

function send(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}
