import { equal } from 'node:assert/strict'
import { crm, engine } from './client.mjs'

const key = { 'idempotency-key': 'order-7' }
const first = await crm('POST', '/api/products', engine, key)
const second = await crm('POST', '/api/products', engine, key)
equal(second.data._id, first.data._id)
