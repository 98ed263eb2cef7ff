import { expect, it } from 'vitest'
import { promise } from '../../spec/promises.ts'
import type { OperationId } from '../../spec/types.ts'
import type { World } from '../../fixtures/world.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { ada, examples, furnished, idOf, unknownId } from './requests.ts'
import { openSandbox } from './helpers.ts'
import { whatsapp } from './template-requests.ts'

const plan = {
  fileName: 'plan.pdf',
  fileSize: '12 KB',
  mimeType: 'application/pdf',
  mediaUrl: 'https://files.example.com/plan.pdf',
  mediaType: 'file',
}

/** A change that makes the example of an operation invalid, and the message of its refusal. */
type Row = readonly [id: OperationId, change: object, message: string]

/** With the choices that refuse it. */
type RowOfChoices = readonly [...Row, assume: WrittenChoices]

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

const none = (field: string) => `${field} names nothing that this team has`
const inOrder = 'must number its placeholders {{1}}, {{2}} and so on'
const forEachPlaceholder = 'must have an item for each placeholder of'

const whatsappTemplate = (change: object, message: string): RowOfChoices => [
  'createTemplate',
  { ...whatsapp, uniqueName: 'other', ...change },
  message,
  { templatePlaceholders: 'refused' },
]

const company = (change: object, message: string): RowOfChoices => [
  'createCompany',
  change,
  message,
  { recordTextForms: 'checked', contactReferences: 'refused' },
]

const price = (field: string): RowOfChoices => [
  'createProduct',
  { [field]: -0.5 },
  `${field} must be`,
  { numberRange: 'refused' },
]

const checkedDeals: WrittenChoices = {
  currencyForm: 'checked',
  closeDateForm: 'checked',
  numberRange: 'refused',
  dealReferences: 'refused',
}

const dealFields = (['createDeal', 'updateDeal'] as const).flatMap((id) => {
  const row = (field: string, value: unknown, message: string): RowOfChoices => [
    id,
    { [field]: value },
    message,
    checkedDeals,
  ]
  return [
    ...['shells', 'eur', 'EURO', 'QQQ', ''].map((currency) => row('currency', currency, 'currency must be')),
    ...['soon', '30.06.2026', '2026-02-30', '2026-06-30T25:00Z', '2026-6-3'].map((closeDate) =>
      row('closeDate', closeDate, 'closeDate must be'),
    ),
    row('amount', -0.01, 'amount must be'),
    row('contacts', [unknownId], none('contacts')),
    ...['contactId', 'companyId', 'company', 'owner'].map((field) => row(field, unknownId, none(field))),
    row('pipeline', 'shipping', none('pipeline')),
    row('stage', 'lost', none('stage')),
  ]
})

/** Fields that make no sense together or in their form. */
const rowsOfChoices: readonly RowOfChoices[] = [
  whatsappTemplate({ content: '{{1}} {{3}}' }, `content ${inOrder}`),
  whatsappTemplate({ bodyVariableSampleValues: ['a', 'b'] }, `bodyVariableSampleValues ${forEachPlaceholder} content`),
  whatsappTemplate({ headerText: 'To {{2}}' }, `headerText ${inOrder}`),
  whatsappTemplate(
    { headerText: 'To {{1}}', headerVariables: ['a', 'b'] },
    `headerVariables ${forEachPlaceholder} headerText`,
  ),
  [
    'sendMessage',
    {
      ...{ channel: 'whatsapp', providerId: 'whatsapp-provider', templateId: 'acme-order' },
      bodyParameters: [{ type: 'image' }],
    },
    'bodyParameters must hold a parameter for the placeholder {{1}}',
    { missingParameters: 'refused' },
  ],
  company({ email: 'x' }, 'email must be an e-mail address'),
  company({ domain: '' }, 'domain must be a domain'),
  company({ logoUrl: 'javascript:x' }, 'logoUrl must be a URL'),
  company({ contacts: [unknownId] }, 'contacts'),
  ...['unitPrice', 'unitCost'].map(price),
  ...dealFields,
]

/** The records of the examples, the pipeline of the deals and a template that may be sent. */
const world: World = {
  teams: furnished.teams.map((team) => ({
    ...team,
    pipelines: [{ _id: '66f0a1b2c3d4e5f60123b001', stages: ['66f0a1b2c3d4e5f60123b002', '66f0a1b2c3d4e5f60123b003'] }],
    templates: [
      ...(team.templates ?? []),
      { ...whatsapp, _id: `${team._id}-order`, templateType: 'whatsapp', status: 'approved', ownerId: 'key' },
    ],
  })),
}

const changed = (id: OperationId, change: object) => ({ ...examples[id], body: { ...examples[id].body, ...change } })

it.each<RowOfChoices>([
  ...rows.map((row): RowOfChoices => [...row, { contactPhoneForm: 'checked' }]),
  ...rowsOfChoices,
])('%s refuses %j, says why, and changes nothing', async (id, change, message, assume) => {
  const { sandbox, call } = await openSandbox({ world, assume })
  const before = await sandbox.world()
  const { status, body } = await call(id, changed(id, change))
  expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
  expect(await sandbox.world()).toEqual(before)
})

/** The choices that accept each of these fields. */
const accepting: WrittenChoices = {
  currencyForm: 'anyString',
  closeDateForm: 'anyString',
  numberRange: 'accepted',
  dealReferences: 'accepted',
}

it.each(rowsOfChoices)('%s accepts %j otherwise, and says on which assumption', async (id, change, _, assume) => {
  const { call } = await openSandbox({ world, assume: accepting })
  const { status, assumed } = await call(id, changed(id, change))
  expect(status).toBeLessThan(300)
  expect(assumed.some((name) => name in assume)).toBe(true)
})

it('createDeal relies on none of these assumptions with valid values', async () => {
  const { call } = await openSandbox({ world, assume: checkedDeals })
  const { contactId, companyId } = examples.createDeal.body ?? {}
  const references = { contacts: [contactId], company: companyId, owner: 'acme-agent' }
  for (const closeDate of ['2026-06-30', '2026-06-30T10:00Z', '2026-06-30T10:00:00.000+02:00', '2024-02-29']) {
    const { status, assumed } = await call('createDeal', changed('createDeal', { ...references, amount: 0, closeDate }))
    expect([status, assumed]).toEqual([200, ['recordTimes', 'recordFields']])
  }
})

it('createCompany and createDeal take a contact of another team for an unknown one', async () => {
  const { call } = await openSandbox({ world, assume: { contactReferences: 'refused', dealReferences: 'refused' } })
  const theirs = await idOf(call('createContact', { body: ada, key: 'globex-key' }))
  expect((await call('createCompany', changed('createCompany', { contacts: [theirs] }))).status).toBe(400)
  expect((await call('createDeal', changed('createDeal', { contactId: theirs }))).status).toBe(400)
})
