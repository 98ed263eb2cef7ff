import fc from 'fast-check'
import { operations, type OperationId } from '../../../spec/operations.ts'
import type { ApiKind as Kind } from '../../../fixtures/records.ts'
import { partsOfRequest, type Vocabulary } from '../fuzz/requests.ts'
import { operationIds } from '../requests.ts'

type Body = Readonly<Record<string, unknown>>
type Spoil = (body: Body, id: OperationId) => unknown[]

/** Ways to turn a body that may be accepted into one that must be refused. */
const spoils = {
  isAList: () => [[]],
  isNull: () => [null],
  lacksAField: (body, id) =>
    fieldsOf(body, (field) => isRefused(without(body, field), id)).map((field) => without(body, field)),
  hasAnEmptyField: (body, id) =>
    fieldsOf(body, (field) => isRefused(without(body, field), id)).map((field) => ({ ...body, [field]: '' })),
  hasANumberForText: (body, id) =>
    Object.keys(body)
      .map((field) => ({ ...body, [field]: 7 }))
      .filter((spoilt) => isRefused(spoilt, id)),
  hasAStrayField: (body, id) =>
    /^.api.(messages|conversations)/.test(operations[id].path) ? [{ ...body, pigeon: true }] : [],
  hasNoAddress: (body, id) =>
    takesAddresses(id)
      ? fieldsOf(body, (field) => addressesOf(id).includes(field)).map((field) => ({ ...body, [field]: 'x' }))
      : [],
} satisfies Record<string, Spoil>

/** The phone of a contact may have any form. */
const addressesOf = (id: OperationId) => (/contact/i.test(id) ? ['email', 'to'] : ['email', 'phone', 'to'])

export const waysToSpoil = Object.keys(spoils) as (keyof typeof spoils)[]

/** The body spoilt in this way, or an empty list when that is not possible. */
export function spoilt(body: Body, id: OperationId, way: keyof typeof spoils): unknown {
  const all: Spoil = spoils[way]
  return all(body, id)[0] ?? []
}

const fieldsOf = (body: Body, isMeant: (field: string) => boolean) => Object.keys(body).filter(isMeant)

const without = (body: Body, field: string): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))

const isRefused = (body: Body, id: OperationId) => operations[id].body('application/json')?.check(body) !== undefined

/** The operations that check addresses before anything else, such as unknown ids. */
const takesAddresses = (id: OperationId) =>
  operations[id].method === 'post' && ['contacts', 'conversations', 'messages'].includes(operations[id].group)

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

/** Mostly a record of the team; sometimes one of the other team, or an unknown id. */
function ref(kind: Kind): fc.Arbitrary<string> {
  const at = fc.constantFrom(0, 0, 1, 2)
  return fc.oneof(
    { weight: 14, arbitrary: at.map((place) => `@own ${kind} ${place}`) },
    { weight: 5, arbitrary: at.map((place) => `@foreign ${kind} ${place}`) },
    { weight: 1, arbitrary: fc.constantFrom('0123456789abcdef01234567', 'not an id') },
  )
}

const emails = ['ada@example.com', 'Ada@Example.com', 'grace@example.com', 'alan@example.com']
const phones = ['+14155550123', '+14155550124', '+14155550125']
const text = fc.constantFrom(
  'Hello',
  'Hello {{contact.firstName}}',
  '{{lastName}}, {{contact.pigeon}}',
  '{{2}} and {{1}}',
)
const person = fc.constantFrom('Ada', 'Grace', 'Alan {{lastName}}')
const word = fc.constantFrom('engine', 'mill')
const date = fc.constantFrom('2026-06-30', '2026-06-30T12:00:00Z')
const group = fc.constantFrom('buyers', 'friends')
const [contact, company] = [ref('contacts'), ref('companies')]

const provider = fc.oneof(
  { weight: 9, arbitrary: fc.constant('@provider') },
  { weight: 1, arbitrary: fc.constantFrom('email-provider', 'nobody') },
)

