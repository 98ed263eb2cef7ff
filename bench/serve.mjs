// The command `serve`, saying only its address: `node serve.mjs [assumption=choice …]`.
import { createSandbox } from '../dist/index.js'

const assume = Object.fromEntries(process.argv.slice(2).map((choice) => choice.split('=')))
const sandbox = await createSandbox({ port: 0, assume })
console.log(sandbox.url)

process.on('SIGTERM', async () => {
  await sandbox.close()
  process.exit(0)
})
