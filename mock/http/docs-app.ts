import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import { meaningOfMarks } from '../../spec/assumed.ts'
import { type Document, document } from '../../spec/document.ts'
import { printAssumptions } from '../../spec/register-in-words.ts'
import { newPageApp, sendPageFile } from './page-app.ts'
import { type AppHandler, handlerOf } from './pass-to.ts'
import { isObject } from '../../lib/json.ts'

/** Returns the request handler of an app that serves the pages below `/docs`, with a key that the page may show. */
export async function newDocsHandler(
  shownKey: () => Promise<string | undefined>,
  controlDocument: () => Promise<object>,
): Promise<AppHandler> {
  const app = newPageApp("style-src 'self'")
  const service = serviceDocument()
  const control = linked(await controlDocument())
  addPage(app, '/docs', 'CRM Integrator REST API', async () => explained(service, await shownKey()))
  addPage(app, '/docs/control', 'Control plane of crm-sandbox', async () => control)
  const assumptions = Buffer.from(printAssumptions(undefined, false))
  app.get('/docs/assumptions', (_request, reply) => reply.type('text/plain; charset=utf-8').send(assumptions))
  return handlerOf(app)
}

/** Adds a page of Swagger UI that shows the document. */
function addPage(app: FastifyInstance, path: string, title: string, shown: () => Promise<object>): void {
  const html = pageOf(path, title)
  for (const url of [path, `${path}/`])
    app.get(url, (_request, reply) => reply.type('text/html; charset=utf-8').send(html))
  app.get(`${path}/json`, shown)
  app.get(`${path}/yaml`, async (_request, reply) => reply.type('application/x-yaml').send(stringify(await shown())))
  app.get(`${path}/static/start.js`, (_request, reply) => reply.type('text/javascript; charset=utf-8').send(start))
  app.get<{ Params: { name: string } }>(`${path}/static/:name`, (request, reply) =>
    sendPageFile(`swagger-ui/${request.params.name}`, request, reply),
  )
}

const pageOf = (path: string, title: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>${title}</title>
    <link rel="stylesheet" href="${path}/static/swagger-ui.css" />
    <link rel="stylesheet" href="${path}/static/index.css" />
    <link rel="icon" href="${path}/static/favicon-32x32.png" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${path}/static/swagger-ui-bundle.js"></script>
    <script src="${path}/static/start.js"></script>
  </body>
</html>
`

/** A file, since the policy allows no script in the page. */
const start = `SwaggerUIBundle({
  url: new URL(location.pathname.replace(/\\/$/, '') + '/json', location.origin).href,
  dom_id: '#swagger-ui',
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
  validatorUrl: null,
  layout: 'BaseLayout',
  docExpansion: 'list',
  tryItOutEnabled: true,
})
`

function linked(controlDocument: object): object {
  const { info, ...shown } = controlDocument as Document & Described
  return withServer({ ...shown, info: { ...info, description: `${info.description}\n\n${linkToService}` } })
}

const linkToService = 'The [API of the service](/docs) has a page of its own.'

const withServer = <Shown>(shown: Shown) => ({ ...shown, servers: [{ url: '/', description: 'This sandbox' }] })

/**
 * The document with one example for each parameter. The idempotency key stays empty: a changed body sent again with the
 * same key would be refused.
 */
function serviceDocument(): ShownDocument {
  const shown = JSON.parse(JSON.stringify(document), fillIn) as ShownDocument
  const { teamApiKey, bearerToken } = shown.components.securitySchemes
  teamApiKey.description = 'The key of a team. `serve` prints them at the start.'
  bearerToken.description = 'A token of a user, as POST /_sandbox/tokens returns.'
  return withServer(shown)
}

function explained(shown: ShownDocument, key: string | undefined): object {
  const { info } = shown
  return { ...shown, info: { ...info, description: `${info.description}\n\n${aboutThisSandbox(key)}` } }
}

interface Described {
  readonly info: { description: string }
}

interface ShownDocument extends Described {
  readonly components: { readonly securitySchemes: Record<'teamApiKey' | 'bearerToken', { description: string }> }
}

const aboutThisSandbox = (key: string | undefined) =>
  `**This is a sandbox.** To try an operation, press *Authorize* and enter the key of a team${key === undefined ? '' : `, such as \`${key}\``}. ` +
  'Where the specification is silent, the sandbox assumes an answer: [all assumptions](/docs/assumptions). ' +
  `The header \`x-sandbox-assumed\` ${meaningOfMarks}. The [control plane](/docs/control) has a page of its own.`

/** Swagger UI fills in one \`example\`; with several \`examples\` it shows the name of one. */
function fillIn(_name: string, value: unknown): unknown {
  if (!isObject(value) || !('in' in value) || !isObject(value.examples)) return value
  const { examples, ...parameter } = value
  const [first] = Object.values(examples) as { value: unknown }[]
  return parameter.name === 'Idempotency-Key' ? parameter : { ...parameter, example: first?.value }
}
