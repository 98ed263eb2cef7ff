import { spawn } from 'node:child_process'
import { connect } from 'node:net'

// Runs until it is killed, with a child that does the same: both ignore requests to end.
const [, script, port, depth = 'parent'] = process.argv
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => undefined)
connect(Number(port), '127.0.0.1').on('error', () => undefined)
if (depth === 'parent') spawn(process.execPath, [script, port, 'child'])
setInterval(() => undefined, 1_000)
