import type { FastifyInstance } from 'fastify'
import type { ControlContext } from '../control/context.ts'
import { addControlPlane } from '../control/control-plane.ts'
import { addDocs } from './docs.ts'
import { answerErrors } from './errors.ts'
import { allowOrigins } from './guard.ts'
import { readJsonBodies } from './json-body.ts'
import { readForms } from './multipart-body.ts'
import { addOperations, type Service } from './operations.ts'
import { newServer, type ServerOptions } from './server.ts'

export interface AppOptions {
  readonly server: ServerOptions
  /** Web origins that may call the API from a browser. */
  readonly cors: readonly string[]
  readonly service: Service
  readonly control: ControlContext
}

/** Everything that the sandbox answers over HTTP. */
export function newApp({ server, cors, service, control }: AppOptions): FastifyInstance {
  const app = newServer(server)
  allowOrigins(app, cors)
  readJsonBodies(app)
  readForms(app)
  answerErrors(app, service, server.journal)
  addOperations(app, service)
  addControlPlane(app, control)
  addDocs(app)
  return app
}
