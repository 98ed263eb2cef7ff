import { expect, it } from 'vitest'
import { operations, type OperationId } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import type { World } from '../../fixtures/world.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { ada, examples, furnished, idOf, operationIds, unknownId } from './requests.ts'
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
type Refusal = readonly [change: object, message: string]

interface Row {
  /** The assumptions that the example relies on. */
  readonly reliesOn: readonly string[]
  readonly refuses?: readonly Refusal[]
}

const newContact = ['newContactLifecycle', 'newContactStatus']
const mergeFields = ['mergeFieldPaths', 'mergeFields']
const firstMessage = ['nameOfNewContact', ...newContact, 'mergeFieldsElsewhere', ...mergeFields, 'messageFields']

const requires = (...fields: readonly string[]) =>
  fields.map((field): Refusal => [{ [field]: undefined }, `${field} is required`])

const contactFields: readonly Refusal[] = [
  [{ email: 'x' }, 'email must be an e-mail address'],
  [{ phone: '12' }, 'phone must be in E.164 form'],
  [{ additionalFields: [] }, 'additionalFields must be'],
]

const nobody = { to: undefined, conversationId: undefined, contactId: undefined, recipientIds: undefined }

const messageFields = (otherChannel: string): readonly Refusal[] => [
  ...requires('channel', 'content'),
  [{ pigeon: 1 }, 'pigeon is not a field'],
  [{ content: 1 }, 'content must be a string'],
  [{ channel: otherChannel }, 'channel must be'],
  [{ source: 1 }, 'source must be a string'],
  [{ ...nobody, to: '12' }, 'to must be'],
  [{ ...nobody, recipientId: undefined }, 'a recipient id is required'],
]

