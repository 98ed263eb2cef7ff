import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { dataFile } from '../../data-file.ts'
import { once } from '../../shared/once.ts'
import { version } from '../version.ts'

/** The front door, the published document, and below `/docs` the pages to read it and to try it on this sandbox. */
export function addDocs(app: FastifyInstance): void {
  app.get('/', () => frontDoor)
  app.get('/openapi.json', (request, reply) => sendDocument(`${request.protocol}://${request.host}`, reply))
  app.get('/docs', showPage)
  app.get('/docs/*', showPage)
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
 * Sends the document as published, with the address that it is served from, so that a generated client calls this server.
 * All responses share the bytes around the address: a client may request the document often and read nothing.
 */
function sendDocument(address: string, reply: FastifyReply): FastifyReply {
  const [before, after] = publishedDocument()
  const bytes = [before, Buffer.from(JSON.stringify(address)), after]
  return reply
    .headers({
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.reduce((sum, { length }) => sum + length, 0),
    })
    .send(Readable.from(bytes, { objectMode: false }))
}

/** The parts before and after the address. */
const publishedDocument = once(() => {
  const text = readFileSync(dataFile('spec/generated/openapi.json'), 'utf8')
  const [, before = text, after = ''] = /^(.*?"servers": \[\s*\{\s*"url": )"[^"]*"(.*)$/s.exec(text) ?? []
  return [Buffer.from(before), Buffer.from(after)] as const
})

/** Swagger UI runs in a separate app that is loaded on first use, since its plugins would add 100 ms to every start. */
const docsHandler = once(async () => (await import('./docs-app.ts')).newDocsHandler())

async function showPage({ raw: request }: FastifyRequest, reply: FastifyReply): Promise<void> {
  const handle = await docsHandler()
  reply.hijack()
  for (const [name, value = ''] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value)
  handle(request, reply.raw)
}
