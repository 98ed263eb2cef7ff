import { equal } from 'node:assert/strict'
import { ada, crm, make } from './client.mjs'

// Assumptions before a reset count.
equal((await make('/api/contacts', ada)).status, 'open')
await crm('POST', '/_sandbox/reset')
await crm('DELETE', '/_sandbox/requests')
