import type { FastifyInstance } from 'fastify'
import { addControlPlane, type Plane } from '../control/http/control-plane.ts'
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
  readonly plane: Plane
}

/** Everything that the sandbox answers over HTTP. */
export function newApp({ server, guarded, cors, routing, plane }: AppOptions): FastifyInstance {
  const app = newServer(server)
  guardHosts(app, guarded, server.journal)
  allowOrigins(app, cors)
  readJsonBodies(app)
  readForms(app)
  addRoutes(app, routing)
  addControlPlane(app, plane)
  addDocs(app)
  return app
}
