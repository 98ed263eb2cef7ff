import { setTimeout } from 'node:timers/promises'
import { ada, crm, make } from './client.mjs'

const contact = await make('/api/contacts', ada)
const { _id } = (await crm('POST', '/api/conversations', { contactId: contact._id })).data
const bulk = { channel: 'email', to: ada.email, subject: 'News', content: 'New', providerId: 'email-provider' }
await make('/api/messages/sendBulkNewMessages', bulk, 200)
for (;;) {
  const { data } = await crm('GET', `/api/messages/${_id}?page=1&limit=10`)
  if (data.length > 0) break
  await setTimeout(20)
}