/** Few values, so that they collide. */
const few: Vocabulary = {
  text: word,
  email: fc.constantFrom(...emails),
  phone: fc.constantFrom(...phones),
  instant: fc.constant('2026-12-31T00:00:00.000Z'),
  number: fc.constantFrom(-1, 0, 12.5, 1200),
  integer: fc.constantFrom(1, 1, 1, 1, 2, 2, 3, 101, 0),
  any: word,
  unlisted: fc.record(
    { shelf: word, _id: fc.constant('mine'), teamId: fc.constant('another'), createdAt: fc.constant('1999-12-31') },
    { requiredKeys: [] },
  ),
  fields: {
    ...{ contactId: contact, recipientId: contact, recipientIds: contact, contacts: contact, companyId: company },
    ...{ conversationId: ref('conversations'), templateId: ref('templates'), replyToMessageId: ref('messages') },
    ...{ productId: ref('products'), dealId: ref('deals'), quoteId: ref('quotes') },
    ...{ firstName: person, lastName: person, name: person, content: text, subject: text },
    ...{ groupId: group, groupIds: group },
    email: fc.constantFrom(...emails),
    phone: fc.constantFrom(...phones),
    uniqueName: fc.nat({ max: 20 }).map((count) => `template_${count}`),
    to: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 4 }).map((places) => `@addresses ${places.join(' ')}`),
    ...{ provider, providerId: provider },
    lifecycleStage: fc.constantFrom('Lead', 'Customer'),
    category: fc.constantFrom('UTILITY', 'MARKETING', 'engine'),
    language: fc.constantFrom('en', 'pigeon'),
    currency: fc.constantFrom('EUR', 'USD'),
    ...{ closeDate: date, expirationDate: date },
    ...{ date: fc.constant('2040-01-31'), time: fc.constant('09:00') },
    mediaUrl: fc.constant('https://files.example.com/plan.pdf'),
    attachments: fc.constant({ fileName: 'plan.pdf', mediaType: 'file' }),
    bodyParameters: fc.record({ type: fc.constant('text'), text: word }),
  },
}

interface Sent {
  readonly channel?: string
  readonly templateType?: string
  readonly templateId?: string
}

/** The body with the provider and the addresses of its channel. */
function fitted(body: Sent): object {
  const { channel, templateType } = body
  const known = channel === 'email' ? emails : phones
  return JSON.parse(JSON.stringify(body), (_, value: unknown) => {
    if (value === '@provider') return `${channel ?? templateType}-provider`
    const [name, ...places] = String(value).split(' ')
    return name === '@addresses' ? places.map((place) => known[Number(place)] ?? 'x').join() : value
  }) as object
}

/** Few templates are approved and of the right type, so most requests that name one are refused. */
function simplified({ templateId, ...body }: Sent, id: OperationId): Sent {
  return id === 'updateTemplate' ? { ...body, templateType: 'whatsapp' } : body
}

const oneIn = <Value>(times: number, arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

const team = fc.constantFrom<TeamName>('acme', 'acme', 'globex')

function requestsOf(id: OperationId): fc.Arbitrary<Request> {
  const { path, query, bodies } = partsOfRequest(id, few)
  const body = (bodies['application/json'] ?? fc.constant(undefined)) as fc.Arbitrary<Sent | undefined>
  return fc
    .record({
      team,
      sent: fc.record({ path, query, body }),
      by: fc.constantFrom<Request['by']>('key', 'key', 'agent', 'admin'),
      key: oneIn(6, fc.constantFrom('once', 'twice', 'thrice')),
      way: oneIn(12, fc.constantFrom(...waysToSpoil)),
      isSimple: fc.boolean(),
    })
    .map(({ team, sent: { body, ...sent }, by, key, way, isSimple }) => ({
      ...(sent as Pick<Request, 'path' | 'query'>),
      id,
      team,
      by: team === 'acme' ? by : 'key',
      ...(body === undefined ? {} : { body: bodyOf(isSimple ? simplified(body, id) : body, id, way) }),
      ...(key !== undefined && operations[id].takesIdempotencyKey ? { key } : {}),
    }))
}

function bodyOf(sent: Sent, id: OperationId, way: (typeof waysToSpoil)[number] | undefined): unknown {
  const body = fitted(sent)
  return way === undefined ? body : spoilt(body as Readonly<Record<string, unknown>>, id, way)
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
const allTemplates = { types: ['sms', 'email', 'whatsapp'], statuses: ['approved', 'pending', 'rejected'] }

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
