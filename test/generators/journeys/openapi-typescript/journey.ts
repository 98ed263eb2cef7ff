import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

const [baseUrl = '', key = ''] = process.argv.slice(2)
const crm = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } })

const { data: contact } = await crm.POST('/api/contacts', {
  body: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@clients.example.com' },
})
if (!contact) throw new Error('no contact')
const { _id: contactId }: components['schemas']['Contact'] = contact.data

const { data: email } = await crm.POST('/api/messages/sendEmailMessage', {
  body: {
    channel: 'email',
    subject: 'Hello',
    content: '<p>Hello</p>',
    providerId: 'email-provider',
    to: 'ada@clients.example.com',
  },
  params: { header: { 'Idempotency-Key': 'journey-1' } },
})

const { data: template } = await crm.POST('/api/templates', {
  body: {
    templateType: 'whatsapp',
    name: 'Order is ready',
    uniqueName: 'order_is_ready',
    content: 'Your order {{1}} is ready',
    category: 'UTILITY',
    language: 'en_US',
    provider: 'whatsapp-provider',
  },
})
const { data: templates } = await crm.GET('/api/templates', {
  params: { query: { page: 1, limit: 10, types: ['whatsapp'], statuses: ['pending', 'approved'] } },
})
const { data: product } = await crm.POST('/api/products', { body: { name: 'Engine', unitPrice: 12345678.91 } })
const { data: deleted } = await crm.DELETE('/api/contacts/{contactId}', { params: { path: { contactId } } })
const { error } = await crm.GET('/api/templates/{templateId}', { params: { path: { templateId: 'unknown' } } })

console.log(
  JSON.stringify({
    contact: contact.data.firstName,
    email: email?.data.subject,
    template: template?.data.status,
    templates: templates?.pagination.totalResults,
    price: product?.data.unitPrice,
    deleted: deleted?.data._id === contactId,
    refused: error?.message,
  }),
)

export const mustNotCompile = [
  // @ts-expect-error a contact has a last name
  { firstName: 'Ada' } satisfies components['schemas']['ContactToCreate'],
  // @ts-expect-error a response has data
  { success: true } satisfies components['schemas']['ContactAnswer'],
]
