import swagger from '@fastify/swagger'
import Fastify, { type FastifySchema } from 'fastify'
import { once } from '../../lib/async.ts'
import type { Document, Schema } from '../../spec/document.ts'
import { addControlPlane } from './control-plane.ts'
import { noContext, routesOfNouns } from './nouns.ts'
import { envelopeOf } from './route.ts'
import { isObject } from '../../lib/json.ts'

/**
 * The OpenAPI document of the control plane, from a separate app with its routes: @fastify/swagger in the app of the
 * sandbox would slow every start down.
 */
export const controlDocument = once(async (): Promise<Document> => {
  const app = Fastify()
  await app.register(swagger, { openapi: about, transform: withFailures })
  addControlPlane(app, noContext)
  await app.ready()
  const document = app.swagger() as unknown as Document
  await app.close()
  return withComponents(document)
})

const about = {
  openapi: '3.1.0',
  info: {
    title: 'Control plane of crm-sandbox',
    version: '1.0.0',
    description:
      'Steers a sandbox and shows its state: teams, snapshots, the clock, and what the real service does by itself. The real service has none of this. Every operation is also a function of the sandbox in process, and of the client `crm-sandbox/control`.',
  },
  servers: [{ url: 'http://127.0.0.1:4010', description: 'A sandbox on this machine.' }],
  security: [{}, { controlToken: [] }],
  tags: routesOfNouns.map(({ name, description }) => ({ name, description })),
  components: {
    securitySchemes: {
      controlToken: {
        type: 'apiKey' as const,
        in: 'header',
        name: 'x-sandbox-token',
        description:
          'The control token. None is needed as long as the sandbox listens on loopback and none was set. It may be sent as a bearer token too.',
      },
    },
  },
}

const failure = (description: string, message: string) => ({
  ...envelopeOf(),
  title: 'Refusal',
  description: 'A refusal. The message says what is wrong and what to do.',
  'x-response-description': description,
  examples: [{ success: false, message }],
})

const failures = {
  400: failure('The request cannot be carried out. Nothing was changed.', 'role is required'),
  401: failure('The control token is missing or wrong.', 'Send the control token as x-sandbox-token'),
  403: failure('The request came from a page of another site.', 'The control plane refuses requests of other sites'),
  404: failure('There is nothing of that id or name.', 'there is no team dem; did you mean demo?'),
}

function withFailures({ schema, url }: { schema: FastifySchema; url: string }) {
  const { 404: notFound, ...others } = failures
  const namesRecord = url.includes(':') || hasTeamId(schema.querystring) || hasTeamId(schema.body)
  const response = { ...(schema.response as object), ...others, ...(namesRecord ? { 404: notFound } : {}) }
  return { url, schema: { ...schema, response } }
}

const hasTeamId = (schema: unknown) => isObject(schema) && isObject(schema.properties) && 'teamId' in schema.properties

/** Moves schemas that have a title to the components of the document. */
function withComponents(document: Document): Document {
  const schemas: Record<string, Schema> = {}
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (!isObject(value)) return value
    const { title, ...schema } = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, moved(part)]))
    if (typeof title !== 'string') return { ...schema, ...(title === undefined ? {} : { title }) }
    schemas[title] = schema
    return { $ref: `#/components/schemas/${title}` }
  }
  for (const { requestBody } of Object.values(document.paths).flatMap((path) => Object.values(path as Operations)))
    if (requestBody) requestBody.required = requestBody.content['application/json']?.schema.required !== undefined
  const paths = moved(document.paths) as Document['paths']
  return { ...document, paths, components: { ...document.components, schemas } }
}

type Operations = Record<string, { requestBody?: { required: boolean; content: Record<string, { schema: Schema }> } }>
