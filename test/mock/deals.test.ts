import { describe, expect, it } from 'vitest'
import { promise } from '../../spec/promises.ts'
import { type Call, openSandbox, twoTeams } from './harness.ts'

const deal = { name: 'Engine for the mill', amount: 1200.5, currency: 'EUR', pipeline: 'sales', stage: 'talking' }
const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
const unknownId = '66f0a1b2c3d4e5f601239999'

/** The two teams, each with a pipeline. */
const world = {
  teams: twoTeams.teams.map((team) => ({ ...team, pipelines: [{ _id: 'sales', stages: ['talking', 'won'] }] })),
}

const idOf = async (answer: ReturnType<Call>): Promise<string> => (await answer).body.data._id

describe('A deal', () => {
  it('is created with 200, an id and the fields that were sent, and no others', async () => {
    const { call } = await openSandbox({ world })
    const { status, body, assumed } = await call('createDeal', { body: deal })
    expect(status).toBe(200)
    expect(body.data).toEqual({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), ...deal })
    expect(assumed).toEqual([])
  })

  it('keeps the fields that an update does not mention', async () => {
    const { call } = await openSandbox()
    const { data } = (await call('createDeal', { body: deal })).body
    const { status, body } = await call('updateDeal', { path: { dealId: data._id }, body: { amount: 1100 } })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...data, amount: 1100 })
  })

  it('is gone after its deletion, which answers without data', async () => {
    const { call } = await openSandbox()
    const path = { dealId: await idOf(call('createDeal', { body: deal })) }
    const { status, body, assumed } = await call('deleteDeal', { path })
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'Deal deleted' } })
    expect(assumed).toEqual([])
    expect((await call('updateDeal', { path, body: { name: 'Other' } })).status).toBe(404)
  })

  it('leaves its contact and the conversation in place when it is deleted', async () => {
    const { call } = await openSandbox()
    const contactId = await idOf(call('createContact', { body: ada }))
    await call('deleteDeal', { path: { dealId: await idOf(call('createDeal', { body: { ...deal, contactId } })) } })
    expect((await call('updateContact', { path: { contactId }, body: {} })).body.data).toMatchObject(ada)
  })

  it.each(promise('deal.createRequires').fields)('without its %s is refused', async (field) => {
    const { call } = await openSandbox()
    const { [field]: _, ...others } = deal
    const { status, body } = await call('createDeal', { body: others })
    expect({ status, message: body.message }).toEqual({ status: 400, message: `${field} is required` })
  })

  it('with an amount that is not a number is refused', async () => {
    const { call } = await openSandbox()
    const { status, body } = await call('createDeal', { body: { ...deal, amount: 'much' } })
    expect({ status, message: body.message }).toEqual({ status: 400, message: 'amount must be a number' })
  })

  it.each(['updateDeal', 'deleteDeal'] as const)(
    'of another team is answered by %s like an unknown one, and stays unchanged',
    async (id) => {
      const { call } = await openSandbox()
      const theirs = (await call('createDeal', { body: deal, key: 'globex-key' })).body.data
      const body = id === 'updateDeal' ? { name: 'Ours now' } : undefined
      const unknown = await call(id, { path: { dealId: unknownId }, body })
      const foreign = await call(id, { path: { dealId: theirs._id }, body })
      expect(foreign).toEqual(unknown)
      expect(foreign.body).toEqual({ success: false, message: 'Resource not found' })
      const still = await call('updateDeal', { path: { dealId: theirs._id }, body: {}, key: 'globex-key' })
      expect(still.body.data).toEqual(theirs)
    },
  )
})

describe.each([
  { name: 'currencyForm', choice: 'anyString', field: 'currency', good: 'USD', bad: ['shells', 'eur', 'EURO', ''] },
  {
    name: 'closeDateForm',
    choice: 'anyString',
    field: 'closeDate',
    good: '2026-06-30',
    bad: ['soon', '30.06.2026', '2026-02-30', '2026-06-30T25:00Z', '2026-06-30 10:00', '2026-6-3'],
  },
  { name: 'numberRange', choice: 'accepted', field: 'amount', good: 0, bad: [-1, -0.01] },
] as const)('$name', ({ name, choice, field, good, bad }) => {
  const refusing = { [name]: name === 'numberRange' ? 'refused' : 'checked' }

  it.each(bad.map((value) => [value]))(`=${choice}: accepts %j`, async (value) => {
    const { call } = await openSandbox({ assume: { [name]: choice } })
    const { status, body, assumed } = await call('createDeal', { body: { ...deal, [field]: value } })
    expect({ status, value: body.data[field] }).toEqual({ status: 200, value })
    expect(assumed).toContain(name)
  })

  it.each(bad.map((value) => [value]))(`=${refusing[name]}: refuses %j`, async (value) => {
    const { call } = await openSandbox({ assume: refusing })
    const { status, body, assumed } = await call('createDeal', { body: { ...deal, [field]: value } })
    expect(status).toBe(400)
    expect(body.message).toMatch(new RegExp(`^${field} must be`))
    expect(assumed).toContain(name)
  })

  it('leaves a deal unchanged when its update is refused', async () => {
    const { call } = await openSandbox({ assume: refusing })
    const { data } = (await call('createDeal', { body: deal })).body
    const path = { dealId: data._id }
    expect((await call('updateDeal', { path, body: { name: 'Other', [field]: bad[0] } })).status).toBe(400)
    expect((await call('updateDeal', { path, body: {} })).body.data).toEqual(data)
  })

  it('is not relied on with a valid value', async () => {
    const { call } = await openSandbox({ assume: refusing })
    const { status, assumed } = await call('createDeal', { body: { ...deal, [field]: good } })
    expect(status).toBe(200)
    expect(assumed).not.toContain(name)
  })
})

