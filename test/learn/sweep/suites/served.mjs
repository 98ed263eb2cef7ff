import { equal } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ada, clientOf } from './client.mjs'

// The suite starts a server and does not stop it.
const cli = fileURLToPath(new URL('../../../../dist/cli.js', import.meta.url))
const server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--print-json'])
const [line] = await server.stdout.take(1).toArray()
const { url } = JSON.parse(line)
const crm = clientOf((path, init) => fetch(url + path, init), 'demo-key')
equal((await crm('POST', '/api/contacts', ada)).data.status, 'open')
process.exit(0)
