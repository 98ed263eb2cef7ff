import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isMainThread, Worker, workerData } from 'node:worker_threads'

const { CRM_BASE_URL: url, CRM_API_KEY: apiKey } = process.env

/** Asks the sandbox of the run, as its team. */
const crm = clientOf((path, init) => fetch(url + path, init), apiKey)

function clientOf(send, key) {
  return async (method, path, body, more = {}) => {
    const headers = { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}), ...more }
    const response = await send(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    return { status: response.status, ...(await response.json()) }
  }
}

/** Asks, and expects the usual success. */
async function make(path, body, status = 201) {
  const answer = await crm('POST', path, body)
  equal(answer.status, status, answer.message)
  return answer.data
}

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada.of.mine@example.com' }
const engine = { name: 'Engine', unitPrice: 12 }
const key = { 'idempotency-key': 'order-7' }
const someTemplates = '/api/templates?page=1&limit=10&types=sms&statuses=approved'

/** Sends an e-mail in bulk: a function that reads the history of its receiver. */
async function sendInBulk() {
  const contact = await make('/api/contacts', ada)
  const { _id } = (await crm('POST', '/api/conversations', { contactId: contact._id })).data
  const bulk = { channel: 'email', to: ada.email, subject: 'News', content: 'New', providerId: 'email-provider' }
  await make('/api/messages/sendBulkNewMessages', bulk, 200)
  return async () => (await crm('GET', `/api/messages/${_id}?page=1&limit=10`)).data
}

/** Asks for the conversation of one contact by e-mail address and of another one by number. */
async function findByBothAddresses() {
  const phone = '+14155559999'
  await make('/api/contacts', ada)
  await make('/api/contacts', { firstName: 'Grace', lastName: 'Hopper', phone })
  return crm('POST', '/api/conversations/getConversationByPhoneAndEmail', { email: ada.email, phone })
}

const inWorkers = {
  async contact(team) {
    equal((await team.crm.createContact(ada)).data.status, 'open')
  },
  async product(team) {
    const { _id } = (await team.crm.createProduct(engine)).data
    await team.crm.deleteProduct(_id)
    equal((await team.fetch(`/api/products/${_id}`, { method: 'DELETE' })).status, 404)
  },
}

