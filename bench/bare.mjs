// The yardstick: a bare Fastify app with the routes of the document, the document's own Ajv validation, a Map, and
// nothing else: no credentials, no rules, no marks.
import Fastify from 'fastify'
import { operations } from '../dist/spec/operations.js'

const records = new Map()
let created = 0

/** With contacts it is filled with records as large as those that the sandbox answers with. */
export async function bareApp(contacts) {
  if (contacts !== undefined) for (const [id, record] of await recordsOfAWorld(contacts)) records.set(id, record)
  const app = Fastify()
  app.setValidatorCompiler(({ schema }) => (value) => {
    const complaint = schema.check(value)
    return complaint === undefined ? { value } : { error: new Error(complaint) }
  })
  for (const operation of Object.values(operations)) app.route(routeOf(operation))
  return app
}

function routeOf({ method, path, body, successStatuses }) {
  const shape = body('application/json')
  return {
    method: method.toUpperCase(),
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    ...(shape ? { schema: { body: { check: shape.check } } } : {}),
    handler: { post: create(successStatuses.at(-1)), get: read, put: done, delete: done }[method],
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

/** What is not there is no success, for then it would be compared with a shorter answer. */
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
