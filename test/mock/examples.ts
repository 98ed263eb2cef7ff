import type { WrittenChoices } from '../../spec/choices.ts'
import { deletesById, findsContact, updates, withBody } from '../../spec/operation-groups.ts'
import { operations } from '../../spec/operations.ts'
import type { OperationId } from '../../spec/types.ts'
import { examples, operationIds, targetOf } from './requests.ts'
import type { CallOptions } from './helpers.ts'

/** Sends the requests of an example, and records the assumptions of each response. */
export interface Requester {
  /** Sends the example of an operation, with some of it replaced. */
  readonly ask: (id: OperationId, changed?: CallOptions) => Promise<unknown>
  readonly send: (id: OperationId, target: string, method: string, body?: Buffer) => Promise<unknown>
  readonly form: (id: OperationId, fields: Readonly<Record<string, string>>) => Promise<unknown>
  readonly as: (role: 'admin' | 'agent') => Promise<CallOptions>
  readonly pass: (milliseconds: number) => void
  /** Sends a request of the operation, and runs `work` before its commit. */
  readonly during: (id: OperationId, send: () => Promise<unknown>, work: () => Promise<unknown>) => Promise<unknown>
}

/** Requests that rely on assumptions which no variation of an example relies on. */
export interface RequestExample {
  /** Whether each request starts with the same records. */
  readonly afresh?: boolean
  readonly assume?: WrittenChoices
  readonly ask: (requester: Requester) => Promise<unknown>
}

const chat = { channel: 'chat', content: 'Hello' }
const sms = { channel: 'sms', content: 'Hello', providerId: 'sms-provider', to: '+14155550131' }
const whatsapp = { ...sms, channel: 'whatsapp', providerId: 'whatsapp-provider' }
const email = { channel: 'email', subject: 'News', content: 'Hello', providerId: 'email-provider' }
const approved = { templateId: 'approved' }
const ada = { firstName: 'Ada', lastName: 'Lovelace' }
const template = { templateType: 'whatsapp', name: 'News', uniqueName: 'news', content: 'Hello', category: 'UTILITY' }
const onWhatsapp = { ...template, language: 'en_US', provider: 'whatsapp-provider' }
const unknown = '66f0a1b2c3d4e5f601239999'

const privileges: readonly RequestExample[] = [
  forEach(operationIds, async (id, { ask, as }) => ask(id, await as('admin'))),
  forEach(['listTemplates', 'getTemplate', 'updateTemplate', 'deleteTemplate'], async (id, { ask, as }) => {
    await ask(id, { path: approved })
    const agent = await as('agent')
    for (const path of [{ templateId: unknown }, approved, {}]) await ask(id, { ...agent, path })
  }),
  forEach(['sendMessage', 'sendBulkMessages'], async (id, { ask, as }) => {
    const agent = await as('agent')
    for (const templateId of ['approved', 'made-by-key']) await ask(id, { ...agent, body: { ...whatsapp, templateId } })
  }),
]

const paths: readonly RequestExample[] = [
  forEach(operationIds, (id, { send }) => send(id, targetOf(id).replace(/(?=\?|$)/, '/'), operations[id].method)),
  forEach(operationIds, (id, { send }) => send(id, targetOf(id), 'patch')),
  forEach(operationIds, (id, { send }) => send(id, targetOf(id).replace('/api/', '/API/'), operations[id].method)),
  forEach(withBody, (id, { send }) => send(id, targetOf(id), operations[id].method, bodyOf(id))),
  {
    ...forEach(operationIds, (id, { ask }) => ask(id, { path: malformedIds })),
    assume: { malformedId: 'badRequest' },
  },
  {
    ...forEach(operationIds, async (id, { ask }) => [await ask(id), await ask(id)]),
    assume: { rateLimit: 'perMinute:1' },
  },
]

const bodyOf = (id: OperationId) => Buffer.from(JSON.stringify(examples[id].body))

const malformedIds = Object.fromEntries(Object.keys(examples.getTemplate.path).map((name) => [name, 'not an id']))

