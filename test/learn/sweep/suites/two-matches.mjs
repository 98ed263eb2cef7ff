import { equal } from 'node:assert/strict'
import { ada, crm, make } from './client.mjs'

await make('/api/contacts', ada)
await make('/api/contacts', { firstName: 'Grace', lastName: 'Hopper', phone: '+14155559999' })
const found = await crm('POST', '/api/conversations/getConversationByPhoneAndEmail', {
  email: ada.email,
  phone: '+14155559999',
})
equal(found.data.contactId.email, ada.email)
