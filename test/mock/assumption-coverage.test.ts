import { beforeAll, expect, it } from 'vitest'
import { createSandbox, type SandboxOptions } from '../../mock/create-sandbox.ts'
import { unmarked } from '../../spec/assumed.ts'
import { assumptionNames } from '../../spec/assumptions.ts'
import { operations, type OperationId } from '../../spec/operations.ts'
import { inTier, sampleOf } from '../tier.ts'
import { concernedBy, examples, operationIds, furnished, unknownId } from './requests.ts'
import { assumedIn, bearerOf, callerOf, type CallOptions } from './helpers.ts'
import { requestExamples, type Requester, type RequestExample } from './examples.ts'
import { describedOperations, document, fieldsOf } from '../../spec/document.ts'
import type { World } from '../../fixtures/world.ts'

/** The operations with an answer that relied on the assumption. */
const relying = new Map<string, Set<OperationId>>(assumptionNames.map((name) => [name, new Set()]))

/** The operations of this run; CI takes all of them. */
const tried = sampleOf(operationIds, inTier({ test: 8, ci: operationIds.length }))

beforeAll(async () => {
  for (const example of [...tried.map(variations), ...requestExamples]) await take(example)
})

it.each(assumptionNames.filter((name) => !unmarked.includes(name)))(
  '%s is relied on by every operation that it is registered for, and by no other',
  (name) => {
    const [found, registered] = [relying.get(name) ?? new Set(), new Set(concernedBy(name))]
    expect(tried.filter((id) => found.has(id))).toEqual(tried.filter((id) => registered.has(id)))
  },
)

const variations = (id: OperationId): RequestExample => ({
  afresh: true,
  ask: async ({ ask }) => {
    for (const variation of variationsOf(id)) await ask(id, variation)
  },
})

async function take({ assume = {}, ask, afresh = false }: RequestExample): Promise<void> {
  let now = Date.parse('2026-03-02T09:30:00Z')
  const options: SandboxOptions = { world: crowded, assume, clock: { now: () => now } }
  await using sandbox = await createSandbox(options)
  const call = callerOf(sandbox)
  const note = (id: OperationId, assumed: readonly string[]) => {
    for (const name of assumed) relying.get(name)?.add(id)
  }
  const requester: Requester = {
    async ask(id, changed = {}) {
      if (afresh) await sandbox.reset()
      note(
        id,
        (await call(id, { ...exampleOf(id), ...changed, path: { ...examples[id].path, ...changed.path } })).assumed,
      )
    },
    async send(id, target, method, body) {
      const init = { method: method.toUpperCase(), headers: { 'x-api-key': 'acme-key' }, ...(body ? { body } : {}) }
      note(id, assumedIn(await sandbox.fetch(target, init)))
    },
    async form(id, fields) {
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.append(name, value)
      const target = operations[id].path.replace('{templateId}', 'approved')
      const init = { method: operations[id].method.toUpperCase(), headers: { 'x-api-key': 'acme-key' }, body }
      note(id, assumedIn(await sandbox.fetch(target, init)))
    },
    as: async (role) => ({ key: null, headers: await bearerOf(sandbox, { role }) }),
    pass(milliseconds) {
      now += milliseconds
    },
    async during(operation, send, work) {
      await sandbox.reset()
      const { id } = await sandbox.gates.add({ operation })
      const sent = send()
      await sandbox.gates.wait(id, { wait: '30s' })
      await work()
      await sandbox.gates.release(id)
      await sent
    },
  }
  await ask(requester)
}

function exampleOf(id: OperationId): CallOptions {
  const { query, body } = examples[id]
  return { query, ...(body ? { body } : {}) }
}

const described = new Map(describedOperations(document).map((operation) => [operation.operationId, operation]))

const values = [
  '',
  null,
  'pigeon',
  -1,
  [],
  ['x'],
  { pigeon: 1 },
  [{ pigeon: 1 }],
  ['1 of many'].concat(Array.from({ length: 1_000 }, () => 'x')),
  '{{contact.firstName}} {{pigeon}}',
  unknownId,
  'GRACE@example.com',
  '+1 415 555 0124',
  'https://192.168.0.1/plan.pdf',
]

const queries: readonly CallOptions['query'][] = [
  { colour: 'teal' },
  { page: 0 },
  { page: 2_000 },
  { limit: 101 },
  { types: 'pigeon' },
  { types: 'sms,email' },
  { types: 'whatsapp', statuses: 'rejected' },
  { 'types[]': 'sms' },
  { channel: 'pigeon' },
  { email: '' },
  { email: 'GRACE@example.com' },
]