const withKeys = [...withBody, ...deletesById, 'deleteContactsByEmail'] as const
const keyed = (key: string, more: CallOptions = {}): CallOptions => ({ ...more, headers: { 'idempotency-key': key } })

/** For every operation that may take a key. */
function forEachKey(
  assume: WrittenChoices,
  send: (id: OperationId, key: string, requester: Requester) => Promise<unknown>,
) {
  return {
    ...forEach(withKeys, (id, requester) => send(id, `key of ${id}`, requester)),
    assume: { keyOnDelete: 'honoured', ...assume } as const,
  }
}

/** Another request of the same operation, which is refused. */
const refused = (id: OperationId): CallOptions =>
  examples[id].body ? { body: [] } : { path: malformedIds, query: { email: '' } }

const keys: readonly RequestExample[] = [
  forEachKey({}, (id, _key, { ask }) => ask(id, keyed(''))),
  forEachKey({}, async (id, key, { ask, pass }) => {
    await ask(id, keyed(key))
    await ask(id, keyed(key))
    await ask(id, keyed(key, refused(id)))
    pass(25 * 60 * 60 * 1000)
    await ask(id, keyed(key))
  }),
  forEachKey({ repeatedKeyInFlight: 'refuse' }, async (id, key, { ask, during }) => {
    await during(
      id,
      () => ask(id, keyed(key)),
      () => ask(id, keyed(key)),
    )
  }),
  forEachKey({ failuresKept: 'yes' }, async (id, key, { ask }) => {
    await ask(id, keyed(key, refused(id)))
    await ask(id, keyed(key, refused(id)))
  }),
  forEachKey({}, async (id, key, { ask }) => {
    await ask(id === 'createProduct' ? 'createCompany' : 'createProduct', keyed(key))
    await ask(id, keyed(key))
  }),
]

/** Looks for a contact with these addresses, by every operation that can. */
function search(addresses: { readonly email?: string; readonly phone?: string }): RequestExample {
  const { email: mail, phone } = addresses
  const bodyFor = {
    findOrCreateConversation: addresses,
    createContactWithConversation: { ...ada, ...addresses },
    createOrUpdateContact: { ...ada, ...addresses },
    sendLiveMessage: { ...chat, to: phone },
    sendMessage: { ...sms, to: phone },
    sendEmailMessage: { ...email, to: mail },
    sendBulkMessages: mail === undefined ? { ...sms, to: phone } : { ...email, to: mail },
  }
  return { ...forEach(findsContact, (id, { ask }) => ask(id, { body: bodyFor[id] })), afresh: true }
}

const people: readonly RequestExample[] = [
  search({ email: 'twin@example.com' }),
  search({ phone: '+14155550133' }),
  search({ phone: '+14155550132' }), // the number of `spaced`, written without spaces
  search({ email: 'lone@example.com', phone: '+14155550131' }),
  search({ email: 'lone@example.com', phone: '+14155550199' }),
  search({ email: 'New@example.com' }),
  search({ phone: '+14155550198' }),
  search({ email: 'LONE@example.com' }),
  {
    ...forEach(['updateContact', 'createOrUpdateContact'], async (id, { ask }) => {
      const path = { contactId: 'lone-phone' }
      const body = { ...ada, phone: '+14155550131', status: 'open', additionalFields: { tier: 'silver' } }
      await ask(id, { path, body })
      await ask(id, { path, body: { ...body, email: 'twin@example.com' } })
    }),
    afresh: true,
  },
  forEach(['updateCompany'], (id, { ask }) => ask(id, { path: { companyId: 'mill' }, body: { additionalFields: {} } })),
  forEach(['deleteContact'], (id, { ask }) => ask(id, { path: { contactId: 'lone-email' } })),
  forEach(['deleteContactsByEmail'], async (id, { ask }) => {
    for (const address of [['a@example.com', 'b@example.com'], 'lone@example.com'])
      await ask(id, { query: { email: address } })
  }),
  forEach(['deleteCompany'], (id, { ask }) => ask(id, { path: { companyId: 'mill' } })),
  forEach(['createConversation', 'listConversationsOfContact'], (id, { ask }) =>
    ask(id, { path: { contactId: 'lone-phone' }, ...(examples[id].body ? { body: { contactId: 'lone-phone' } } : {}) }),
  ),
  forEach(['getConversation'], (id, { ask }) => ask(id, { path: { conversationId: 'talk' } })),
]

