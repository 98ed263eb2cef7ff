import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { controlDocument } from '../../control/document.ts'
import { once } from '../../shared/once.ts'
import { document, isObject } from '../../spec/document.ts'
import { NotFound } from '../core/refusals.ts'
import { version } from '../version.ts'

/** The documents, pages to read them and to try them on this sandbox, and a front door that says where they are. */
export function addDocs(app: FastifyInstance): void {
  app.get('/', () => frontDoor)
  app.get('/openapi.json', (request, reply) => sendDocument(`${request.protocol}://${request.host}`, reply))
  app.get('/docs', (_request, reply) => sendPart('', reply))
  app.get<{ Params: { '*': string } }>('/docs/*', ({ params }, reply) => sendPart(params['*'], reply))
}

const frontDoor = {
  success: true,
  message: 'This is crm-sandbox, a stand-in for the CRM Integrator REST API',
  data: {
    version,
    api: '/api',
    docs: '/docs',
    document: '/openapi.json',
    control: '/_sandbox/health',
    controlDocs: '/docs/control',
  },
}

/**
 * Sends the document as published, with the address that it is served from, so that a client generated from it asks here.
 * All answers share the bytes around the address: a client may ask often and read nothing.
 */
function sendDocument(address: string, reply: FastifyReply): FastifyReply {
  const [before, after] = publishedDocument()
  const bytes = [before, Buffer.from(JSON.stringify(address)), after]
  return reply
    .headers({ 'content-type': types.json, 'content-length': bytes.reduce((sum, { length }) => sum + length, 0) })
    .send(Readable.from(bytes, { objectMode: false }))
}

