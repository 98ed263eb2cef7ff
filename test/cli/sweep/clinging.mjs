import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'

// Ignores requests to end, and so does its child; where it leaves, its child stays.
const [, script, port, part] = process.argv
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => undefined)
const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
await once(socket, 'connect')
if (part === 'child') console.log('connected')
else await once(spawn(process.execPath, [script, port, 'child']).stdout, 'data')
if (part === 'leaves') process.exit()
setInterval(() => undefined, 1_000)
