import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dataFile } from '../../lib/data-file.ts'
import { once } from '../../lib/async.ts'
import type { ControlContext } from './context.ts'
import { version } from '../../lib/version.ts'
import { answerErrors } from '../http/errors.ts'
import { allowOrigins } from '../http/guard.ts'
import { readJsonBodies } from '../http/json-body.ts'
import { readForms } from '../http/multipart-body.ts'
import { addOperations } from '../http/operations.ts'
import { passTo } from '../http/pass-to.ts'
import { newServer, type ServerOptions } from '../http/server.ts'

/** The app with all routes of the sandbox. */
export function newApp(options: ServerOptions, control: ControlContext): FastifyInstance {
  const { worlds, ...parts } = control
  const app = newServer(options, { ...parts, engine: control, secrets: worlds.secrets })
  allowOrigins(app, options.cors)
  readJsonBodies(app)
  readForms(app)
  answerErrors(app)
  addOperations(app)
  addControl(app, control)
  addPages(app, control)
  return app
}

/** Loaded on first use: its schemas and routes would take a tenth of every start. */
function addControl(app: FastifyInstance, context: ControlContext): void {
  const onRequest = passTo(async () => (await import('./control-plane.ts')).newControlHandler(app, context))
  for (const url of ['/_sandbox', '/_sandbox/*'])
    app.route({ method: app.supportedMethods, url, onRequest, handler: () => undefined })
}

/**
 * The page at `/`, the published document, the pages below `/docs`, which show the document and send requests to this
 * sandbox, and the console.
 */
function addPages(app: FastifyInstance, { store, controlToken, document }: ControlContext): void {
  // Loaded on first use, as the docs.
  const showConsole = passTo(async () => (await import('../http/console-app.ts')).newConsoleHandler())
  app.get('/', (request, reply) => (isForBrowser(request) ? showConsole(request, reply) : reply.send(frontDoor)))
  app.get('/console', showConsole)
  app.get('/console/*', showConsole)
  app.get('/openapi.json', (request, reply) => sendDocument(`${request.protocol}://${request.host}`, reply))
  /** A client that must send the control token may not see a key. */
  const shownKey = async () =>
    controlToken === undefined ? (await store.teams()).flatMap(({ apiKeys }) => apiKeys)[0] : undefined
  // Loaded on first use, since its plugins would add 100 ms to every start.
  const showPage = passTo(async () => (await import('../http/docs-app.ts')).newDocsHandler(shownKey, document))
  app.get('/docs', showPage)
  app.get('/docs/*', showPage)
}

/** A browser asks for a page, other clients take anything. */
const isForBrowser = ({ headers: { accept = '' } }: FastifyRequest) => accept.includes('text/html')

const frontDoor = {
  success: true,
  message: 'This is crm-sandbox, a stand-in for the CRM Integrator REST API',
  data: {
    version,
    api: '/api',
    console: '/console',
    docs: '/docs',
    document: '/openapi.json',
    control: '/_sandbox/health',
    controlDocs: '/docs/control',
  },
}

/** The document as published, with the address that it is served from, so that a generated client calls this server. */
function sendDocument(address: string, reply: FastifyReply): FastifyReply {
  const [before, after] = publishedDocument()
  const parts = [before, Buffer.from(JSON.stringify(address)), after]
  return reply
    .type('application/json; charset=utf-8')
    .header(
      'content-length',
      parts.reduce((sum, { length }) => sum + length, 0),
    )
    .send(Readable.from(parts))
}

/** The parts before and after the address. All responses share them, so that an unread response takes no memory. */
const publishedDocument = once((): [before: Buffer, after: Buffer] => {
  const text = readFileSync(dataFile('spec/generated/openapi.json'), 'utf8')
  const [before = '', after = ''] = text.split(/(?<="servers": \[\s*\{\s*"url": )"[^"]*"/)
  return [Buffer.from(before), Buffer.from(after)]
})