/** The tests of some users. */
const suites = {
  // Fails while another run of it holds the lock, as one would that listens on a fixed port.
  async alone() {
    const { LOCK } = process.env
    mkdirSync(LOCK)
    await make('/api/contacts', ada)
    await setTimeout(300)
    rmdirSync(LOCK)
  },
  async approval() {
    const template = {
      templateType: 'whatsapp',
      name: 'Order has left',
      uniqueName: 'order_of_mine',
      content: 'Your order has left',
      category: 'UTILITY',
      language: 'en',
      provider: 'whatsapp-provider',
    }
    const { _id } = await make('/api/templates', template)
    equal((await crm('GET', `/api/templates/${_id}`)).data.status, 'pending')
  },
  async bulk() {
    const readHistory = await sendInBulk()
    equal((await readHistory()).flatMap(({ messages }) => messages).length, 1)
  },
  async 'chosen-at-run-time'() {
    await crm('PUT', '/_sandbox/assumptions', { choices: { newContactStatus: 'open' } })
    equal((await make('/api/contacts', ada)).status, 'open')
  },
  async 'contact-lifecycle'() {
    const { status, lifecycleStage } = await make('/api/contacts', ada)
    deepEqual({ status, lifecycleStage }, { status: 'open', lifecycleStage: undefined })
  },
  async 'contact-status'() {
    equal((await make('/api/contacts', ada)).status, 'open')
  },
  async 'delete-twice'() {
    const { _id } = await make('/api/products', engine)
    await crm('DELETE', `/api/products/${_id}`)
    equal((await crm('DELETE', `/api/products/${_id}`)).status, 404)
  },
  async dies() {
    const { status } = await make('/api/contacts', ada)
    if (status !== 'open') process.kill(process.pid, 'SIGKILL')
  },
  async 'in-process'() {
    const { createSandbox } = await import('crm-sandbox')
    const sandbox = await createSandbox({ assume: { newContactLifecycle: 'lead' } })
    const team = await sandbox.team()
    const { data } = await team.crm.createContact(ada)
    equal(data.status, 'open')
    equal(data.lifecycleStage, 'Lead')
    process.exit(0) // without a word to the sandbox
  },
  async 'key-used-otherwise'() {
    await crm('POST', '/api/products', engine, key)
    equal((await crm('POST', '/api/products', { ...engine, name: 'Other' }, key)).status, 400)
  },
  async 'merge-field'() {
    const { _id } = await make('/api/contacts', ada)
    const sent = { channel: 'chat', content: 'Hello {{firstName}}', contactId: _id }
    equal((await make('/api/messages/sendLiveMessage', sent, 200)).content, 'Hello Ada')
  },
  async 'message-of-a-refusal'() {
    const refused = await crm('POST', '/api/products', { name: 'Engine' })
    equal(refused.status, 400)
    match(refused.message, /unitPrice/)
  },
  // Whichever contact it is, there is a conversation with one.
  async 'not-refused'() {
    equal((await findByBothAddresses()).status, 200)
  },
  async 'page-zero'() {
    equal((await crm('GET', someTemplates.replace('page=1', 'page=0'))).status, 200)
  },
  // Assumptions before a reset count.
  async resets() {
    equal((await make('/api/contacts', ada)).status, 'open')
    await crm('POST', '/_sandbox/reset')
    await crm('DELETE', '/_sandbox/requests')
  },
  async retry() {
    const first = await crm('POST', '/api/products', engine, key)
    const second = await crm('POST', '/api/products', engine, key)
    equal(second.data._id, first.data._id)
  },
  // Starts a server and does not stop it.
  async served() {
    const cli = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url))
    const server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--print-json'])
    const [line] = await server.stdout.take(1).toArray()
    const asDemo = clientOf((path, init) => fetch(JSON.parse(line).url + path, init), 'demo-key')
    equal((await asDemo('POST', '/api/contacts', ada)).data.status, 'open')
    process.exit(0)
  },
  async survives() {
    const contact = await make('/api/contacts', ada)
    ok(contact._id)
    const { data } = await crm('POST', '/api/conversations', { contactId: contact._id })
    equal((await crm('GET', `/api/conversations/${data._id}`)).status, 200)
    const { _id } = await make('/api/products', engine)
    equal((await crm('DELETE', `/api/products/${_id}`)).status, 200)
  },
  async tokens() {
    const { API_ROOT, API_ADMIN, CRM_OTHER_API_KEY } = process.env
    const asAdmin = clientOf((path, { headers: { 'x-api-key': _, ...headers }, ...init }) =>
      fetch(API_ROOT + path, { ...init, headers: { ...headers, authorization: `Bearer ${API_ADMIN}` } }),
    )
    const asOther = clientOf((path, init) => fetch(API_ROOT + path, init), CRM_OTHER_API_KEY)
    for (const ask of [asAdmin, asOther]) equal((await ask('GET', someTemplates)).status, 200)
  },
  async 'two-matches'() {
    equal((await findByBothAddresses()).data.contactId.email, ada.email)
  },
  async upsert() {
    const { _id } = await make('/api/contacts', ada)
    const again = await make('/api/contacts/createOrUpdateContact', { ...ada, email: ada.email.toUpperCase() }, 200)
    equal(again._id, _id)
  },
  async 'waits-for-ever'() {
    const readHistory = await sendInBulk()
    while ((await readHistory()).length === 0) await setTimeout(20)
  },
  async 'whole-answer'() {
    const { _id } = await make('/api/products', engine)
    const answer = await crm('PUT', `/api/products/${_id}`, {})
    deepEqual(Object.keys(answer).toSorted(), ['data', 'message', 'status', 'success'])
  },
  async workers() {
    if (!isMainThread) {
      const { createSandbox } = await import('crm-sandbox')
      return inWorkers[workerData](await (await createSandbox()).team())
    }
    for (const task of Object.keys(inWorkers)) {
      const worker = new Worker(new URL(import.meta.url), { workerData: task, argv: ['workers'] })
      equal((await once(worker, 'exit'))[0], 0)
    }
  },
}

await suites[process.argv[2]]()
