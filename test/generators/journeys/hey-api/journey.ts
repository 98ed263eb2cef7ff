import { client } from './client/client.gen.js'
import * as crm from './client/index.js'

const [, key = ''] = process.argv.slice(2)
client.setConfig({ auth: ({ name }) => (name === 'x-api-key' ? key : undefined) }) // the document names the address

const throwOnError = true
const { data: contact } = await crm.createContact({
  body: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@clients.example.com' },
  throwOnError,
})
const contactId: string = contact.data._id

const { data: email } = await crm.sendEmailMessage({
  body: {
    channel: 'email',
    subject: 'Hello',
    content: '<p>Hello</p>',
    providerId: 'email-provider',
    to: 'ada@clients.example.com',
  },
  headers: { 'Idempotency-Key': 'journey-1' },
  throwOnError,
})

const { data: template } = await crm.createTemplate({
  body: {
    templateType: 'whatsapp',
    name: 'Order is ready',
    uniqueName: 'order_is_ready',
    content: 'Your order {{1}} is ready',
    category: 'UTILITY',
    language: 'en_US',
    provider: 'whatsapp-provider',
  },
  throwOnError,
})
const { data: templates } = await crm.listTemplates({
  query: { page: 1, limit: 10, types: ['whatsapp'], statuses: ['pending', 'approved'] },
  throwOnError,
})
const { data: product } = await crm.createProduct({ body: { name: 'Engine', unitPrice: 12345678.91 }, throwOnError })
const { data: deleted } = await crm.deleteContact({ path: { contactId }, throwOnError })
const { error } = await crm.getTemplate({ path: { templateId: 'unknown' } })

console.log(
  JSON.stringify({
    contact: contact.data.firstName,
    email: email.data.subject,
    template: template.data.status,
    templates: templates.pagination.totalResults,
    price: product.data.unitPrice,
    deleted: deleted.data._id === contactId,
    refused: error?.message,
  }),
)

export const mustNotCompile = [
  // @ts-expect-error a contact has a last name
  { firstName: 'Ada' } satisfies crm.ContactToCreate,
  // @ts-expect-error a response has data
  { success: true } satisfies crm.ContactAnswer,
]
