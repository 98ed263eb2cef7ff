// The sandbox with long lists: `node lists-app.mjs length` has so many templates, and so many messages in one conversation.
import { createSandbox } from '../dist/index.js'
import { sizedWorld } from './sized-world.mjs'

const length = Number(process.argv[2])
const world = sizedWorld({ contacts: 1, conversations: 1, messages: length, templates: length })
const sandbox = await createSandbox({ port: 0, world })
console.log(sandbox.url)
