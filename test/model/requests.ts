import fc from 'fast-check'
import { operations, type OperationId } from '../../spec/operations.ts'
import type { ApiKind as Kind } from '../../fixtures/records.ts'
import { spoilt, waysToSpoil } from './spoiling.ts'

export const teams = ['acme', 'globex'] as const
export type TeamName = (typeof teams)[number]

/** A request with references such as `@own contacts 0` in place of ids, counted from the newest record. */
export interface Request {
  readonly team: TeamName
  readonly by: 'key' | 'agent' | 'admin'
  readonly id: OperationId
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>
  readonly body?: unknown
  readonly key?: string
}

/** A request, time that passes, or an approval by the platform. */
export type Step = Request | { readonly passes: number } | { readonly team: TeamName; readonly approves: string }

// Few values, so that they collide.
const email = fc.constantFrom('ada@example.com', 'Ada@Example.com', 'grace@example.com', 'alan@example.com')
const phone = fc.constantFrom('+14155550123', '+14155550124', '+14155550125')
const text = fc.constantFrom('Hello', 'Hello {{contact.firstName}}', '{{lastName}}, {{contact.pigeon}}')
const person = fc.constantFrom('Ada', 'Grace', 'Alan {{lastName}}')
const word = fc.constantFrom('engine', 'mill')
const number = fc.constantFrom(-1, 0, 12.5, 1200)
const custom = fc.dictionary(fc.constantFrom('tier', 'colour'), fc.constantFrom('gold', 'teal'))
const lifecycleStage = fc.constantFrom('Lead', 'Customer')

/** Mostly a record of the team; sometimes one of the other team, or an unknown id. */
function ref(kind: Kind): fc.Arbitrary<string> {
  const at = fc.constantFrom(0, 0, 1, 2)
  return fc.oneof(
    { weight: 14, arbitrary: at.map((place) => `@own ${kind} ${place}`) },
    { weight: 5, arbitrary: at.map((place) => `@foreign ${kind} ${place}`) },
    { weight: 1, arbitrary: fc.constantFrom('0123456789abcdef01234567', 'not an id') },
  )
}

type Fields = Record<string, fc.Arbitrary<unknown>>

/** The required fields, and some of the optional ones: few or many. */
function fields(required: Fields, optional: Fields = {}): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(optional)
  const some = fc.oneof(fc.subarray(names), fc.subarray(names, { maxLength: Math.min(2, names.length) }))
  return fc.tuple(fc.record({ ...optional, ...required }), some).map(([all, chosen]) => {
    const isSent = ([field]: [string, unknown]) => Object.hasOwn(required, field) || chosen.includes(field)
    return Object.fromEntries(Object.entries(all).filter(isSent))
  })
}

const merged = (one: fc.Arbitrary<object>, other: fc.Arbitrary<object>) =>
  fc.tuple(one, other).map(([some, others]) => ({ ...some, ...others }))

/** Unlisted fields, and fields that the service writes: all are ignored. */
const unlisted: Fields = {
  shelf: word,
  _id: fc.constant('mine'),
  teamId: fc.constant('another'),
  createdAt: fc.constant('1999-12-31'),
}

const names = { firstName: person, lastName: person }
const described = { email, phone, source: word, lifecycleStage, additionalFields: custom, ...unlisted }
const status = fc.constantFrom('open', 'in-progress', 'closed')
const groupIds = fc.array(fc.constantFrom('buyers', 'friends'), { maxLength: 2 })
const contactIds = fc.array(ref('contacts'), { maxLength: 2 })

const [conversationId, contactId, templateId] = [ref('conversations'), ref('contacts'), ref('templates')]
const receiver = fc.oneof(
  { weight: 4, arbitrary: fields({ conversationId }) },
  { weight: 4, arbitrary: fields({ contactId }) },
  { weight: 2, arbitrary: fields({ recipientId: contactId }) },
  { weight: 6, arbitrary: fields({ to: phone }) },
  { weight: 3, arbitrary: fields({}, { conversationId, contactId, recipientId: contactId, to: phone }) },
)
const recipientIds = fc.array(contactId, { maxLength: 3 })
const receiverOfEmail = fc.oneof(
  { weight: 4, arbitrary: fields({ conversationId }) },
  { weight: 3, arbitrary: fields({ recipientIds }) },
  { weight: 6, arbitrary: fields({ to: email }) },
  { weight: 4, arbitrary: fields({}, { conversationId, recipientIds, to: email }) },
)

