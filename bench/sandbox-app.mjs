// The sandbox as an integrator runs it: `node sandbox-app.mjs [store] [contacts] [without-journal]`, with a made-up world of
// that size. It has no option to run without its journal.
import { createSandbox } from '../dist/mock/create-sandbox.js'
import { Journal } from '../dist/mock/journal/journal.js'
import { sizedWorld } from './sized-world.mjs'

const [store = 'memory', contacts = '1000', journal] = process.argv.slice(2)
if (journal === 'without-journal') Journal.prototype.note = (asked, answered) => answered
const world = sizedWorld({ contacts: Number(contacts), templates: Number(contacts) })
const sandbox = await createSandbox({ port: 0, store, world })
console.log(sandbox.url)

process.on('SIGTERM', async () => {
  await sandbox.close()
  process.exit(0)
})
