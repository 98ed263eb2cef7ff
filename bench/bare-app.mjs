// The yardstick: a bare Fastify app with the routes of the document, the document's own Ajv validation, a Map, and
// nothing else. No credentials, no rules, no envelope beyond the shape of the answer.
import Fastify from 'fastify'
import { operations } from '../dist/spec/operations.js'

process.on("SIGINT", () => process.exit(0))
const app = Fastify()
const records = new Map()
let created = 0

app.setValidatorCompiler(({ schema }) => (value) => {
  const complaint = schema.check(value)
  return complaint === undefined ? { value } : { error: new Error(complaint) }
})

for (const operation of Object.values(operations)) {
  const body = operation.body('application/json')
  app.route({
    method: operation.method.toUpperCase(),
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    exposeHeadRoute: false,
    ...(body ? { schema: { body: { check: body.check } } } : {}),
    handler: operation.method === 'post' ? create(operation.successStatuses[0]) : operation.method === 'get' ? read : done,
  })
}

function create(status) {
  return async (request, reply) => {
    const now = new Date().toISOString()
    const record = { _id: (created++).toString(16).padStart(24, '0'), ...request.body, createdAt: now, updatedAt: now }
    records.set(record._id, record)
    reply.code(status)
    return { success: true, message: 'Created', data: record }
  }
}

async function read(request) {
  const [id] = Object.values(request.params)
  return { success: true, message: 'Found', data: records.get(id) }
}

async function done() {
  return { success: true, message: 'Done' }
}

console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