const histories: readonly RequestExample[] = [
  forEach(['listMessages'], async (id, { ask }) => {
    for (let sent = 0; sent < 11; sent++) await ask('sendLiveMessage', { body: { ...chat, conversationId: 'talk' } })
    await ask(id, { path: { conversationId: 'talk' }, query: {} })
  }),
  forEach(['listMessages'], async (id, { ask }) => {
    for (const query of [{}, { page: 1, limit: 1 }, { channel: ['chat', 'sms'] }])
      await ask(id, { path: { conversationId: 'talk' }, query })
  }),
]

const bodies = (...asks: readonly (readonly [OperationId, object])[]): RequestExample => ({
  ask: async ({ ask }) => {
    for (const [id, body] of asks) await ask(id, { body })
  },
})

const sends: readonly RequestExample[] = [
  ...[{ conversationId: 'talk' }, { contactId: 'lone-phone' }].map((target) =>
    bodies(
      ['sendLiveMessage', { ...chat, ...target, recipientId: 'twin' }],
      ['sendMessage', { ...sms, ...target, to: undefined, recipientId: 'twin' }],
      ['sendEmailMessage', { ...email, ...target, recipientIds: ['twin'] }],
    ),
  ),
  bodies(
    ['sendMessage', { ...sms, to: undefined, contactId: 'lone-email' }],
    ['sendEmailMessage', { ...email, recipientIds: ['lone-phone'] }],
    ['sendEmailMessage', { ...email, recipientIds: ['twin', 'other-twin'] }],
    ['sendMessage', { ...sms, providerId: 'email-provider' }],
    ['sendEmailMessage', { ...email, to: 'lone@example.com', providerId: 'sms-provider' }],
    ['sendEmailMessage', { ...email, to: 'lone@example.com', attachments: [{ colour: 'teal' }] }],
    ['sendLiveMessage', { ...chat, to: sms.to, attachments: [{ colour: 'teal' }] }],
  ),
  bodies(
    ...[approved, { templateId: 'pending' }, { templateId: 'mail' }, { templateId: unknown }, {}].map(
      (sent) => ['sendMessage', { ...whatsapp, ...sent }] as const,
    ),
    ['sendMessage', { ...whatsapp, ...approved, bodyParameters: [{ type: 'text', text: '{{firstName}}' }] }],
    ['sendMessage', { ...whatsapp, bodyParameters: [{ type: 'text', text: 'Ada' }] }],
  ),
]

const inBulk: readonly RequestExample[] = [
  bodies(
    ...[
      { ...email, to: 'ada@example.com,ADA@example.com' },
      { to: '+14155550131,' },
      { to: ' +14155550131' },
      { to: '+14155550131,+14155550131' },
      { subject: 'News' },
      { scheduleType: 'scheduled' },
      { scheduleTime: { date: '2040-01-31', time: '09:00' } },
      ...[
        { date: '31/01/2040', time: '09:00' },
        { date: '2040-01-31', time: '09:00' },
        { date: '2020-01-31', time: '09:00' },
      ].map((scheduleTime) => ({ scheduleType: 'scheduled', scheduleTime })),
    ].map((more) => ['sendBulkMessages', { ...sms, ...more }] as const),
    ...[
      {},
      approved,
      { templateId: 'pending' },
      { templateId: 'mail' },
      { templateId: unknown },
      { ...approved, bodyParameters: [{ type: 'text', text: '{{firstName}}' }] },
      { bodyParameters: [{ type: 'text', text: 'Ada' }] },
    ].map((more) => ['sendBulkMessages', { ...whatsapp, ...more }] as const),
  ),
]

