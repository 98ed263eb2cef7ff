import { equal } from 'node:assert/strict'
import { crm, make } from './client.mjs'

const template = {
  templateType: 'whatsapp',
  name: 'Order has left',
  uniqueName: 'order_of_mine',
  content: 'Your order has left',
  category: 'UTILITY',
  language: 'en',
  provider: 'whatsapp-provider',
}
const { _id } = await make('/api/templates', template)
equal((await crm('GET', `/api/templates/${_id}`)).data.status, 'pending')
