// The sandbox as an integrator runs it: `node sandbox-app.mjs [store] [contacts]`, with a made-up world of that size.
import { createSandbox } from '../dist/index.js'
import { sizedWorld } from './sized-world.mjs'

const [store = 'memory', contacts = '1000'] = process.argv.slice(2)
const world = sizedWorld({ contacts: Number(contacts), templates: Number(contacts) })
const sandbox = await createSandbox({ port: 0, store, world })
console.log(sandbox.url)

process.on('SIGTERM', async () => {
  await sandbox.close()
  process.exit(0)
})
