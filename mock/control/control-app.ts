import Fastify, { type FastifyInstance } from 'fastify'
import { readJsonBodies } from '../http/json-body.ts'
import { readForms } from '../http/multipart-body.ts'
import type { AppHandler } from '../http/pass-to.ts'
import type { ControlContext } from './context.ts'
import { addControlPlane } from './control-plane.ts'

/** Returns the request handler of the control plane of a server, which is a separate app. */
export async function newControlHandler(server: FastifyInstance, context: ControlContext): Promise<AppHandler> {
  const app = Fastify({ routerOptions: { maxParamLength: 16 * 1024 } })
  server.logResponsesOf(app)
  readJsonBodies(app)
  readForms(app)
  addControlPlane(app, context)
  await app.ready()
  return (request, response) => {
    app.routing(request, response)
  }
}
