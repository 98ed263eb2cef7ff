import { readFileSync } from 'node:fs'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { document, isObject } from '../../spec/document.ts'
import { version } from '../version.ts'

/** The document, a page to read it and to try it on this sandbox, and a front door that says where they are. */
export function addDocs(app: FastifyInstance): void {
  let opened: Promise<FastifyInstance> | undefined
  const servedFrom = publishedDocument()

  async function openPage(request: FastifyRequest, reply: FastifyReply) {
    const page = await (opened ??= openDocs())
    reply.hijack()
    page.routing(request.raw, reply.raw)
  }

  app.get('/', () => frontDoor)
  app.get('/openapi.json', (request, reply) => {
    const address = `${request.protocol}://${request.host}`
    return reply.type('application/json; charset=utf-8').send(servedFrom(address))
  })
  app.get('/docs', openPage)
  app.get('/docs/*', openPage)
  app.addHook('onClose', async () => (await opened)?.close())
}

const frontDoor = {
  success: true,
  message: 'This is crm-sandbox, a stand-in for the CRM Integrator REST API',
  data: { version, api: '/api', docs: '/docs', document: '/openapi.json', control: '/_sandbox/health' },
}

/** The document as published, with the address that it is served from, so that a client generated from it asks here. */
function publishedDocument(): (address: string) => Buffer {
  let last: { address: string; bytes: Buffer } | undefined
  return (address) => {
    // Answers that wait to be read share one buffer.
    if (last?.address !== address) last = { address, bytes: Buffer.from(withServer(address)) }
    return last.bytes
  }
}

function withServer(address: string): string {
  const text = readFileSync(new URL('../../spec/generated/openapi.json', import.meta.url), 'utf8')
  return text.replace(/("servers": \[\s*\{\s*"url": )"[^"]*"/, (_, before: string) => before + JSON.stringify(address))
}

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
 * The page fills in the examples of the document. It asks this server, says where keys come from, and leaves the
 * idempotency key empty: whoever changes a body and sends it again would be refused.
 */
function documentToTry(): object {
  const { components, ...shown } = JSON.parse(JSON.stringify(document), toFillIn) as ShownDocument
  const { teamApiKey, bearerToken } = components.securitySchemes
  const securitySchemes = {
    teamApiKey: { ...teamApiKey, description: 'The key of a team, such as the one that was printed at the start.' },
    bearerToken: { ...bearerToken, description: 'A token of a user, such as POST /_sandbox/tokens makes.' },
  }
  const servers = [{ url: '/', description: 'This sandbox' }]
  return { ...shown, components: { ...components, securitySchemes }, servers }
}

interface ShownDocument {
  readonly components: { readonly securitySchemes: { readonly teamApiKey: object; readonly bearerToken: object } }
}

/** Of a parameter the page needs one value; with several it would ask for the name of the one to fill in. */
function toFillIn(_name: string, value: unknown): unknown {
  if (!isObject(value) || !('in' in value) || !isObject(value.examples)) return value
  const { examples, ...parameter } = value
  const [first] = Object.values(examples) as { value: unknown }[]
  return parameter.name === 'Idempotency-Key' ? parameter : { ...parameter, example: first?.value }
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
