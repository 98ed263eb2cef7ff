import { equal } from 'node:assert/strict'
import { once } from 'node:events'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { createSandbox } from 'crm-sandbox'
import { ada, engine } from './client.mjs'

const { crm, fetch } = isMainThread ? {} : await (await createSandbox()).team()

const tasks = {
  async contact() {
    equal((await crm.createContact(ada)).data.status, 'open')
  },
  async product() {
    const { _id } = (await crm.createProduct(engine)).data
    await crm.deleteProduct(_id)
    equal((await fetch(`/api/products/${_id}`, { method: 'DELETE' })).status, 404)
  },
}

if (isMainThread) for (const task of Object.keys(tasks)) await runInWorker(task)
else await tasks[workerData]()

async function runInWorker(task) {
  const [code] = await once(new Worker(new URL(import.meta.url), { workerData: task }), 'exit')
  equal(code, 0)
}
