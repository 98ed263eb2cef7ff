// `node in-process.mjs [rounds]`: prints for each workload how many calls in process the sandbox answers for one that the
// bare app's `inject` answers, by the processor's time, round for round. Both are asked in turn by the same process.
import { createSandbox } from '../dist/index.js'
import { bareApp } from './bare.mjs'
import { sizedWorld } from './sized-world.mjs'

const [rounds = '7'] = process.argv.slice(2)
const calls = 3_000
const world = sizedWorld({ contacts: 1_000, templates: 1_000 })
const sandbox = await createSandbox({ world })
const bare = await bareApp(1_000)

const conversations = world.teams[0].conversations.map(({ _id }) => `/api/conversations/${_id}`)
const key = { 'x-api-key': 'demo-key' }
const json = { ...key, 'content-type': 'application/json' }
const contact = (call) => JSON.stringify({ firstName: 'Ada', lastName: 'Lovelace', email: `${call}@example.com` })

const workloads = {
  readConversation: (call) => ({ method: 'GET', url: conversations[call % conversations.length], headers: key }),
  createContact: (call) => ({ method: 'POST', url: '/api/contacts', headers: json, body: contact(call) }),
}

const viaFetch = async ({ url, ...init }) => (await sandbox.fetch(url, init)).json()
const viaInject = async ({ body: payload, ...request }) => (await bare.inject({ ...request, payload })).json()

let call = 0
const ratios = {}
for (const [workload, requestOf] of Object.entries(workloads)) {
  await timeOf(viaFetch, requestOf)
  await timeOf(viaInject, requestOf)
  ratios[workload] = []
  for (let round = 0; round < Number(rounds); round++) {
    const own = await timeOf(viaFetch, requestOf)
    ratios[workload].push((await timeOf(viaInject, requestOf)) / own)
  }
}
console.log(JSON.stringify(ratios))

async function timeOf(ask, requestOf) {
  const before = process.cpuUsage()
  for (const end = call + calls; call < end; call++) {
    const { success } = await ask(requestOf(call))
    if (!success) throw new Error('A call failed, so nothing was measured')
  }
  const { user, system } = process.cpuUsage(before)
  return user + system
}
