import { equal } from 'node:assert/strict'
import { ada, crm, make } from './client.mjs'

// Whichever contact it is, there is a conversation with one.
await make('/api/contacts', ada)
await make('/api/contacts', { firstName: 'Grace', lastName: 'Hopper', phone: '+14155559999' })
const both = { email: ada.email, phone: '+14155559999' }
equal((await crm('POST', '/api/conversations/getConversationByPhoneAndEmail', both)).status, 200)
