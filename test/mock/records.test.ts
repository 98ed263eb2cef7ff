import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../spec/operations.ts'
import { promise } from '../../spec/promises.ts'
import { idOf, unknownId } from './contact-calls.ts'
import { type Call, openSandbox, twoTeams } from './harness.ts'

/** Without the pipeline, the answer relies on `dealReferences`. */
const withPipeline = {
  teams: twoTeams.teams.map((team) => ({ ...team, pipelines: [{ _id: 'sales', stages: ['talking'] }] })),
}

const deal = { name: 'Engine for the mill', amount: 1200.5, currency: 'EUR', pipeline: 'sales', stage: 'talking' }

/** A body for each kind, the fields that the answer adds, and a change. */
const kinds = {
  Company: {
    status: 201,
    body: { name: 'Analytical Engines', domain: 'engines.example.com' },
    added: { teamId: 'acme' },
    change: { name: 'Engines' },
  },
  Product: {
    status: 201,
    body: { name: 'Difference engine', sku: 'DE-1', unitPrice: 1200.5, unitCost: 800 },
    added: {},
    change: { unitPrice: 1300 },
  },
  Deal: { status: 200, body: deal, added: {}, change: { amount: 1100 } },
  Quote: {
    status: 201,
    body: { name: 'The second engine' },
    added: { status: 'draft', template: 'default-basic' },
    change: { status: 'published' },
  },
} as const
type Kind = keyof typeof kinds

async function bodyOf(call: Call, kind: Kind, key = 'acme-key') {
  const { body } = kinds[kind]
  return kind === 'Quote' ? { ...body, dealId: await idOf(call('createDeal', { body: deal, key })) } : body
}

const create = async (call: Call, kind: Kind, fields: object = {}, key = 'acme-key') =>
  call(`create${kind}`, { body: { ...(await bodyOf(call, kind, key)), ...fields }, key })

const pathOf = (kind: Kind, _id: string) => ({ [`${kind.toLowerCase()}Id`]: _id })

const update = (call: Call, kind: Kind, _id: string, body: object, key = 'acme-key') =>
  call(`update${kind}`, { path: pathOf(kind, _id), body, key })

describe.each(Object.keys(kinds) as Kind[])('A %s', (kind) => {
  const { status, added, change } = kinds[kind]

  it('is created with an id and the fields that were sent, and no others', async () => {
    const { call } = await openSandbox({ world: withPipeline })
    const body = await bodyOf(call, kind)
    const created = await call(`create${kind}`, { body })
    expect(created).toEqual({
      status,
      body: {
        success: true,
        message: `${kind} created`,
        data: { _id: expect.stringMatching(/^[0-9a-f]{24}$/), ...body, ...added },
      },
      assumed: [],
    })
  })

  it('keeps the fields that an update does not mention', async () => {
    const { call } = await openSandbox()
    const { data } = (await create(call, kind)).body
    for (const fields of [change, {}]) {
      const { status, body, assumed } = await update(call, kind, data._id as string, fields)
      expect([status, body.data, assumed]).toEqual([200, { ...data, ...change }, ['recordAfterUpdate']])
    }
  })

  it('is gone after its deletion, which answers without data', async () => {
    const { call } = await openSandbox()
    const id = await idOf(create(call, kind))
    const { status, body } = await call(`delete${kind}`, { path: pathOf(kind, id) })
    expect([status, body]).toEqual([200, { success: true, message: `${kind} deleted` }])
    expect((await update(call, kind, id, change)).status).toBe(404)
  })

  it.each(['update', 'delete'] as const)(
    'of another team is answered by %s like an unknown one, and stays unchanged',
    async (verb) => {
      const { sandbox, call } = await openSandbox()
      const theirs = await idOf(create(call, kind, {}, 'globex-key'))
      const before = await sandbox.world()
      const ask = (_id: string) =>
        call(`${verb}${kind}`, { path: pathOf(kind, _id), ...(verb === 'update' ? { body: change } : {}) })
      const foreign = await ask(theirs)
      expect(foreign).toEqual(await ask(unknownId))
      expect([foreign.status, foreign.body]).toEqual([404, { success: false, message: 'Resource not found' }])
      expect(await sandbox.world()).toEqual(before)
    },
  )
})

