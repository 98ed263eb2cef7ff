import { describe, expect, it } from 'vitest'
import type { World } from '../../fixtures/world.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { ada, idOf, unknownId } from './contact-calls.ts'
import { seeEachChoice } from './each-choice.ts'
import { type Call, openSandbox, twoTeams } from './harness.ts'

const engine = { name: 'Difference engine', unitPrice: 1200 }
const mill = { name: 'Mill', domain: 'mill.example.com' }
const deal = { name: 'Engine', pipeline: 'sales', stage: 'talking' }

/** The two teams, each with a pipeline. */
const world: World = {
  teams: twoTeams.teams.map((team) => ({ ...team, pipelines: [{ _id: 'sales', stages: ['talking', 'won'] }] })),
}

const company = (call: Call, fields: object = {}) => call('createCompany', { body: { ...mill, ...fields } })
const createDeal = (call: Call, fields: object = {}) => call('createDeal', { body: { ...deal, ...fields } })
const createQuote = async (call: Call, fields: object = {}) =>
  call('createQuote', { body: { dealId: await idOf(createDeal(call)), ...fields } })
const contact = (call: Call, key = 'acme-key') => idOf(call('createContact', { body: ada, key }))
const read = async (call: Call, kind: 'Contact' | 'Deal', path: Record<string, string>) =>
  (await call(`update${kind}`, { path, body: {} })).body.data

seeEachChoice({
  recordFields: {
    story: async (call) => {
      const told = await company(call, { industry: 'Machinery' })
      const shownDeal = await createDeal(call, { closeDate: '2026-06-30' })
      const path = { quoteId: await idOf(createQuote(call)) }
      const quote = await call('updateQuote', { path, body: { terms: 'Net 30' } })
      return { told, seen: [told.body.data.industry, shownDeal.body.data.closeDate, quote.body.data.terms] }
    },
    shows: {
      allSent: ['Machinery', '2026-06-30', 'Net 30'],
      onlyShown: [undefined, undefined, undefined],
    },
    otherwise: (call) => company(call),
  },
  recordAfterUpdate: {
    story: async (call) => {
      const path = { companyId: await idOf(company(call)) }
      const told = await call('updateCompany', { path, body: { name: 'Engines' } })
      return { told, seen: [told.body.message, told.body.data?.name] }
    },
    shows: { record: ['Company updated', 'Engines'], messageOnly: ['Company updated', undefined] },
    otherwise: (call) => company(call),
  },
  contactReferences: {
    story: (call) => company(call, { contacts: [unknownId] }),
    shows: { accepted: 201, refused: 400 },
    otherwise: async (call) => company(call, { contacts: [await contact(call)] }),
  },
  referencesAfterDelete: {
    story: async (call) => {
      const [companyId, other] = [await idOf(company(call)), await idOf(company(call))]
      const contactId = await contact(call)
      await call('updateContact', { path: { contactId }, body: { company: companyId } })
      const dealId = await idOf(createDeal(call, { companyId, company: other }))
      const told = await call('deleteCompany', { path: { companyId } })
      const sale = await read(call, 'Deal', { dealId })
      const left = [(await read(call, 'Contact', { contactId })).company, sale.companyId, sale.company]
      return { told, seen: left.map((id) => (id === other ? 'other' : id === companyId ? 'deleted' : id)) }
    },
    shows: { kept: ['deleted', 'deleted', 'other'], cleared: [undefined, undefined, 'other'] },
    // The deleted company listed the contact twice before.
    otherwise: async (call) => {
      const contactId = await contact(call)
      const path = { companyId: await idOf(company(call, { contacts: [contactId, contactId] })) }
      await call('updateCompany', { path, body: { contacts: [contactId] } })
      await call('deleteCompany', { path })
      return call('deleteContact', { path: { contactId } })
    },
  },
  deleteAgain: {
    story: async (call) => {
      const path = { productId: await idOf(call('createProduct', { body: engine })) }
      await call('deleteProduct', { path })
      return call('deleteProduct', { path })
    },
    shows: { notFound: 404, succeeds: 200 },
    // The deleted record was of another kind.
    otherwise: async (call) => {
      const companyId = await idOf(company(call))
      await call('deleteCompany', { path: { companyId } })
      return call('deleteProduct', { path: { productId: companyId } })
    },
  },
  quotesOfDeletedDeal: {
    story: async (call) => {
      const dealId = await idOf(createDeal(call))
      const quotes = [await idOf(call('createQuote', { body: { dealId } })), await idOf(createQuote(call))]
      const told = await call('deleteDeal', { path: { dealId } })
      const updates = quotes.map((quoteId) => call('updateQuote', { path: { quoteId }, body: {} }))
      return { told, seen: (await Promise.all(updates)).map(({ status }) => status) }
    },
    shows: { deleted: [404, 200], kept: [200, 200] },
    otherwise: async (call) => call('deleteDeal', { path: { dealId: await idOf(createDeal(call)) } }),
  },
  quoteOfUnknownDeal: {
    story: async (call) => {
      const told = await call('createQuote', { body: { dealId: unknownId } })
      const theirs = await idOf(call('createDeal', { body: deal, key: 'globex-key' }))
      const foreign = await call('createQuote', { body: { dealId: theirs } })
      return { told, seen: [told.status, told.body.message, foreign.status] }
    },
    shows: {
      notFound: [404, 'Resource not found', 404],
      badRequest: [400, 'dealId names no deal that this team has', 400],
    },
    otherwise: (call) => createQuote(call),
  },
  quoteNameWhenAbsent: {
    story: async (call) => {
      const told = await createQuote(call)
      return { told, seen: told.body.data.name }
    },
    shows: { dealName: 'Engine', quoteForDeal: 'Quote for Engine' },
    otherwise: (call) => createQuote(call, { name: 'Other' }),
  },
  otherQuoteTemplate: {
    story: async (call) => {
      const told = await createQuote(call, { template: 'roses' })
      const path = { quoteId: await idOf(createQuote(call)) }
      const updated = await call('updateQuote', { path, body: { template: 'tulips' } })
      return { told, seen: [told.status, updated.status] }
    },
    shows: { accepted: [201, 200], refused: [400, 400] },
    otherwise: (call) => createQuote(call, { template: 'default-basic' }),
  },
})

