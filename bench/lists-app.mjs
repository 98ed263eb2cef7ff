// The sandbox with long lists: `node lists-app.mjs length` has so many templates, and so many messages in one conversation.
import { generateWorld } from '../dist/fixtures/generate.js'
import { createSandbox } from '../dist/mock/create-sandbox.js'

const length = Number(process.argv[2])
const world = generateWorld({ seed: 1, contacts: 1, conversations: 1, messages: length, templates: length })
const sandbox = await createSandbox({ port: 0, world })
console.log(sandbox.url)
