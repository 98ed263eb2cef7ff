// The sandbox as an integrator runs it, with a world of any size: `node sandbox-app.mjs [store] [contacts]`.
import { createSandbox } from '../dist/mock/create-sandbox.js'
const [store = 'memory'] = process.argv.slice(2)
const world = { teams: [{ _id: 'demo', name: 'demo', apiKeys: ['demo-key'], contacts:[{_id:'66f0a1b2c3d4e5f601234567',firstName:'a',lastName:'b',teamId:'demo',createdAt:'',updatedAt:''}],conversations:[{_id:'66f0a1b2c3d4e5f601235001',teamId:'demo',contactId:'66f0a1b2c3d4e5f601234567',createdAt:'2026-03-01T09:30:00.000Z'}] }] }
process.on("SIGINT",()=>process.exit(0))
const sandbox = await createSandbox({ port: 0, store, world })
console.log(sandbox.url)
