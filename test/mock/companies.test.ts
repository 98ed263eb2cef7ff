import { describe, expect, it } from 'vitest'
import { promise } from '../../spec/promises.ts'
import { type Call, openSandbox } from './harness.ts'

const acme = { name: 'Analytical Engines', domain: 'engines.example.com' }
const unknownId = '66f0a1b2c3d4e5f601239999'

const idOf = async (answer: ReturnType<Call>): Promise<string> => (await answer).body.data._id

describe('A company', () => {
  it('is created with an id, its team and the fields that were sent, and no others', async () => {
    const { call } = await openSandbox()
    const { status, body, assumed } = await call('createCompany', { body: acme })
    expect(status).toBe(201)
    expect(body.data).toEqual({ _id: expect.stringMatching(/^[0-9a-f]{24}$/), ...acme, teamId: 'acme' })
    expect(assumed).toEqual([])
  })

  it('keeps the fields that an update does not mention', async () => {
    const { call } = await openSandbox()
    const { data } = (await call('createCompany', { body: acme })).body
    const { status, body } = await call('updateCompany', { path: { companyId: data._id }, body: { name: 'Engines' } })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...data, name: 'Engines' })
  })

  it('can be updated with any single field', async () => {
    const { call } = await openSandbox()
    const path = { companyId: await idOf(call('createCompany', { body: acme })) }
    for (const field of promise('company.updateTakesAnyOneField').fields) {
      const value = field === 'additionalFields' ? { tier: 'gold' } : `new ${field}`
      const { status, body } = await call('updateCompany', { path, body: { [field]: value } })
      expect({ status, value: body.data[field] }).toEqual({ status: 200, value })
    }
  })

  it('is gone after its deletion, which answers without data', async () => {
    const { call } = await openSandbox()
    const path = { companyId: await idOf(call('createCompany', { body: acme })) }
    const { status, body, assumed } = await call('deleteCompany', { path })
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'Company deleted' } })
    expect(assumed).toEqual([])
    expect((await call('updateCompany', { path, body: { name: 'Engines' } })).status).toBe(404)
  })

  it.each([
    ['no name', { domain: 'engines.example.com' }, 'name is required'],
    ['a name that is not a string', { name: 1 }, 'name must be a string'],
    ['revenue as text', { ...acme, annualRevenue: 'much' }, 'annualRevenue must be a number'],
    ['contacts that are not a list', { ...acme, contacts: 'ada' }, 'contacts must be a JSON array'],
  ])('with %s is refused', async (_, body, message) => {
    const { call } = await openSandbox()
    const answer = await call('createCompany', { body })
    expect({ status: answer.status, message: answer.body.message }).toEqual({ status: 400, message })
  })

  it.each(['updateCompany', 'deleteCompany'] as const)(
    'of another team is answered by %s like an unknown one, and stays unchanged',
    async (id) => {
      const { call } = await openSandbox()
      const theirs = (await call('createCompany', { body: acme, key: 'globex-key' })).body.data
      const body = id === 'updateCompany' ? { name: 'Ours now' } : undefined
      const unknown = await call(id, { path: { companyId: unknownId }, body })
      const foreign = await call(id, { path: { companyId: theirs._id }, body })
      expect(foreign).toEqual(unknown)
      expect(foreign.body).toEqual({ success: false, message: 'Resource not found' })
      const still = await call('updateCompany', { path: { companyId: theirs._id }, body: {}, key: 'globex-key' })
      expect(still.body.data).toEqual(theirs)
    },
  )
})

describe('recordFields', () => {
  const sent = { ...acme, industry: 'Machinery', motto: 'Eppur si muove' }

  it('=allSent: shows every field that was sent', async () => {
    const { call } = await openSandbox({ assume: { unlistedFields: 'kept' } })
    const { body, assumed } = await call('createCompany', { body: sent })
    expect(body.data).toMatchObject(sent)
    expect(assumed).toContain('recordFields')
  })

  it('=onlyShown: shows the documented fields, and stores the others', async () => {
    const { call } = await openSandbox({ assume: { recordFields: 'onlyShown' } })
    const { body, assumed } = await call('createCompany', { body: sent })
    expect(body.data).toEqual({ _id: body.data._id, ...acme, teamId: 'acme' })
    expect(assumed).toContain('recordFields')
  })

  it('is not relied on when a company has documented fields only', async () => {
    const { call } = await openSandbox()
    expect((await call('createCompany', { body: acme })).assumed).not.toContain('recordFields')
  })
})

describe('recordAfterUpdate', () => {
  it.each([
    ['record', { success: true, message: 'Company updated', data: { ...acme, name: 'Engines', teamId: 'acme' } }],
    ['messageOnly', { success: true, message: 'Company updated' }],
  ] as const)('=%s decides whether the answer to an update has the record', async (choice, expected) => {
    const { call } = await openSandbox({ assume: { recordAfterUpdate: choice } })
    const _id = await idOf(call('createCompany', { body: acme }))
    const { status, body, assumed } = await call('updateCompany', {
      path: { companyId: _id },
      body: { name: 'Engines' },
    })
    expect(status).toBe(200)
    expect(body).toEqual('data' in expected ? { ...expected, data: { _id, ...expected.data } } : expected)
    expect(assumed).toEqual(['recordAfterUpdate'])
  })
})

