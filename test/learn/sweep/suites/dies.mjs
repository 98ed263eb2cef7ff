import { ada, make } from './client.mjs'

const { status } = await make('/api/contacts', ada)
if (status !== 'open') process.kill(process.pid, 'SIGKILL')