/** Mostly a provider of the channel. */
const provider = (channel: string) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(`${channel}-provider`) },
    { weight: 1, arbitrary: fc.constantFrom('email-provider', 'sms-provider', 'nobody') },
  )

const media = { source: word, mediaUrl: fc.constant('https://files.example.com/plan.pdf'), mediaType: word }
const attachments = fc.array(fc.constant({ fileName: 'plan.pdf', mediaType: 'file' }), { maxLength: 1 })
const templated = {
  templateId,
  headerParameters: fc.constant([]),
  bodyParameters: fc.array(fc.record({ type: fc.constant('text'), text: word }), { maxLength: 2 }),
}
const onPhone = (channel: string, more: Fields = {}) =>
  fields({ channel: fc.constant(channel), content: text, providerId: provider(channel) }, { ...media, ...more })

const addresses = (address: fc.Arbitrary<string>) =>
  fc
    .array(fc.oneof({ weight: 20, arbitrary: address }, { weight: 1, arbitrary: fc.constant('x') }), {
      minLength: 1,
      maxLength: 4,
    })
    .map(String)
const schedule = fc.constantFrom(
  {},
  {},
  { scheduleType: 'now' },
  { scheduleType: 'scheduled', scheduleTime: { date: '2040-01-31', time: '09:00' } },
)
const bulk = (channel: string, address: fc.Arbitrary<string>, required: Fields = {}, optional: Fields = {}) =>
  merged(
    fields(
      {
        to: addresses(address),
        channel: fc.constant(channel),
        content: text,
        providerId: provider(channel),
        ...required,
      },
      { source: word, ...optional },
    ),
    schedule,
  )

const types = ['sms', 'email', 'whatsapp']
const named = { name: person, uniqueName: fc.nat({ max: 20 }).map((count) => `template_${count}`) }
const template = (templateType: string, required: Fields, optional: Fields = {}) =>
  fields(
    { templateType: fc.constant(templateType), ...named, content: text, provider: provider(templateType), ...required },
    { language: fc.constantFrom('en', 'pigeon'), variables: fc.constant(['contact.firstName']), ...optional },
  )

const company = { domain: word, industry: word, employeeCount: number, contacts: contactIds, additionalFields: custom }
const product = {
  sku: word,
  unitCost: number,
  billingFrequency: fc.constantFrom('one_time', 'one-time', 'weekly', 'every-five-years'),
}
const deal = {
  amount: number,
  currency: fc.constantFrom('EUR', 'USD'),
  closeDate: fc.constantFrom('2026-06-30', '2026-06-30T12:00:00Z'),
  contactId,
  contacts: contactIds,
  companyId: ref('companies'),
}
const stage = { pipeline: word, stage: word }
const quote = {
  name: person,
  status: fc.constantFrom('draft', 'published', 'expired', 'sent', 'accepted', 'declined'),
  template: fc.constantFrom('default-basic', 'other'),
  terms: text,
  signatureOption: fc.constantFrom('no-signature', 'written-signature'),
  expirationDate: fc.constant('2026-12-31T00:00:00.000Z'),
  acceptOnlinePayment: fc.boolean(),
}

type Parts = Readonly<Partial<Record<'path' | 'query' | 'body', fc.Arbitrary<object>>>>

const at = (name: string, kind: Kind, body?: fc.Arbitrary<object>): Parts => ({
  path: fields({ [name]: ref(kind) }),
  ...(body ? { body } : {}),
})

