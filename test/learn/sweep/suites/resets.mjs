import { equal } from 'node:assert/strict'
import { ada, crm, make } from './client.mjs'

// What was relied on before a reset counts.
equal((await make('/api/contacts', ada)).status, 'open')
await crm('POST', '/_sandbox/reset')
await crm('DELETE', '/_sandbox/requests')
