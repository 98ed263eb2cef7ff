import { equal } from 'node:assert/strict'
import { ada, crm, make } from './client.mjs'

// They choose for themselves.
await crm('PUT', '/_sandbox/assumptions', { choices: { newContactStatus: 'open' } })
equal((await make('/api/contacts', ada)).status, 'open')