/** What stands before and after the address. */
const publishedDocument = once(() => {
  const text = readFileSync(new URL('../../spec/generated/openapi.json', import.meta.url), 'utf8')
  const [, before = text, after = ''] = /^(.*?"servers": \[\s*\{\s*"url": )"[^"]*"(.*)$/s.exec(text) ?? []
  return [Buffer.from(before), Buffer.from(after)] as const
})

async function sendPart(path: string, reply: FastifyReply): Promise<FastifyReply> {
  const part = parts.get(path)
  if (!part) throw new NotFound({ promise: 'envelope.pathsAreFixed', field: 'path' })
  reply.headers({
    'content-type': part.type,
    'content-security-policy': contentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  return reply.send(await part.content())
}

const types = {
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  css: 'text/css; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  png: 'image/png',
  text: 'text/plain; charset=utf-8',
}

interface Part {
  readonly type: string
  /** The same bytes for all answers. */
  readonly content: () => Buffer | Promise<Buffer>
}

/** Everything below `/docs`. */
const parts: ReadonlyMap<string, Part> = new Map<string, Part>([
  ['', { type: types.html, content: once(() => Buffer.from(pageFor(shownPages.service))) }],
  ['json', { type: types.json, content: once(() => Buffer.from(JSON.stringify(documentToTry()))) }],
  ['control', { type: types.html, content: once(() => Buffer.from(pageFor(shownPages.control))) }],
  ['control/json', { type: types.json, content: once(() => Buffer.from(JSON.stringify(controlToTry()))) }],
  ['assumptions', { type: types.text, content: once(registerInWords) }],
  ['static/initializer.js', { type: types.script, content: once(() => Buffer.from(initializer)) }],
  ['static/pages.css', { type: types.css, content: once(() => Buffer.from(stylesOfPages)) }],
  ['static/swagger-ui-bundle.js', { type: types.script, content: ofSwaggerUi('swagger-ui-bundle.js') }],
  ['static/swagger-ui.css', { type: types.css, content: ofSwaggerUi('swagger-ui.css') }],
  ['static/index.css', { type: types.css, content: ofSwaggerUi('index.css') }],
  ['static/favicon-32x32.png', { type: types.png, content: ofSwaggerUi('favicon-32x32.png') }],
  ['static/favicon-16x16.png', { type: types.png, content: ofSwaggerUi('favicon-16x16.png') }],
])

/** The build puts the files of Swagger UI into the package; by its name they are found from the sources too. */
function ofSwaggerUi(file: string): () => Promise<Buffer> {
  return once(async () => {
    const manifest = createRequire(import.meta.url).resolve('crm-sandbox/package.json')
    return decompress(await readFile(new URL(`dist/swagger-ui/${file}.br`, pathToFileURL(manifest))))
  })
}

const decompress = promisify(brotliDecompress)

interface ShownPage {
  readonly path: string
  readonly title: string
  readonly name: string
}

const shownPages = {
  service: { path: '/docs', title: 'CRM Integrator REST API', name: 'The API' },
  control: { path: '/docs/control', title: 'Control plane of crm-sandbox', name: 'The control plane' },
} as const satisfies Readonly<Record<string, ShownPage>>

const pageFor = (shown: ShownPage) => `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${shown.title}</title>
<link rel="stylesheet" href="/docs/static/swagger-ui.css">
<link rel="stylesheet" href="/docs/static/index.css">
<link rel="stylesheet" href="/docs/static/pages.css">
<link rel="icon" type="image/png" href="/docs/static/favicon-32x32.png" sizes="32x32">
<link rel="icon" type="image/png" href="/docs/static/favicon-16x16.png" sizes="16x16">
</head>
<body>
<nav class="pages">${Object.values(shownPages)
  .map(({ path, name }) => `<a href="${path}"${path === shown.path ? ' aria-current="page"' : ''}>${name}</a>`)
  .join('\n')}</nav>
<div id="swagger-ui"></div>
<script src="/docs/static/swagger-ui-bundle.js"></script>
<script src="/docs/static/initializer.js"></script>
</body>
</html>
`

const stylesOfPages = `
.pages { background: #1b1b1b; display: flex; font: 600 14px/1 sans-serif; gap: 8px; justify-content: center; padding: 10px }
.pages a { border-radius: 4px; color: #d5d5d5; padding: 8px 14px; text-decoration: none }
.pages a:hover, .pages a:focus-visible { background: #3b3b3b }
.pages a[aria-current] { background: #62a03f; color: #fff }
`

const initializer = `window.ui = SwaggerUIBundle({
  url: window.location.pathname.replace(/\\/$/, '') + '/json',
  dom_id: '#swagger-ui',
  layout: 'BaseLayout',
  docExpansion: 'list',
  tryItOutEnabled: true,
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
})
`

/**
 * The page fills in the examples of the document. It asks this server, says where keys come from, and leaves the
 * idempotency key empty: whoever changes a body and sends it again would be refused.
 */
function documentToTry(): object {
  const { components, info, ...shown } = JSON.parse(JSON.stringify(document), toFillIn) as ShownDocument
  const { teamApiKey, bearerToken } = components.securitySchemes
  const securitySchemes = {
    teamApiKey: {
      ...teamApiKey,
      description: 'The key of a team: `demo-key` with the demo data. `serve` prints them at the start.',
    },
    bearerToken: { ...bearerToken, description: 'A token of a user, such as POST /_sandbox/tokens makes.' },
  }
  const servers = [{ url: '/', description: 'This sandbox' }]
  const described = { ...info, description: `${info.description}\n\n${aboutThisSandbox}` }
  return { ...shown, info: described, components: { ...components, securitySchemes }, servers }
}

/** The page sends its requests to this sandbox, which lets its own pages in. */
const controlToTry = () => ({ ...controlDocument(), servers: [{ url: '/', description: 'This sandbox' }] })

const aboutThisSandbox = `**This is a sandbox.** To try an operation, press *Authorize* and enter the key of a team: \`demo-key\`
with the demo data. Where the specification is silent, the sandbox assumes an answer, and the header \`x-sandbox-assumed\`
names it: [all assumptions](/docs/assumptions).`

async function registerInWords(): Promise<Buffer> {
  const { printAssumptions } = await import('../../spec/register-in-words.ts')
  return Buffer.from(printAssumptions(undefined, false))
}

interface ShownDocument {
  readonly info: { readonly description: string }
  readonly components: { readonly securitySchemes: { readonly teamApiKey: object; readonly bearerToken: object } }
}

/** Of a parameter the page needs one value; with several it would ask for the name of the one to fill in. */
function toFillIn(_name: string, value: unknown): unknown {
  if (!isObject(value) || !('in' in value) || !isObject(value.examples)) return value
  const { examples, ...parameter } = value
  const [first] = Object.values(examples) as { value: unknown }[]
  return parameter.name === 'Idempotency-Key' ? parameter : { ...parameter, example: first?.value }
}

/** The page loads and asks nobody but this sandbox. */
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
