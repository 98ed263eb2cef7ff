// `node bare-app.mjs [contacts]`: the bare app as a server of its own.
import { bareApp } from './bare.mjs'

const [contacts] = process.argv.slice(2)
const app = await bareApp(contacts && Number(contacts))
console.log(await app.listen({ host: '127.0.0.1', port: 0 }))