it.each(['2026-06-30T10:00Z', '2026-06-30T10:00:00.000Z', '2026-06-30T10:00:00+02:00', '2024-02-29'])(
  'closeDateForm=checked: accepts %s',
  async (closeDate) => {
    const { call } = await openSandbox()
    const { status, assumed } = await call('createDeal', { body: { ...deal, closeDate } })
    expect(status).toBe(200)
    expect(assumed).not.toContain('closeDateForm')
  },
)

describe('dealReferences', () => {
  const dangling = [
    ['contactId', unknownId],
    ['contacts', [unknownId]],
    ['companyId', unknownId],
    ['company', unknownId],
    ['owner', unknownId],
    ['pipeline', 'shipping'],
    ['stage', 'lost'],
  ] as const

  it.each(dangling)('=accepted: keeps an unknown %s', async (field, value) => {
    const { call } = await openSandbox({ world })
    const { status, body, assumed } = await call('createDeal', { body: { ...deal, [field]: value } })
    expect({ status, value: body.data[field] }).toEqual({ status: 200, value })
    expect(assumed).toContain('dealReferences')
  })

  it.each(dangling)('=refused: refuses an unknown %s', async (field, value) => {
    const { call } = await openSandbox({ world, assume: { dealReferences: 'refused' } })
    const { status, body, assumed } = await call('createDeal', { body: { ...deal, [field]: value } })
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: `${field} names nothing that this team has`,
    })
    expect(assumed).toContain('dealReferences')
  })

  it('=refused: leaves a deal unchanged when its update is refused', async () => {
    const { call } = await openSandbox({ world, assume: { dealReferences: 'refused' } })
    const { data } = (await call('createDeal', { body: deal })).body
    const path = { dealId: data._id }
    expect((await call('updateDeal', { path, body: { name: 'Other', owner: unknownId } })).status).toBe(400)
    expect((await call('updateDeal', { path, body: {} })).body.data).toEqual(data)
  })

  it('=refused: accepts a deal with known references, without a mark', async () => {
    const { call } = await openSandbox({ world, assume: { dealReferences: 'refused' } })
    const contactId = await idOf(call('createContact', { body: ada }))
    const companyId = await idOf(call('createCompany', { body: { name: 'Engines' } }))
    const references = { contactId, contacts: [contactId], companyId, company: companyId, owner: 'acme-agent' }
    const { status, assumed } = await call('createDeal', { body: { ...deal, ...references } })
    expect(status).toBe(200)
    expect(assumed).not.toContain('dealReferences')
  })

  it('=refused: refuses a contact of another team', async () => {
    const { call } = await openSandbox({ world, assume: { dealReferences: 'refused' } })
    const contactId = await idOf(call('createContact', { body: ada, key: 'globex-key' }))
    expect((await call('createDeal', { body: { ...deal, contactId } })).status).toBe(400)
  })
})

describe('quotesOfDeletedDeal', () => {
  it.each([
    ['deleted', 404],
    ['kept', 200],
  ] as const)('=%s: an update of the quote answers %i after the deletion of its deal', async (choice, status) => {
    const { call } = await openSandbox({ assume: { quotesOfDeletedDeal: choice } })
    const dealId = await idOf(call('createDeal', { body: deal }))
    const other = await idOf(call('createDeal', { body: deal }))
    const path = { quoteId: await idOf(call('createQuote', { body: { dealId } })) }
    const spared = { quoteId: await idOf(call('createQuote', { body: { dealId: other } })) }

    expect((await call('deleteDeal', { path: { dealId } })).assumed).toEqual(['quotesOfDeletedDeal'])
    expect((await call('updateQuote', { path, body: { notes: 'Hello' } })).status).toBe(status)
    expect((await call('updateQuote', { path: spared, body: { notes: 'Hello' } })).status).toBe(200)
  })

  it('=deleted: a quote that was deleted with its deal counts as deleted', async () => {
    const { call } = await openSandbox({ assume: { deleteAgain: 'succeeds' } })
    const dealId = await idOf(call('createDeal', { body: deal }))
    const path = { quoteId: await idOf(call('createQuote', { body: { dealId } })) }
    await call('deleteDeal', { path: { dealId } })
    expect((await call('deleteQuote', { path })).status).toBe(200)
  })
})

describe('recordFields', () => {
  it.each([
    ['allSent', { ...deal, closeDate: '2026-06-30' }],
    ['onlyShown', deal],
  ] as const)('=%s decides which fields a deal shows', async (choice, expected) => {
    const { call } = await openSandbox({ assume: { recordFields: choice } })
    const { body, assumed } = await call('createDeal', { body: { ...deal, closeDate: '2026-06-30' } })
    expect(body.data).toEqual({ _id: body.data._id, ...expected })
    expect(assumed).toContain('recordFields')
  })
})

it.each([
  ['record', deal.name],
  ['messageOnly', undefined],
] as const)('recordAfterUpdate=%s: the answer to an update shows the name %s', async (choice, name) => {
  const { call } = await openSandbox({ assume: { recordAfterUpdate: choice } })
  const path = { dealId: await idOf(call('createDeal', { body: deal })) }
  const { status, body, assumed } = await call('updateDeal', { path, body: { amount: 1 } })
  expect({ status, name: body.data?.name }).toEqual({ status: 200, name })
  expect(assumed).toContain('recordAfterUpdate')
})
