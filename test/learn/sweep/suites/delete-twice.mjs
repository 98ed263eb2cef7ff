import { equal } from 'node:assert/strict'
import { crm, engine, make } from './client.mjs'

const { _id } = await make('/api/products', engine)
await crm('DELETE', `/api/products/${_id}`)
equal((await crm('DELETE', `/api/products/${_id}`)).status, 404)
