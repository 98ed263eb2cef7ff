// `node bare-app.mjs [contacts]`: starts the bare app as a server.
import { bareApp } from './bare.mjs'

const [contacts] = process.argv.slice(2)
const app = await bareApp(contacts && Number(contacts))
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
