import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import Fastify, { type FastifyInstance } from 'fastify'
import { meaningOfMarks } from '../../spec/assumed.ts'
import { type Document, document, isObject } from '../../spec/document.ts'
import { printAssumptions } from '../../spec/register-in-words.ts'
import { answerNotFound, type AppHandler, handlerOf } from './pass-to.ts'

/** Returns the request handler of an app that serves the pages below `/docs`, with a key that the page may show. */
export async function newDocsHandler(
  shownKey: () => Promise<string | undefined>,
  controlDocument: () => Promise<object>,
): Promise<AppHandler> {
  const app = Fastify()
  let key: string | undefined
  app.addHook('onRequest', async (_request, reply) => {
    key = await shownKey()
    reply.headers({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })
  answerNotFound(app)
  addPage(app, {
    path: '/docs',
    title: 'CRM Integrator REST API',
    document: serviceDocument(),
    change: (shown) => explained(shown, key),
  })
  addPage(app, {
    path: '/docs/control',
    title: 'Control plane of crm-sandbox',
    document: linked(await controlDocument()),
  })
  const assumptions = Buffer.from(printAssumptions(undefined, false))
  app.get('/docs/assumptions', (_request, reply) => reply.type('text/plain; charset=utf-8').send(assumptions))
  return handlerOf(app)
}

interface Page {
  /** Changes the document for a request. */
  readonly change?: (document: ShownDocument) => ShownDocument
  readonly path: string
  readonly title: string
  readonly document: object
}

function addPage(app: FastifyInstance, { path, title, document, change }: Page): void {
  app.register(async (page) => {
    await page.register(swagger, { mode: 'static', specification: { document: document as never } })
    await page.register(swaggerUi, {
      routePrefix: path,
      theme: { title },
      ...(change && { transformSpecification: (shown) => change(shown as ShownDocument) }),
      uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: true },
    })
  })
}

function linked(controlDocument: object): object {
  const { info, ...shown } = controlDocument as Document & Described
  return withServer({ ...shown, info: { ...info, description: `${info.description}\n\n${linkToService}` } })
}

const linkToService = 'The [API of the service](/docs) has a page of its own.'

const withServer = (shown: object) => ({ ...shown, servers: [{ url: '/', description: 'This sandbox' }] })

/**
 * The document with one example for each parameter. The idempotency key stays empty: a changed body sent again with the
 * same key would be refused.
 */
function serviceDocument(): object {
  const shown = JSON.parse(JSON.stringify(document), fillIn) as ShownDocument
  const { teamApiKey, bearerToken } = shown.components.securitySchemes
  teamApiKey.description = 'The key of a team. `serve` prints them at the start.'
  bearerToken.description = 'A token of a user, as POST /_sandbox/tokens returns.'
  return withServer(shown)
}

function explained(shown: ShownDocument, key: string | undefined): ShownDocument {
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

/** The pages load and call nothing but this sandbox. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
