import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { dataFile } from '../../lib/data-file.ts'
import { answerNotFound, type AppHandler, handlerOf } from './pass-to.ts'

/** Where the build puts the console: beside the built code, or in the `dist` of a clone. */
const folders = ['console/assets', 'dist/console/assets'].map((path) => new URL('..', dataFile(`${path}/`)))

/** Returns the request handler of an app that serves the console. Its pages have one file: the address names what it shows. */
export async function newConsoleHandler(): Promise<AppHandler> {
  const folder = folders.find((one) => existsSync(new URL('assets', one)))
  const app = Fastify()
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': contentSecurityPolicy,
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })
  answerNotFound(app)
  if (folder) {
    const root = fileURLToPath(folder)
    await app.register(fastifyStatic, { root, serve: false, cacheControl: false })
    for (const path of ['/', '/console', '/console/*'])
      app.get(path, (_request, reply) => reply.header('cache-control', 'no-cache').sendFile('index.html'))
    app.get<{ Params: { '*': string } }>('/console/assets/*', (request, reply) =>
      // The name of an asset changes with its content.
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .sendFile(request.params['*'], join(root, 'assets')),
    )
  }
  return handlerOf(app)
}

/** The page loads and calls nothing but this sandbox, and runs no script but its own. The frames of e-mails inherit it, and e-mails have styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
