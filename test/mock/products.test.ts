import { describe, expect, it } from 'vitest'
import { promise } from '../../spec/promises.ts'
import { openSandbox } from './harness.ts'

const engine = { name: 'Difference engine', sku: 'DE-1', unitPrice: 1200.5, unitCost: 800 }
const unknownId = '66f0a1b2c3d4e5f601239999'

describe('A product', () => {
  it('is created with an id and the fields that were sent, and no others', async () => {
    const { call } = await openSandbox()
    const { status, body, assumed } = await call('createProduct', { body: engine })
    expect(status).toBe(201)
    expect(body).toEqual({ success: true, message: 'Product created', data: { _id: body.data._id, ...engine } })
    expect(body.data._id).toMatch(/^[0-9a-f]{24}$/)
    expect(assumed).toEqual([])
  })

  it('keeps the fields that an update does not mention', async () => {
    const { call } = await openSandbox()
    const { data } = (await call('createProduct', { body: engine })).body
    const { status, body } = await call('updateProduct', { path: { productId: data._id }, body: { unitPrice: 1300 } })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...data, unitPrice: 1300 })
  })

  it('is gone after its deletion, which answers without data', async () => {
    const { call } = await openSandbox()
    const path = { productId: (await call('createProduct', { body: engine })).body.data._id }
    const { status, body } = await call('deleteProduct', { path })
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'Product deleted' } })
    expect((await call('updateProduct', { path, body: { name: 'Engine' } })).status).toBe(404)
  })

  it.each([...promise('product.billingOfTheSchema').values, ...promise('product.billingOfTheProse').values])(
    'can be billed %s',
    async (billingFrequency) => {
      const { call } = await openSandbox()
      const { status, body } = await call('createProduct', { body: { ...engine, billingFrequency } })
      expect({ status, billingFrequency: body.data.billingFrequency }).toEqual({ status: 201, billingFrequency })
    },
  )

  it.each([
    ['no name', { unitPrice: 1 }, 'name is required'],
    ['an empty name', { name: '', unitPrice: 1 }, 'name is required, and an empty string counts as missing'],
    ['no price', { name: 'Engine' }, 'unitPrice is required'],
    ['a price as text', { ...engine, unitPrice: 'ten' }, 'unitPrice must be a number'],
    ['a cost as text', { ...engine, unitCost: '1' }, 'unitCost must be a number'],
    [
      'a billing frequency on neither list',
      { ...engine, billingFrequency: 'hourly' },
      /^billingFrequency must be one of/,
    ],
  ])('with %s is refused', async (_, body, message) => {
    const { call } = await openSandbox()
    const answer = await call('createProduct', { body })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(message)
  })

  it.each(['updateProduct', 'deleteProduct'] as const)(
    'of another team is answered by %s like an unknown one, and stays unchanged',
    async (id) => {
      const { call } = await openSandbox()
      const theirs = (await call('createProduct', { body: engine, key: 'globex-key' })).body.data
      const body = id === 'updateProduct' ? { name: 'Ours now' } : undefined
      const unknown = await call(id, { path: { productId: unknownId }, body })
      const foreign = await call(id, { path: { productId: theirs._id }, body })
      expect(foreign).toEqual(unknown)
      expect(foreign.body).toEqual({ success: false, message: 'Resource not found' })
      const still = await call('updateProduct', { path: { productId: theirs._id }, body: {}, key: 'globex-key' })
      expect(still.body.data).toEqual(theirs)
    },
  )
})

describe('numberRange', () => {
  const negative = { unitPrice: -1, unitCost: 0 }

  it.each(['unitPrice', 'unitCost'])(
    '=accepted: a negative %s is accepted, and the answer is marked',
    async (field) => {
      const { call } = await openSandbox()
      const { status, body, assumed } = await call('createProduct', { body: { ...engine, [field]: -0.5 } })
      expect(status).toBe(201)
      expect(body.data[field]).toBe(-0.5)
      expect(assumed).toContain('numberRange')
    },
  )

  it.each(['unitPrice', 'unitCost'])('=refused: a negative %s is refused', async (field) => {
    const { call } = await openSandbox({ assume: { numberRange: 'refused' } })
    const { status, body, assumed } = await call('createProduct', { body: { ...engine, [field]: -0.5 } })
    expect({ status, message: body.message }).toEqual({ status: 400, message: `${field} must be at least 0` })
    expect(assumed).toContain('numberRange')
  })

  it('=refused: an update to a negative price leaves the product unchanged', async () => {
    const { call } = await openSandbox({ assume: { numberRange: 'refused' } })
    const { data } = (await call('createProduct', { body: engine })).body
    const path = { productId: data._id }
    expect((await call('updateProduct', { path, body: { name: 'Other', ...negative } })).status).toBe(400)
    expect((await call('updateProduct', { path, body: { sku: 'DE-2' } })).body.data).toEqual({ ...data, sku: 'DE-2' })
  })

  it('is not relied on with a price of 0', async () => {
    const { call } = await openSandbox({ assume: { numberRange: 'refused' } })
    const { status, assumed } = await call('createProduct', { body: { ...engine, unitPrice: 0 } })
    expect({ status, assumed }).toEqual({ status: 201, assumed: [] })
  })
})

describe('deleteAgain', () => {
  it.each([
    ['notFound', 404],
    ['succeeds', 200],
  ] as const)('=%s: a second delete answers %i', async (choice, status) => {
    const { call } = await openSandbox({ assume: { deleteAgain: choice } })
    const path = { productId: (await call('createProduct', { body: engine })).body.data._id }
    await call('deleteProduct', { path })
    const again = await call('deleteProduct', { path })
    expect(again.status).toBe(status)
    expect(again.assumed).toContain('deleteAgain')
  })

  it('=succeeds: an id of a deleted record of another kind is unknown', async () => {
    const { call } = await openSandbox({ assume: { deleteAgain: 'succeeds' } })
    const { _id } = (await call('createCompany', { body: { name: 'Analytical Engines' } })).body.data
    await call('deleteCompany', { path: { companyId: _id } })
    expect((await call('deleteProduct', { path: { productId: _id } })).status).toBe(404)
  })

  it('is about one kind: two records of different kinds with one id can both be deleted', async () => {
    const { call } = await openSandbox({
      world: { teams: [{ ...acme, products: [{ _id: 'one', ...engine }], quotes: [quote] }] },
    })
    expect((await call('deleteProduct', { path: { productId: 'one' } })).status).toBe(200)
    expect((await call('deleteQuote', { path: { quoteId: 'one' } })).status).toBe(200)
  })
})

const acme = { _id: 'acme', name: 'acme', apiKeys: ['acme-key'] }
const quote = { _id: 'one', dealId: 'two', status: 'draft' } as const
