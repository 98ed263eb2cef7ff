import { equal } from 'node:assert/strict'
import { crm, engine } from './client.mjs'

const key = { 'idempotency-key': 'order-7' }
await crm('POST', '/api/products', engine, key)
equal((await crm('POST', '/api/products', { ...engine, name: 'Other' }, key)).status, 400)
