import { equal } from 'node:assert/strict'
import { ada, make } from './client.mjs'

const { _id } = await make('/api/contacts', ada)
const again = await make('/api/contacts/createOrUpdateContact', { ...ada, email: ada.email.toUpperCase() }, 200)
equal(again._id, _id)