const ofTemplates: readonly RequestExample[] = [
  bodies(
    ['createTemplate', onWhatsapp],
    ['createTemplate', { ...onWhatsapp, uniqueName: 'Not Snake' }],
    ['createTemplate', { ...onWhatsapp, uniqueName: 'mail' }],
    ['createTemplate', { ...onWhatsapp, headerText: 'News' }],
    ['createTemplate', { ...onWhatsapp, content: '{{2}}', templateButtons: [{}] }],
  ),
  forEach(['createTemplate', 'updateTemplate'], async (id, { form }) => {
    await form(id, { ...onWhatsapp, footer: '', language: '' })
    await form(id, { ...onWhatsapp, uniqueName: 'listed', variables: '["a","b"]' })
    await form(id, { ...onWhatsapp, content: 'x'.repeat(100_000) })
  }),
  forEach(['updateTemplate'], async (id, { ask }) => {
    for (const templateType of ['whatsapp', 'sms'])
      await ask(id, { path: approved, body: { templateType, content: '{{2}}' } })
  }),
  {
    ...forEach(['getTemplate', 'listTemplates', 'updateTemplate'], (id, { ask }) =>
      ask(id, {
        path: { templateId: 'pending' },
        ...(examples[id].body ? { body: { templateType: 'whatsapp' } } : {}),
      }),
    ),
    assume: { whatsappApproval: 'afterDelay:5000' },
  },
]

const others: readonly RequestExample[] = [
  forEach(updates, (id, { ask }) => ask(id, { body: id === 'updateTemplate' ? { templateType: 'sms' } : {} })),
  forEach(['updateQuote'], async (id, { ask }) => {
    for (const body of [{ status: 'accepted' }, { status: 'draft' }, { expirationDate: '2020-01-31' }])
      await ask(id, { body })
  }),
  ...['030 1234567'].map((phone) =>
    bodies(
      ['findOrCreateConversation', { phone }],
      ['createContactWithConversation', { ...ada, phone }],
      ['sendLiveMessage', { ...chat, to: phone }],
      ['sendMessage', { ...sms, to: phone }],
    ),
  ),
  forEach(['createProduct', 'updateProduct'], async (id, { ask }) => {
    await ask('createProduct', { body: { name: 'Engine', unitPrice: 1, sku: 'twice' } })
    await ask(id, { body: { ...examples[id].body, sku: 'twice' } })
  }),
  forEach(['createCompany', 'updateCompany'], async (id, { ask }) => {
    await ask('createCompany', { body: { name: 'Mill', domain: 'twice.example.com' } })
    await ask(id, { body: { ...examples[id].body, domain: 'twice.example.com' } })
  }),
  { ...bodies(['createQuote', { dealId: 'offer', colour: 'teal' }]), assume: { unlistedFields: 'kept' } },
  {
    ...forEach(['listMessages', 'listTemplates'], (id, { ask }) =>
      ask(id, { ...examples[id], query: { ...examples[id].query, limit: 101 } }),
    ),
    assume: { largestLimit: 'hundred' },
  },
  {
    ...bodies(
      ['createConversation', { contactId: 'twin', colour: 'teal', _id: 'x' }],
      ['createContactWithConversation', { ...ada, colour: 'teal', _id: 'x' }],
    ),
    assume: { resolutionEndpoints: 'byPhoneAndEmailOnly' },
  },
]

export const requestExamples: readonly RequestExample[] = [
  ...privileges,
  ...paths,
  ...keys,
  ...people,
  ...histories,
  ...sends,
  ...inBulk,
  ...ofTemplates,
  ...others,
]

function forEach<Id extends OperationId>(
  ids: readonly Id[],
  send: (id: Id, requester: Requester) => Promise<unknown>,
): RequestExample {
  return {
    ask: async (requester) => {
      for (const id of ids) await send(id, requester)
    },
  }
}