const dangling = { contactId: unknownId, contacts: [unknownId], companyId: unknownId, company: unknownId }

/** A value that this choice refuses. */
type Row = [name: keyof WrittenChoices, choice: string, kind: 'Deal' | 'Product', fields: object]
const refusals: readonly Row[] = [
  ...['shells', 'eur', 'EURO', ''].map(
    (currency): Row => ['currencyForm', 'checked', 'Deal', { currency }] satisfies Row,
  ),
  ...['soon', '30.06.2026', '2026-02-30', '2026-06-30T25:00Z', '2026-06-30 10:00', '2026-6-3'].map((closeDate): Row => [
    'closeDateForm',
    'checked',
    'Deal',
    { closeDate },
  ]),
  ...[-1, -0.01].map((amount): Row => ['numberRange', 'refused', 'Deal', { amount }]),
  ...['unitPrice', 'unitCost'].map((field): Row => ['numberRange', 'refused', 'Product', { [field]: -0.5 }]),
  ...Object.entries({ ...dangling, owner: unknownId, pipeline: 'shipping', stage: 'lost' }).map(
    ([field, value]): Row => ['dealReferences', 'refused', 'Deal', { [field]: value }],
  ),
]

describe.each(refusals)('%s=%s', (name, choice, kind, fields) => {
  const body = { ...(kind === 'Deal' ? deal : engine), ...fields }
  const [field = ''] = Object.keys(fields)

  it(`refuses ${JSON.stringify(fields)} in a ${kind}, and changes nothing`, async () => {
    const { sandbox, call } = await openSandbox({ world, assume: { [name]: choice } })
    const _id = await idOf(call(`create${kind}`, { body: kind === 'Deal' ? deal : engine }))
    const before = await sandbox.world()
    const update = { path: { [`${kind.toLowerCase()}Id`]: _id }, body: { name: 'Other', ...fields } }
    for (const refused of [await call(`create${kind}`, { body }), await call(`update${kind}`, update)]) {
      expect([refused.status, refused.body.message]).toEqual([
        400,
        expect.stringMatching(`^${field} (must be|names nothing that this team has)`),
      ])
      expect(refused.assumed).toContain(name)
    }
    expect(await sandbox.world()).toEqual(before)
  })

  it(`is not assumed, and ${JSON.stringify(fields)} is accepted`, async () => {
    const accepting = { currencyForm: 'anyString', closeDateForm: 'anyString', numberRange: 'accepted' }
    const { call } = await openSandbox({
      world,
      assume: { ...accepting, dealReferences: 'accepted' } as WrittenChoices,
    })
    const { status, body: told, assumed } = await call(`create${kind}`, { body })
    expect([status, told.data]).toEqual([kind === 'Deal' ? 200 : 201, expect.objectContaining(fields)])
    expect(assumed).toContain(name)
  })
})

it('relies on none of them with valid values', async () => {
  const refusing = { currencyForm: 'checked', closeDateForm: 'checked', numberRange: 'refused' } as const
  const { call } = await openSandbox({ world, assume: { ...refusing, dealReferences: 'refused' } })
  const contactId = await contact(call)
  const companyId = await idOf(company(call))
  const references = { contactId, contacts: [contactId], companyId, company: companyId, owner: 'acme-agent' }
  for (const closeDate of ['2026-06-30', '2026-06-30T10:00Z', '2026-06-30T10:00:00.000+02:00', '2024-02-29']) {
    const { status, assumed } = await createDeal(call, { ...references, currency: 'USD', amount: 0, closeDate })
    expect([status, assumed]).toEqual([200, ['recordFields']])
  }
  expect((await call('createProduct', { body: { ...engine, unitPrice: 0 } })).assumed).toEqual([])
})

it('takes a contact of another team for an unknown one', async () => {
  const { call } = await openSandbox({ world, assume: { contactReferences: 'refused', dealReferences: 'refused' } })
  const theirs = await contact(call, 'globex-key')
  expect((await company(call, { contacts: [theirs] })).status).toBe(400)
  expect((await createDeal(call, { contactId: theirs })).status).toBe(400)
})

it('quoteOfUnknownDeal is checked before the template of the quote', async () => {
  const { call } = await openSandbox({ assume: { otherQuoteTemplate: 'refused' } })
  expect((await call('createQuote', { body: { dealId: unknownId, template: 'roses' } })).status).toBe(404)
})

it('deleteAgain=succeeds counts a quote as deleted that was deleted with its deal', async () => {
  const { call } = await openSandbox({ assume: { deleteAgain: 'succeeds' } })
  const dealId = await idOf(createDeal(call))
  const path = { quoteId: await idOf(call('createQuote', { body: { dealId } })) }
  await call('deleteDeal', { path: { dealId } })
  expect((await call('deleteQuote', { path })).status).toBe(200)
})