/** The example of an operation, and the same request with one thing changed. */
function variationsOf(id: OperationId): CallOptions[] {
  const { path, query, body } = examples[id]
  const plain: CallOptions = { path, query, ...(body ? { body } : {}) }
  const withHeader = (name: string, value: string) => ({ ...plain, headers: { [name]: value } })
  const withId = (to: string) => ({
    ...plain,
    path: Object.fromEntries(Object.keys(path).map((name) => [name, to])),
  })
  return [
    plain,
    { ...plain, key: null },
    withHeader('authorization', 'Bearer x'),
    { ...withHeader('authorization', 'Bearer x'), key: null },
    withHeader('idempotency-key', ''),
    withHeader('content-type', ''),
    withId('not an id'),
    withId(unknownId),
    ...queries.map((changed) => ({ ...plain, query: { ...query, ...changed } })),
    ...(body ? bodiesLike(id, body).map((changed) => ({ ...plain, body: changed })) : []),
  ]
}

function bodiesLike(id: OperationId, body: Readonly<Record<string, unknown>>): unknown[] {
  const { content = {} } = described.get(id)?.requestBody ?? {}
  const listed = Object.values(content).flatMap(({ schema }) => fieldsOf(document, schema))
  const fields = [...new Set([...listed, 'pigeon', '_id', 'createdAt'])]
  return [
    {},
    '',
    { ...body, pigeon: 'x'.repeat(1_100_000) },
    { ...body, pigeon: JSON.parse('['.repeat(40) + ']'.repeat(40)) as unknown },
    ...Object.keys(body).map((field) => ({ ...body, [field]: undefined })),
    ...fields.flatMap((field) => values.map((value) => ({ ...body, [field]: value }))),
  ]
}

const at = '2026-03-01T09:30:00.000Z'

const contact = (_id: string, more: object) => ({
  _id,
  firstName: 'Ada',
  lastName: 'Lovelace',
  teamId: 'acme',
  createdAt: at,
  updatedAt: at,
  ...more,
})

const template = (templateType: string, _id: string, more: object = {}) => ({
  _id,
  templateType,
  name: _id,
  uniqueName: _id,
  content: 'Dear {{1}}',
  category: 'UTILITY',
  language: 'en_US',
  status: 'approved',
  provider: `${templateType}-provider`,
  ownerId: 'acme-admin',
  ...more,
})

const said = (_id: string, channel: string, more: object = {}) => ({
  _id,
  channel,
  direction: 'outgoing',
  content: 'Hello',
  status: 'sent',
  conversationId: 'talk',
  contactId: 'lone-phone',
  createdAt: at,
  ...more,
})

const more = {
  timeZone: 'Europe/Paris',
  customFields: ['tier', 'favouriteColour'],
  contacts: [
    contact('lone-phone', { phone: '+14155550131', status: 'closed', additionalFields: { tier: 'gold', motto: 'Go' } }),
    contact('lone-email', { email: 'lone@example.com' }),
    contact('spaced', { phone: '+1 415 555 0132' }),
    contact('twin', { email: 'twin@example.com', phone: '+14155550133' }),
    contact('other-twin', { email: 'twin@example.com', phone: '+14155550133' }),
  ],
  conversations: [{ _id: 'talk', contactId: 'lone-phone', teamId: 'acme', createdAt: at }],
  messages: [
    said('said-1', 'chat', { source: 'Website', unfilled: 'Hello {{pigeon}}' }),
    said('said-2', 'whatsapp', { failure: 'outsideSession' }),
    said('said-3', 'sms', { failure: 'noSuchNumber' }),
    // The next day in Paris.
    said('said-4', 'whatsapp', { fallback: 'Good day', createdAt: '2026-03-01T23:30:00.000Z' }),
  ],
  templates: [
    template('whatsapp', 'approved'),
    template('whatsapp', 'pending', { status: 'pending' }),
    template('whatsapp', 'made-by-key', { ownerId: undefined }),
    template('email', 'mail', { subject: 'News' }),
  ],
  companies: [{ _id: 'mill', name: 'Mill', teamId: 'acme', contacts: ['lone-email'], additionalFields: { tier: 'x' } }],
  deals: [
    { _id: 'offer', name: 'Offer', pipeline: 'sales', stage: 'offer', contactId: 'lone-email', companyId: 'mill' },
  ],
}

/** The records that the examples of the document name, and records that trigger assumptions: duplicates, agents, custom fields … */
const crowded = {
  teams: furnished.teams.map((team) => {
    if (team._id !== 'acme') return team
    const joined = Object.entries(more).map(([name, added]) => {
      const before = (team as unknown as Record<string, unknown>)[name]
      return [name, Array.isArray(before) ? [...(before as unknown[]), ...(added as unknown[])] : added]
    })
    return { ...team, ...Object.fromEntries(joined) }
  }),
} as World