/** The requests of every operation. The compiler asks for one that is missing. */
const parts: Readonly<Record<OperationId, Parts>> = {
  createContact: { body: fields(names, { ...described, status, groupIds }) },
  updateContact: at('contactId', 'contacts', fields({}, { ...names, ...described, status, groupIds, company: word })),
  createOrUpdateContact: { body: fields(names, { ...described, status: fc.oneof(status, word) }) },
  deleteContact: at('contactId', 'contacts'),
  deleteContactsByEmail: { query: fields({ email: fc.oneof(email, fc.constant('nobody@example.com')) }) },

  findOrCreateConversation: { body: fields({}, { email, phone }) },
  createContactWithConversation: {
    body: fields(names, { email, phone, lifecycleStage, groupId: fc.constant('buyers') }),
  },
  createConversation: { body: fields({ contactId }) },
  getConversation: at('conversationId', 'conversations'),
  listConversationsOfContact: at('contactId', 'contacts'),

  listMessages: {
    ...at('conversationId', 'conversations'),
    query: fields(
      { page: fc.constantFrom(0, 1, 1, 1, 2), limit: fc.constantFrom(1, 1, 2, 3, 101) },
      { channel: fc.constantFrom('chat', 'chat', 'email', 'sms', 'whatsapp', 'pigeon') },
    ),
  },
  sendLiveMessage: {
    body: merged(
      receiver,
      fields({ channel: fc.constant('chat'), content: text }, { ...media, mediaUrl: fc.constant(null), attachments }),
    ),
  },
  sendMessage: {
    body: merged(
      receiver,
      fc.oneof(onPhone('sms'), onPhone('whatsapp'), onPhone('whatsapp', templated), onPhone('sms', templated)),
    ),
  },
  sendEmailMessage: {
    body: merged(
      receiverOfEmail,
      fields(
        { channel: fc.constant('email'), subject: text, content: text, providerId: provider('email') },
        { ...media, attachments, replyToMessageId: ref('messages'), threadId: word },
      ),
    ),
  },
  sendBulkMessages: {
    body: fc.oneof(
      bulk('email', email, { subject: text }, { preheader: text }),
      bulk('sms', phone),
      bulk('whatsapp', phone),
      bulk('whatsapp', phone, { templateId }, templated),
      bulk('sms', phone, { templateId }),
    ),
  },

  createTemplate: {
    body: fc.oneof(
      template('sms', {}, { category: word }),
      template('email', { subject: text }, { preheader: text }),
      template(
        'whatsapp',
        {
          category: fc.constant('UTILITY'),
          language: fc.constant('en'),
          content: fc.constantFrom('Your order {{1}} has left', '{{2}} and {{1}}'),
        },
        { headerType: fc.constantFrom('text', 'text', 'image'), isHeader: fc.boolean() },
      ),
    ),
  },
  getTemplate: at('templateId', 'templates'),
  updateTemplate: at(
    'templateId',
    'templates',
    fields(
      { templateType: fc.constantFrom(...types, 'whatsapp') },
      { name: person, content: text, category: fc.constantFrom('UTILITY', 'MARKETING', 'engine') },
    ),
  ),
  deleteTemplate: at('templateId', 'templates'),
  listTemplates: {
    query: fields({
      page: fc.integer({ min: 0, max: 2 }),
      limit: fc.constantFrom(1, 2, 10, 100, 101),
      types: fc.subarray(types, { minLength: 1 }),
      statuses: fc.subarray(['approved', 'pending', 'rejected'], { minLength: 1 }),
    }),
  },

  createCompany: { body: fields({ name: person }, { ...company, ...unlisted }) },
  updateCompany: at('companyId', 'companies', fields({}, { name: person, ...company, ...unlisted })),
  deleteCompany: at('companyId', 'companies'),
  createProduct: { body: fields({ name: person, unitPrice: number }, { ...product, ...unlisted }) },
  updateProduct: at('productId', 'products', fields({}, { name: person, unitPrice: number, ...product, ...unlisted })),
  deleteProduct: at('productId', 'products'),
  createDeal: { body: fields({ name: person, ...stage }, { ...deal, ...unlisted }) },
  updateDeal: at('dealId', 'deals', fields({}, { name: person, ...stage, ...deal, ...unlisted })),
  deleteDeal: at('dealId', 'deals'),
  createQuote: { body: fields({ dealId: ref('deals') }, { name: person, template: quote.template, ...unlisted }) },
  updateQuote: at('quoteId', 'quotes', fields({}, { ...quote, ...unlisted })),
  deleteQuote: at('quoteId', 'quotes'),
}

const operationIds = Object.keys(parts) as OperationId[]

