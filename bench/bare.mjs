// The yardstick: a bare Fastify app with the routes of the document, Ajv validation by the schemas of the document, and a
// Map for the records: no authentication, no rules. Ajv is loaded with the first body, as in the sandbox.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import Fastify from 'fastify'

const document = JSON.parse(readFileSync(new URL('../spec/generated/openapi.json', import.meta.url), 'utf8'))
const methods = ['get', 'post', 'put', 'delete']

const records = new Map()
let created = 0

/** With contacts it is filled with records as large as those that the sandbox answers with. */
export async function bareApp(contacts) {
  if (contacts !== undefined) for (const [id, record] of await recordsOfAWorld(contacts)) records.set(id, record)
  const app = Fastify()
  app.setValidatorCompiler(({ schema: { pointer } }) => {
    let validate
    return (value) => {
      validate ??= compile(pointer)
      return validate(value) ? { value } : { error: new Error(ajv.errorsText(validate.errors)) }
    }
  })
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods.filter((name) => name in item)) app.route(routeOf(path, method, item[method]))
  }
  return app
}

let ajv

function compile(pointer) {
  if (ajv === undefined) {
    const require = createRequire(import.meta.url)
    const { Ajv2020 } = require('ajv/dist/2020.js')
    ajv = new Ajv2020({ strict: false, discriminator: true, validateSchema: false })
    require('ajv-formats').default(ajv)
    ajv.addSchema(document, 'openapi.json')
  }
  return ajv.compile({ $ref: `openapi.json#${pointer}` })
}

function routeOf(path, method, { requestBody, responses }) {
  const pointer = `/paths/${path.replaceAll('/', '~1')}/${method}/requestBody/content/application~1json/schema`
  const success = Object.keys(responses)
    .map(Number)
    .filter((status) => status < 400)
    .at(-1)
  return {
    method: method.toUpperCase(),
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    ...(requestBody ? { schema: { body: { pointer } } } : {}),
    handler: { post: create(success), get: read, put: done, delete: done }[method],
  }
}

function create(status) {
  return async ({ body }, reply) => {
    const now = new Date().toISOString()
    const record = { _id: (created++).toString(16).padStart(24, '0'), ...body, createdAt: now, updatedAt: now }
    records.set(record._id, record)
    reply.code(status)
    return { success: true, message: 'Created', data: record }
  }
}

/** A missing record is an error: otherwise the benchmark would compare a shorter response. */
async function read({ params }, reply) {
  const [id] = Object.values(params)
  const data = records.get(id)
  if (data === undefined) reply.code(404)
  return { success: data !== undefined, message: data === undefined ? 'Not found' : 'Found', data }
}

async function recordsOfAWorld(contacts) {
  const { sizedWorld } = await import('./sized-world.mjs')
  const [team] = sizedWorld({ contacts, templates: contacts }).teams
  const people = team.contacts.map(({ _id, firstName, lastName, email, phone }) => [
    _id,
    { _id, name: `${firstName} ${lastName}`, email, phoneNumber: phone },
  ])
  const populated = new Map(people)
  return [
    ...team.conversations.map((record) => [record._id, { ...record, contactId: populated.get(record.contactId) }]),
    ...team.templates.map((record) => [record._id, record]),
  ]
}

async function done() {
  return { success: true, message: 'Done' }
}
