import { deepEqual } from 'node:assert/strict'
import { crm, engine, make } from './client.mjs'

const { _id } = await make('/api/products', engine)
const answer = await crm('PUT', `/api/products/${_id}`, {})
deepEqual(Object.keys(answer).toSorted(), ['data', 'message', 'status', 'success'])