const oneIn = <Value>(times: number, arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const team = fc.constantFrom<TeamName>('acme', 'acme', 'globex')

function requestsOf(id: OperationId): fc.Arbitrary<Request> {
  const { path = fc.constant({}), query = fc.constant({}), body = fc.constant(undefined) } = parts[id]
  return fc
    .record({
      team,
      sent: fc.record({ path, query, body }),
      by: fc.constantFrom<Request['by']>('key', 'key', 'agent', 'admin'),
      key: oneIn(6, fc.constantFrom('once', 'twice', 'thrice')),
      way: oneIn(12, fc.constantFrom(...waysToSpoil)),
    })
    .map(({ team, sent: { body, ...sent }, by, key, way }) => ({
      ...(sent as Pick<Request, 'path' | 'query'>),
      id,
      team,
      by: team === 'acme' ? by : 'key',
      ...(body === undefined
        ? {}
        : { body: way === undefined ? body : spoilt(body as Readonly<Record<string, unknown>>, id, way) }),
      ...(key !== undefined && operations[id].takesIdempotencyKey ? { key } : {}),
    }))
}

const methodWeights: Readonly<Record<string, number>> = { get: 6, post: 5, put: 7, delete: 3 }

const step: fc.Arbitrary<Step> = fc.oneof(
  ...operationIds.map((id) => ({ weight: methodWeights[operations[id].method] ?? 1, arbitrary: requestsOf(id) })),
  { weight: 4, arbitrary: fc.constantFrom(1, 60_000, 9 * 3_600_000, 25 * 3_600_000).map((passes) => ({ passes })) },
  { weight: 4, arbitrary: fc.record({ team, approves: ref('templates') }) },
)

/** Every operation that creates, once for each team, so that there are records to work on. */
const furnishing = teams.flatMap((team) => {
  const [ada, order] = [
    { email: 'ada@example.com', phone: '+14155550123' },
    { name: 'Order', uniqueName: 'order' },
  ]
  const bodies: Partial<Record<OperationId, object>> = {
    createContactWithConversation: { firstName: 'Ada', lastName: 'Lovelace', ...ada },
    createContact: { firstName: 'Grace', lastName: 'Hopper', email: 'grace@example.com' },
    sendLiveMessage: { channel: 'chat', content: 'Hello', to: ada.phone },
    createTemplate: {
      ...order,
      ...{ templateType: 'whatsapp', category: 'UTILITY', language: 'en', content: 'Your order {{1}} has left' },
      provider: 'whatsapp-provider',
    },
    createCompany: { name: 'Engines' },
    createProduct: { name: 'Engine', unitPrice: 1200 },
    createDeal: { name: 'Mill', pipeline: 'sales', stage: 'offer' },
    createQuote: { dealId: '@own deals 0' },
  }
  return Object.entries(bodies).map(([id, body]): Step => ({ team, by: 'key', id: id as OperationId, body }))
})

// Only the first team has users.
const callers = { acme: ['key', 'admin', 'agent'], globex: ['key'] } as const
const allTemplates = { types, statuses: ['approved', 'pending', 'rejected'] }

/** Reads everything that can be read. */
const readings = teams.flatMap((team): Step[] => {
  const [by, places] = ['key' as const, [0, 1, 2]]
  const everything = { page: 1, limit: 100 }
  return [
    ...callers[team].map((by): Step => ({ team, by, id: 'listTemplates', query: { ...everything, ...allTemplates } })),
    ...places.flatMap((place): Step[] => [
      { team, by, id: 'listMessages', path: { conversationId: `@own conversations ${place}` }, query: everything },
      { team, by, id: 'listConversationsOfContact', path: { contactId: `@own contacts ${place}` } },
      { team, by, id: 'updateContact', path: { contactId: `@own contacts ${place}` }, body: {} },
      { team, by, id: 'updateDeal', path: { dealId: `@own deals ${place}` }, body: {} },
      { team, by, id: 'updateQuote', path: { quoteId: `@own quotes ${place}` }, body: {} },
    ]),
  ]
})

/** A sequence of steps, from a few records to a look at all that is left; one request in ten comes twice. */
export const sequences: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.tuple(step, oneIn(10, fc.constant('again'))), { minLength: 1, maxLength: 60, size: 'max' })
  .map((steps) => [...furnishing, ...steps.flatMap(([one, again]) => (again ? [one, one] : [one])), ...readings])
