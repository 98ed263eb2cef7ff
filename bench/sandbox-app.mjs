// The sandbox as an integrator runs it: `node sandbox-app.mjs [store] [contacts] [teams] [others]`, with a made-up world of
// that size: as many templates, or `others`; a number of conversations to match. The other teams have no records.
import { createSandbox } from '../dist/index.js'
import { sizedWorld } from './sized-world.mjs'

const [store = 'memory', contacts = '1000', teams = '1', others = contacts] = process.argv.slice(2)
const world = sizedWorld({
  contacts: Number(contacts),
  conversations: Math.ceil(Number(others) * 0.8),
  templates: Number(others),
})
const { providers } = world.teams[0]
for (let at = 1; at < Number(teams); at++)
  world.teams.push({ _id: `team-${at}`, name: `Team ${at}`, apiKeys: [`team-${at}-key`], providers })
const sandbox = await createSandbox({ port: 0, store, world })
console.log(sandbox.url)

process.on('SIGTERM', async () => {
  await sandbox.close()
  process.exit(0)
})
