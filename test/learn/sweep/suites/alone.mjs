import { mkdirSync, rmdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { ada, make } from './client.mjs'

// Fails while another run of it holds the lock, as one would that listens on a fixed port.
const { LOCK } = process.env
mkdirSync(LOCK)
await make('/api/contacts', ada)
await setTimeout(300)
rmdirSync(LOCK)
