import { equal, ok } from 'node:assert/strict'
import { ada, crm, engine, make } from './client.mjs'

const contact = await make('/api/contacts', ada)
ok(contact._id)
const { data } = await crm('POST', '/api/conversations', { contactId: contact._id })
equal((await crm('GET', `/api/conversations/${data._id}`)).status, 200)
const { _id } = await make('/api/products', engine)
equal((await crm('DELETE', `/api/products/${_id}`)).status, 200)
