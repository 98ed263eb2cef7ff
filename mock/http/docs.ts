import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { document } from '../../spec/document.ts'
import { version } from '../version.ts'

/** The document, a page to read it and to try it on this sandbox, and a front door that says where they are. */
export function addDocs(app: FastifyInstance): void {
  let opened: Promise<FastifyInstance> | undefined

  async function openPage(request: FastifyRequest, reply: FastifyReply) {
    const page = await (opened ??= openDocs())
    reply.hijack()
    page.routing(request.raw, reply.raw)
  }

  app.get('/', () => frontDoor)
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(asPublished()))
  app.get('/docs', openPage)
  app.get('/docs/*', openPage)
  app.addHook('onClose', async () => (await opened)?.close())
}

const frontDoor = {
  success: true,
  message: 'This is crm-sandbox, a stand-in for the CRM Integrator REST API',
  data: { version, api: '/api', docs: '/docs', document: '/openapi.json', control: '/_sandbox/health' },
}

const asPublished = () => readFileSync(new URL('../../spec/generated/openapi.json', import.meta.url))

/** A server of its own, made when somebody first asks: who never reads the docs does not wait for them at the start. */
async function openDocs(): Promise<FastifyInstance> {
  const [swagger, swaggerUi] = await Promise.all([import('@fastify/swagger'), import('@fastify/swagger-ui')])
  const page = Fastify()
  await page.register(swagger.default, { mode: 'static', specification: { document: documentToTry() as never } })
  await page.register(swaggerUi.default, {
    routePrefix: '/docs',
    staticCSP: contentSecurityPolicy,
    theme: { title: 'CRM Integrator REST API' },
    uiConfig: { layout: 'BaseLayout', docExpansion: 'list', tryItOutEnabled: true },
  })
  page.addHook('onSend', async (_request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
  })
  page.setNotFoundHandler((_request, reply) => reply.code(404).send(nothingThere))
  page.setErrorHandler((_error, _request, reply) => reply.code(404).send(nothingThere))
  await page.ready()
  return page
}

/**
 * The page fills in what the document shows: this server, where its keys are, the key before the token, and not one
 * idempotency key for everything that is tried.
 */
function documentToTry(): object {
  const { parameters, securitySchemes } = document.components as unknown as Components
  const IdempotencyKey = { ...parameters.IdempotencyKey, example: undefined }
  const { teamApiKey, bearerToken } = securitySchemes
  const credentials = {
    teamApiKey: { ...teamApiKey, description: 'The key of a team, such as the one that was printed at the start.' },
    bearerToken: { ...bearerToken, description: 'A token of a user, such as POST /_sandbox/tokens makes.' },
  }
  const components = {
    ...document.components,
    parameters: { ...parameters, IdempotencyKey },
    securitySchemes: credentials,
  }
  return { ...document, components, servers: [{ url: '/', description: 'This sandbox' }] }
}

interface Components {
  readonly parameters: { readonly IdempotencyKey: object }
  readonly securitySchemes: { readonly teamApiKey: object; readonly bearerToken: object }
}

const nothingThere = { success: false, message: 'Resource not found' }

/** The page loads and asks nobody but this sandbox. */
const contentSecurityPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}