const table: Readonly<Record<OperationId, Row>> = {
  findOrCreateConversation: {
    reliesOn: ['nameOfNewContact', ...newContact],
    refuses: [
      [{ email: 'x' }, 'email must be an e-mail address'],
      [{ phone: '0123' }, 'phone must be in E.164 form'],
      [{ pigeon: 1 }, 'pigeon is not a field'],
      [{ email: undefined, phone: undefined }, 'email or phone is required'],
    ],
  },
  createContactWithConversation: {
    reliesOn: ['newContactStatus', 'populatedName'],
    refuses: [...requires('lastName'), [{ email: 'x' }, 'email must be an e-mail address']],
  },
  createConversation: { reliesOn: ['populatedName'], refuses: requires('contactId') },
  getConversation: { reliesOn: ['populatedName'] },
  listConversationsOfContact: { reliesOn: ['populatedName'] },

  listMessages: { reliesOn: ['emptyTotalPages'] },
  sendLiveMessage: {
    reliesOn: mergeFields,
    refuses: [...messageFields('sms'), [{ attachments: [{ ...plan, mediaType: 'scent' }] }, 'attachments']],
  },
  sendEmailMessage: { reliesOn: firstMessage, refuses: messageFields('chat') },
  sendMessage: {
    reliesOn: firstMessage,
    refuses: [
      ...messageFields('chat'),
      [{ attachments: [] }, 'attachments is not a field'],
      [{ content: 5, channel: undefined }, 'content must be a string'],
    ],
  },
  sendBulkMessages: {
    reliesOn: ['bulkRecipientLimit', 'bulkDelivery', 'nameOfNewContact', ...newContact, ...mergeFields],
    refuses: [
      ...requires('channel'),
      [{ channel: 'email', subject: undefined }, 'subject'],
      [{ channel: 'chat' }, 'channel'],
      [{ to: 5, channel: 'email', subject: undefined }, 'to must be a string'],
      [{ to: 5, channel: undefined, content: undefined }, 'to must be a string'],
      [{ to: ' , ' }, 'to must hold'],
      [{ providerId: '+14155550100' }, 'providerId'],
      [{ colour: 'teal' }, 'colour'],
      [{ scheduleType: 'someday' }, 'scheduleType'],
    ],
  },

  listTemplates: { reliesOn: ['templateFields'] },
  createTemplate: {
    reliesOn: [],
    refuses: [
      [{ uniqueName: 'way-to-the-mill' }, 'uniqueName'],
      [{ provider: 'nobody' }, 'provider'],
      [{ templateType: 'whatsapp', category: 'UTILITY', headerType: 'image' }, 'file is required'],
      [{ templateType: 'fax' }, 'templateType'],
    ],
  },
  getTemplate: { reliesOn: ['templateFields'] },
  updateTemplate: { reliesOn: ['templateFields', 'templateAfterUpdate'] },
  deleteTemplate: { reliesOn: [] },

  createContact: {
    reliesOn: ['undefinedCustomField'],
    refuses: [
      ...requires(...promise('contact.createRequires').fields),
      ...contactFields,
      [{ status: 'gone' }, 'status must be one of open, in-progress, closed'],
      [{ groupIds: 'engineers' }, 'groupIds must be'],
    ],
  },
  updateContact: {
    reliesOn: ['fieldsNotGiven'],
    refuses: [...contactFields, [{ groupIds: [1] }, 'groupIds[0] must be']],
  },
  deleteContact: { reliesOn: ['deletedWithContact', 'fieldsNotGiven'] },
  createOrUpdateContact: {
    reliesOn: ['newContactLifecycle', 'fieldsNotGiven'],
    refuses: [...requires(...promise('contact.createRequires').fields), ...contactFields],
  },
  deleteContactsByEmail: { reliesOn: ['deletedWithContact'] },

  createCompany: {
    reliesOn: ['undefinedCustomField', 'recordFields', 'recordTimes'],
    refuses: [...requires('name'), [{ name: 1 }, 'name must be a string']],
  },
  updateCompany: {
    reliesOn: ['undefinedCustomField', 'recordAfterUpdate', 'recordFields', 'recordTimes'],
    refuses: [
      [{ annualRevenue: 'much' }, 'annualRevenue must be a number'],
      [{ contacts: 'ada' }, 'contacts must be a JSON array'],
    ],
  },
  deleteCompany: { reliesOn: [] },

  createProduct: {
    reliesOn: ['recordFields', 'recordTimes'],
    refuses: [
      ...requires('unitPrice'),
      [{ name: '' }, 'name is required, and an empty string counts as missing'],
      [{ unitPrice: 'ten' }, 'unitPrice must be a number'],
    ],
  },
  updateProduct: {
    reliesOn: ['recordAfterUpdate', 'recordFields', 'recordTimes'],
    refuses: [
      [{ unitCost: '1' }, 'unitCost must be a number'],
      [{ billingFrequency: 'hourly' }, 'billingFrequency must be one of'],
    ],
  },
  deleteProduct: { reliesOn: [] },

  createDeal: {
    reliesOn: ['dealReferences', 'recordFields', 'recordTimes'],
    refuses: requires(...promise('deal.createRequires').fields),
  },
  updateDeal: {
    reliesOn: ['dealReferences', 'recordAfterUpdate', 'recordTimes'],
    refuses: [[{ amount: 'much' }, 'amount must be a number']],
  },
  deleteDeal: { reliesOn: ['quotesOfDeletedDeal'] },

  createQuote: { reliesOn: ['recordTimes'], refuses: requires('dealId') },
  updateQuote: {
    reliesOn: ['recordAfterUpdate', 'recordFields', 'recordTimes'],
    refuses: [
      [{ status: 'lost' }, 'status must be one of draft, published'],
      [{ signatureOption: 'thumb' }, 'signatureOption must be one of'],
      [{ expirationDate: 'soon' }, 'expirationDate must be an ISO date'],
      [{ acceptOnlinePayment: 'yes' }, 'acceptOnlinePayment must be true or false'],
    ],
  },
  deleteQuote: { reliesOn: [] },
}

it.each(operationIds)('%s marks its example with what it relies on, and nothing else', async (id) => {
  const { call } = await openSandbox({ world: furnished })
  const { status, assumed } = await call(id, examples[id])
  expect(operations[id].successStatuses).toContain(status)
  expect(assumed.toSorted()).toEqual(table[id].reliesOn.toSorted())
})

/** A refusal with the choices that it depends on. */
type RefusalByChoice = readonly [id: OperationId, ...Refusal, assume: WrittenChoices]

const none = (field: string) => `${field} names nothing that this team has`
const inOrder = 'must number its placeholders {{1}}, {{2}} and so on'
const forEachPlaceholder = 'must have an item for each placeholder of'

const whatsappTemplate = (change: object, message: string): RefusalByChoice => [
  'createTemplate',
  { ...whatsapp, uniqueName: 'other', ...change },
  message,
  { templatePlaceholders: 'refused' },
]

const company = (change: object, message: string): RefusalByChoice => [
  'createCompany',
  change,
  message,
  { recordTextForms: 'checked', contactReferences: 'refused' },
]

const price = (field: string): RefusalByChoice => [
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
  const row = (field: string, value: unknown, message: string): RefusalByChoice => [
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
const refusalsByChoice: readonly RefusalByChoice[] = [
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

it.each<RefusalByChoice>([
  ...operationIds.flatMap((id) =>
    (table[id].refuses ?? []).map((refusal): RefusalByChoice => [id, ...refusal, { contactPhoneForm: 'checked' }]),
  ),
  ...refusalsByChoice,
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

it.each(refusalsByChoice)('%s accepts %j otherwise, and says on which assumption', async (id, change, _, assume) => {
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
