import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { parse } from 'node:path'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { dataFile, isBuilt } from '../../lib/data-file.ts'
import { once } from '../../lib/async.ts'

/** An app of pages that load and call only this sandbox, and run no inline script. */
export function newPageApp(styles: string, ...others: readonly string[]): FastifyInstance {
  const none = ['default-src', 'base-uri', 'form-action', 'frame-ancestors'].map((name) => `${name} 'none'`)
  const own = ["script-src 'self'", "img-src 'self' data:", "connect-src 'self'"]
  const policy = [...none, ...own, styles, ...others].join('; ')
  const app = Fastify()
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': policy,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })
  // A missing page is answered in the envelope of the service.
  const body = { success: false, message: 'Resource not found' }
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(body))
  app.setErrorHandler((_error, _request, reply) => reply.code(404).send(body))
  return app
}

/** Sends a file of the console or of Swagger UI, by its path in `dist`. */
export function sendPageFile(path: string, { headers: sent }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const file = pageFiles().get(path)
  if (file === undefined) {
    reply.callNotFound()
    return reply
  }
  reply.headers(file.headers)
  return sent['if-none-match']?.includes(file.headers.etag) ? reply.code(304).send() : reply.send(file.content)
}

/** All responses share the content, so that an unread response takes no memory. */
type PageFile = readonly [path: string, file: { readonly headers: { readonly etag: string }; readonly content: Buffer }]

/** The files that the build writes for pages. The names of assets change with their content. */
const pageFiles = once(
  () =>
    new Map([
      ...filesIn('console', 'no-cache'),
      ...filesIn('console/assets', 'public, max-age=31536000, immutable'),
      ...filesIn('swagger-ui', 'no-cache'),
    ]),
)

function filesIn(folder: string, cacheControl: string): PageFile[] {
  // Beside the built code, or in the `dist` of a clone.
  const url = dataFile(isBuilt ? `${folder}/` : `dist/${folder}/`)
  const names = existsSync(url) ? readdirSync(url).filter((name) => name.includes('.')) : []
  return names.map((name) => {
    const content = readFileSync(new URL(name, url))
    // Every browser takes gzip.
    const isCompressed = name.endsWith('.gz')
    const path = `${folder}/${isCompressed ? parse(name).name : name}`
    const headers = {
      'content-type': types[parse(path).ext],
      etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
      'cache-control': cacheControl,
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    }
    return [path, { headers, content }]
  })
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}
