import { expect, it } from 'vitest'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import { examples, furnished } from './requests.ts'
import { openSandbox } from './helpers.ts'

const plan = {
  fileName: 'plan.pdf',
  fileSize: '12 KB',
  mimeType: 'application/pdf',
  mediaUrl: 'https://files.example.com/plan.pdf',
  mediaType: 'file',
}

/** A change that makes the example of an operation invalid, and the message of its refusal. */
type Row = readonly [id: OperationId, change: object, message: string]

const required = (id: OperationId, fields: readonly string[]) =>
  fields.map((field): Row => [id, { [field]: undefined }, `${field} is required`])

const contactFields = (['createContact', 'updateContact', 'createOrUpdateContact'] as const).flatMap((id): Row[] => [
  [id, { email: 'x' }, 'email must be an e-mail address'],
  [id, { phone: '12' }, 'phone must be in E.164 form'],
  [id, { additionalFields: [] }, 'additionalFields must be'],
])

const messageFields = (['sendLiveMessage', 'sendEmailMessage', 'sendMessage'] as const).flatMap((id): Row[] => [
  ...required(id, ['channel', 'content']),
  [id, { pigeon: 1 }, 'pigeon is not a field'],
  [id, { content: 1 }, 'content must be a string'],
  [id, { channel: id === 'sendLiveMessage' ? 'sms' : 'chat' }, 'channel must be'],
  [id, { source: 1 }, 'source must be a string'],
  [id, { to: '12', conversationId: undefined, contactId: undefined, recipientIds: undefined }, 'to must be'],
  [
    id,
    { to: undefined, conversationId: undefined, contactId: undefined, recipientId: undefined, recipientIds: undefined },
    'a recipient id is required',
  ],
])

const rows: readonly Row[] = [
  ...required('createContact', promise('contact.createRequires').fields),
  ...required('createOrUpdateContact', promise('contact.createRequires').fields),
  ...contactFields,
  ['createContact', { status: 'gone' }, 'status must be one of open, in-progress, closed'],
  ['createContact', { groupIds: 'engineers' }, 'groupIds must be'],
  ['updateContact', { groupIds: [1] }, 'groupIds[0] must be'],
  ['findOrCreateConversation', { email: 'x' }, 'email must be an e-mail address'],
  ['findOrCreateConversation', { phone: '0123' }, 'phone must be in E.164 form'],
  ['findOrCreateConversation', { pigeon: 1 }, 'pigeon is not a field'],
  ['findOrCreateConversation', { email: undefined, phone: undefined }, 'email or phone is required'],
  ['createContactWithConversation', { lastName: undefined }, 'lastName is required'],
  ['createContactWithConversation', { email: 'x' }, 'email must be an e-mail address'],
  ['createConversation', { contactId: undefined }, 'contactId is required'],
  ...messageFields,
  ['sendLiveMessage', { attachments: [{ ...plan, mediaType: 'scent' }] }, 'attachments'],
  ['sendMessage', { attachments: [] }, 'attachments is not a field'],
  ['sendBulkMessages', { channel: 'email', subject: undefined }, 'subject'],
  ['sendBulkMessages', { channel: 'chat' }, 'channel'],
  ['sendBulkMessages', { to: 5, channel: 'email', subject: undefined }, 'to must be a string'],
  ['sendBulkMessages', { to: 5, channel: undefined, content: undefined }, 'to must be a string'],
  ['sendBulkMessages', { channel: undefined }, 'channel is required'],
  ['sendMessage', { content: 5, channel: undefined }, 'content must be a string'],
  ['sendBulkMessages', { providerId: '+14155550100' }, 'providerId'],
  ['sendBulkMessages', { colour: 'teal' }, 'colour'],
  ['sendBulkMessages', { to: ' , ' }, 'to must hold'],
  ['sendBulkMessages', { scheduleType: 'someday' }, 'scheduleType'],
  ['createTemplate', { uniqueName: 'way-to-the-mill' }, 'uniqueName'],
  ['createTemplate', { provider: 'nobody' }, 'provider'],
  ['createTemplate', { templateType: 'whatsapp', category: 'UTILITY', headerType: 'image' }, 'file is required'],
  ['createTemplate', { templateType: 'fax' }, 'templateType'],
  ['createCompany', { name: undefined }, 'name is required'],
  ['createCompany', { name: 1 }, 'name must be a string'],
  ['updateCompany', { annualRevenue: 'much' }, 'annualRevenue must be a number'],
  ['updateCompany', { contacts: 'ada' }, 'contacts must be a JSON array'],
  ['createProduct', { name: '' }, 'name is required, and an empty string counts as missing'],
  ['createProduct', { unitPrice: undefined }, 'unitPrice is required'],
  ['createProduct', { unitPrice: 'ten' }, 'unitPrice must be a number'],
  ['updateProduct', { unitCost: '1' }, 'unitCost must be a number'],
  ['updateProduct', { billingFrequency: 'hourly' }, 'billingFrequency must be one of'],
  ...required('createDeal', promise('deal.createRequires').fields),
  ['updateDeal', { amount: 'much' }, 'amount must be a number'],
  ['createQuote', { dealId: undefined }, 'dealId is required'],
  ['updateQuote', { status: 'lost' }, 'status must be one of draft, published'],
  ['updateQuote', { signatureOption: 'thumb' }, 'signatureOption must be one of'],
  ['updateQuote', { expirationDate: 'soon' }, 'expirationDate must be an ISO date'],
  ['updateQuote', { acceptOnlinePayment: 'yes' }, 'acceptOnlinePayment must be true or false'],
]

it.each(rows)('%s refuses %j, says why, and changes nothing', async (id, change, message) => {
  const { sandbox, call } = await openSandbox({ world: furnished, assume: { contactPhoneForm: 'checked' } })
  const { status, body } = await call(id, { ...examples[id], body: { ...examples[id].body, ...change } })
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  expect(await sandbox.world()).toEqual(furnished)
})