it.each<[verb: 'create' | 'update', kind: Kind, fields: object, message: string | RegExp]>([
  ['create', 'Company', { name: undefined }, 'name is required'],
  ['create', 'Company', { name: 1 }, 'name must be a string'],
  ['update', 'Company', { annualRevenue: 'much' }, 'annualRevenue must be a number'],
  ['update', 'Company', { contacts: 'ada' }, 'contacts must be a JSON array'],
  ['create', 'Product', { name: '' }, 'name is required, and an empty string counts as missing'],
  ['create', 'Product', { unitPrice: undefined }, 'unitPrice is required'],
  ['create', 'Product', { unitPrice: 'ten' }, 'unitPrice must be a number'],
  ['update', 'Product', { unitCost: '1' }, 'unitCost must be a number'],
  ['update', 'Product', { billingFrequency: 'hourly' }, /^billingFrequency must be one of/],
  ...promise('deal.createRequires').fields.map((field): ['create', 'Deal', object, string] => [
    'create',
    'Deal',
    { [field]: undefined },
    `${field} is required`,
  ]),
  ['update', 'Deal', { amount: 'much' }, 'amount must be a number'],
  ['create', 'Quote', { dealId: undefined }, 'dealId is required'],
  ['update', 'Quote', { status: 'lost' }, /^status must be one of draft, published/],
  ['update', 'Quote', { signatureOption: 'thumb' }, /^signatureOption must be one of/],
  ['update', 'Quote', { expirationDate: 'soon' }, /^expirationDate must be an ISO date/],
  ['update', 'Quote', { acceptOnlinePayment: 'yes' }, /^acceptOnlinePayment must be true or false/],
])('%s%s refuses %j, and changes nothing', async (verb, kind, fields, message) => {
  const { sandbox, call } = await openSandbox()
  const body = { ...(await bodyOf(call, kind)), ...fields }
  const path = verb === 'update' ? pathOf(kind, await idOf(create(call, kind))) : {}
  const before = await sandbox.world()
  const refused = await call(`${verb}${kind}` as OperationId, { path, body })
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(message)])
  expect(await sandbox.world()).toEqual(before)
})

it('takes every documented billing frequency', async () => {
  const { call } = await openSandbox()
  for (const id of ['product.billingOfTheSchema', 'product.billingOfTheProse'] as const)
    for (const billingFrequency of promise(id).values)
      expect((await create(call, 'Product', { billingFrequency })).body.data).toMatchObject({ billingFrequency })
})

describe('A quote', () => {
  it('may change from any documented status to any other, which no assumption decides', async () => {
    const { call } = await openSandbox()
    const id = await idOf(create(call, 'Quote'))
    const statuses = [...promise('quote.statusesOfTheProse').values, ...promise('quote.statusesOfTheSchema').values]
    for (const status of [...statuses, ...statuses.toReversed()]) {
      const { body, assumed } = await update(call, 'Quote', id, { status })
      expect([body.data.status, assumed]).toEqual([status, ['recordAfterUpdate']])
    }
  })

  it('starts as a draft whatever status is sent, and keeps its deal', async () => {
    const { call } = await openSandbox()
    const { data } = (await create(call, 'Quote', { status: 'accepted' })).body
    const { body } = await update(call, 'Quote', data._id as string, { dealId: unknownId, terms: 'Net 30' })
    expect(body.data).toMatchObject({ status: 'draft', dealId: data.dealId as string, terms: 'Net 30' })
  })
})

it('leaves the contact of a deleted deal in place', async () => {
  const { call } = await openSandbox()
  const ada = { firstName: 'Ada', lastName: 'Lovelace' }
  const contactId = await idOf(call('createContact', { body: ada }))
  await call('deleteDeal', { path: { dealId: await idOf(create(call, 'Deal', { contactId })) } })
  expect((await call('updateContact', { path: { contactId }, body: {} })).body.data).toMatchObject(ada)
})

it('deletes two records of different kinds with one id', async () => {
  const acme = { _id: 'acme', name: 'acme', apiKeys: ['acme-key'] }
  const product = { _id: 'one', name: 'Engine', unitPrice: 1 }
  const quote = { _id: 'one', dealId: 'two', status: 'draft' } as const
  const { call } = await openSandbox({ world: { teams: [{ ...acme, products: [product], quotes: [quote] }] } })
  expect((await call('deleteProduct', { path: { productId: 'one' } })).status).toBe(200)
  expect((await call('deleteQuote', { path: { quoteId: 'one' } })).status).toBe(200)
})
