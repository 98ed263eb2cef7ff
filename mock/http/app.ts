import type { FastifyInstance } from 'fastify'
import type { ControlContext } from '../control/context.ts'
import { addControlPlane } from '../control/control-plane.ts'
import type { Interception } from '../faults/interception.ts'
import { allowOrigins } from './cors.ts'
import { addDocs } from './docs.ts'
import { answerErrors } from './errors.ts'
import { addFaults } from './faults.ts'
import { guardHosts, type Guarded } from './guard.ts'
import { readJsonBodies } from './json-body.ts'
import { readForms } from './multipart-body.ts'
import { addOperations, type Service } from './operations.ts'
import { newServer, type ServerOptions } from './server.ts'

export interface AppOptions {
  readonly server: ServerOptions
  readonly guarded: Guarded
  /** Web origins that may call the API from a browser. */
  readonly cors: readonly string[]
  readonly service: Service
  /** Faults and gates. */
  readonly interception: Interception
  readonly control: ControlContext
}

/** Everything that the sandbox answers over HTTP. */
export function newApp({ server, guarded, cors, service, interception, control }: AppOptions): FastifyInstance {
  const app = newServer(server)
  guardHosts(app, guarded)
  allowOrigins(app, cors)
  readJsonBodies(app)
  readForms(app)
  addFaults(app, interception, service)
  answerErrors(app, service, server.journal)
  addOperations(app, service)
  addControlPlane(app, control)
  addDocs(app)
  return app
}
