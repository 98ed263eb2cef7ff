import type { FastifyInstance } from 'fastify'
import type { ControlContext } from '../control/context.ts'
import { addDocs } from './docs.ts'
import { answerErrors } from './errors.ts'
import { allowOrigins } from './guard.ts'
import { readJsonBodies } from './json-body.ts'
import { readForms } from './multipart-body.ts'
import { addOperations, type Service } from './operations.ts'
import { passTo } from './pass-to.ts'
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
  addControl(app, control)
  addDocs(app, control)
  return app
}

/** Loaded on first use: its schemas and routes would take a tenth of every start. */
function addControl(app: FastifyInstance, context: ControlContext): void {
  const onRequest = passTo(async () => (await import('../control/control-app.ts')).newControlHandler(app, context))
  for (const url of ['/_sandbox', '/_sandbox/*'])
    app.route({ method: app.supportedMethods, url, onRequest, handler: () => undefined })
}
