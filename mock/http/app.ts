import type { FastifyInstance } from 'fastify'
import { addControlPlane } from '../control/control-plane.ts'
import type { ControlContext } from '../control/route.ts'
import { allowOrigins } from './cors.ts'
import { addDocs } from './docs.ts'
import { guardHosts, type Guarded } from './guard.ts'
import { readJsonBodies } from './json-body.ts'
import { readForms } from './multipart-body.ts'
import type { Routing } from './pipeline.ts'
import { addRoutes } from './routes.ts'
import { newServer, type ServerOptions } from './server.ts'

export interface AppOptions {
  readonly server: ServerOptions
  readonly guarded: Guarded
  /** Origins whose pages may use the API in a browser. */
  readonly cors: readonly string[]
  readonly routing: Routing
  readonly controls: ControlContext
  readonly controlToken: string | undefined
}

/** Everything that the sandbox answers over HTTP. */
export function newApp({ server, guarded, cors, routing, controls, controlToken }: AppOptions): FastifyInstance {
  const app = newServer(server)
  guardHosts(app, guarded, server.journal)
  allowOrigins(app, cors)
  readJsonBodies(app)
  readForms(app)
  addRoutes(app, routing)
  addControlPlane(app, controls, controlToken)
  addDocs(app)
  return app
}