it('accepts an update without a field, which changes nothing', async () => {
  const { call } = await openSandbox()
  const { _id, ...company } = (await call('createCompany', { body: acme })).body.data
  const { status, body, assumed } = await call('updateCompany', { path: { companyId: _id }, body: {} })
  expect({ status, data: body.data, assumed }).toEqual({
    status: 200,
    data: { _id, ...company },
    assumed: ['recordAfterUpdate'],
  })
})

describe('nestedUpdate', () => {
  it.each([
    ['replaced', { tier: 'silver' }],
    ['merged', { tier: 'silver', since: 1837 }],
  ] as const)('=%s: the custom fields after an update are %j', async (choice, additionalFields) => {
    const { call } = await openSandbox({ assume: { nestedUpdate: choice } })
    const body = { ...acme, additionalFields: { tier: 'gold', since: 1837 } }
    const path = { companyId: await idOf(call('createCompany', { body })) }
    const answer = await call('updateCompany', { path, body: { additionalFields: { tier: 'silver' } } })
    expect(answer.body.data.additionalFields).toEqual(additionalFields)
    expect(answer.assumed).toContain('nestedUpdate')
  })
})

describe('contactReferences', () => {
  it('=accepted: keeps the id of an unknown contact', async () => {
    const { call } = await openSandbox()
    const { status, body, assumed } = await call('createCompany', { body: { ...acme, contacts: [unknownId] } })
    expect({ status, contacts: body.data.contacts }).toEqual({ status: 201, contacts: [unknownId] })
    expect(assumed).toContain('contactReferences')
  })

  it('=refused: refuses an unknown contact on create and on update, and changes nothing', async () => {
    const { call } = await openSandbox({ assume: { contactReferences: 'refused' } })
    const refused = await call('createCompany', { body: { ...acme, contacts: [unknownId] } })
    expect(refused.status).toBe(400)
    expect(refused.body.message).toBe('contacts must hold nothing but ids that this team has')
    expect(refused.assumed).toContain('contactReferences')

    const path = { companyId: await idOf(call('createCompany', { body: acme })) }
    expect((await call('updateCompany', { path, body: { name: 'Other', contacts: [unknownId] } })).status).toBe(400)
    expect((await call('updateCompany', { path, body: { domain: 'x' } })).body.data.name).toBe(acme.name)
  })

  it('=refused: refuses a contact of another team', async () => {
    const { call } = await openSandbox({ assume: { contactReferences: 'refused' } })
    const theirs = await idOf(call('createContact', { body: ada, key: 'globex-key' }))
    expect((await call('createCompany', { body: { ...acme, contacts: [theirs] } })).status).toBe(400)
  })

  it('is not relied on when every contact exists', async () => {
    const { call } = await openSandbox({ assume: { contactReferences: 'refused' } })
    const contact = await idOf(call('createContact', { body: ada }))
    const { status, assumed } = await call('createCompany', { body: { ...acme, contacts: [contact] } })
    expect(status).toBe(201)
    expect(assumed).not.toContain('contactReferences')
  })
})

describe('referencesAfterDelete', () => {
  const deal = { name: 'Engine for the mill', pipeline: 'sales', stage: 'talking' }

  async function companyWithReferences(call: Call) {
    const companyId = await idOf(call('createCompany', { body: acme }))
    const other = await idOf(call('createCompany', { body: acme }))
    const contact = { contactId: await idOf(call('createContact', { body: ada })) }
    await call('updateContact', { path: contact, body: { company: companyId } })
    const named = { dealId: await idOf(call('createDeal', { body: { ...deal, companyId, company: other } })) }
    return { companyId, other, contact, named }
  }

  it.each([
    ['kept', (companyId: string, other: string) => [companyId, companyId, other]],
    ['cleared', (_companyId: string, other: string) => [undefined, undefined, other]],
  ] as const)('=%s decides whether other records keep the id of a deleted company', async (choice, left) => {
    const { call } = await openSandbox({ assume: { referencesAfterDelete: choice } })
    const { companyId, other, contact, named } = await companyWithReferences(call)
    const { status, assumed } = await call('deleteCompany', { path: { companyId } })
    expect(status).toBe(200)
    expect(assumed).toContain('referencesAfterDelete')

    const person = (await call('updateContact', { path: contact, body: {} })).body.data
    const sale = (await call('updateDeal', { path: named, body: {} })).body.data
    expect([person.company, sale.companyId, sale.company]).toEqual(left(companyId, other))
    expect(person).toMatchObject(ada)
    expect(sale).toMatchObject(deal)
  })

  it('is not relied on when no record names the company', async () => {
    const { call } = await openSandbox()
    await companyWithReferences(call)
    const path = { companyId: await idOf(call('createCompany', { body: acme })) }
    expect((await call('deleteCompany', { path })).assumed).not.toContain('referencesAfterDelete')
  })

  it('is not relied on when the deleted company had listed the contact twice', async () => {
    const { call } = await openSandbox({ assume: { referencesAfterDelete: 'cleared' } })
    const contactId = await idOf(call('createContact', { body: ada }))
    const path = {
      companyId: await idOf(call('createCompany', { body: { ...acme, contacts: [contactId, contactId] } })),
    }
    await call('updateCompany', { path, body: { contacts: [contactId] } })
    await call('deleteCompany', { path })
    expect((await call('deleteContact', { path: { contactId } })).assumed).not.toContain('referencesAfterDelete')
  })
})

const ada = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
