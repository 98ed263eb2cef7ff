// The command `serve`, saying only its address.
import { createSandbox } from '../dist/bundle/index.js'

const sandbox = await createSandbox({ port: 0 })
console.log(sandbox.url)
