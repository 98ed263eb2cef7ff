import { equal, match } from 'node:assert/strict'
import { crm } from './client.mjs'

const refused = await crm('POST', '/api/products', { name: 'Engine' })
equal(refused.status, 400)
match(refused.message, /unitPrice/)
