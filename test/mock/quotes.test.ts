import { describe, expect, it } from 'vitest'
import { promise } from '../../spec/promises.ts'
import { type Call, openSandbox } from './harness.ts'

const unknownId = '66f0a1b2c3d4e5f601239999'

/** Creates a deal of acme, and a quote from it. */
async function dealAndQuote(call: Call, fields: object = {}, key = 'acme-key') {
  const deal = { name: 'Engine for the mill', pipeline: 'sales', stage: 'talking' }
  const dealId: string = (await call('createDeal', { body: deal, key })).body.data._id
  const answer = await call('createQuote', { body: { dealId, ...fields }, key })
  return { dealId, answer, quote: answer.body.data, path: { quoteId: answer.body.data?._id as string } }
}

describe('A quote', () => {
  it('starts as a draft with the basic template and the given name', async () => {
    const { call } = await openSandbox()
    const { dealId, answer, quote } = await dealAndQuote(call, { name: 'The second engine' })
    expect(answer.status).toBe(201)
    expect(quote).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      dealId,
      name: 'The second engine',
      status: 'draft',
      template: 'default-basic',
    })
    expect(answer.assumed).toEqual([])
  })

  it('starts as a draft also when another status is sent', async () => {
    const { call } = await openSandbox()
    expect((await dealAndQuote(call, { status: 'accepted' })).quote.status).toBe('draft')
  })

  it.each([...promise('quote.statusesOfTheProse').values, ...promise('quote.statusesOfTheSchema').values])(
    'can be updated to the status %s',
    async (status) => {
      const { call } = await openSandbox()
      const { path, quote } = await dealAndQuote(call)
      const answer = await call('updateQuote', { path, body: { status } })
      expect(answer.status).toBe(200)
      expect(answer.body.data).toEqual({ ...quote, status })
    },
  )

  it('keeps its deal when an update sends another dealId', async () => {
    const { call } = await openSandbox()
    const { path, dealId } = await dealAndQuote(call)
    const { body } = await call('updateQuote', { path, body: { dealId: unknownId, terms: 'Net 30' } })
    expect(body.data).toMatchObject({ dealId, terms: 'Net 30' })
  })

  it('is gone after its deletion, which answers without data', async () => {
    const { call } = await openSandbox()
    const { path } = await dealAndQuote(call)
    const { status, body } = await call('deleteQuote', { path })
    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'Quote deleted' } })
    expect((await call('updateQuote', { path, body: { notes: 'Hello' } })).status).toBe(404)
  })

  it.each([
    ['a status on neither list', { status: 'lost' }, /^status must be one of draft, published/],
    ['another signature', { signatureOption: 'thumb' }, /^signatureOption must be one of/],
    ['an expiration that is not a time', { expirationDate: 'soon' }, /^expirationDate must be an ISO date/],
    ['payment as text', { acceptOnlinePayment: 'yes' }, /^acceptOnlinePayment must be true or false/],
  ])('with %s is refused, and stays unchanged', async (_, fields, message) => {
    const { call } = await openSandbox()
    const { path, quote } = await dealAndQuote(call)
    const { status, body } = await call('updateQuote', { path, body: { name: 'Other', ...fields } })
    expect(status).toBe(400)
    expect(body.message).toMatch(message)
    expect((await call('updateQuote', { path, body: {} })).body.data).toEqual(quote)
  })

  it('without a dealId is refused', async () => {
    const { call } = await openSandbox()
    const { status, body } = await call('createQuote', { body: { name: 'Engine' } })
    expect({ status, message: body.message }).toEqual({ status: 400, message: 'dealId is required' })
  })

  it.each(['updateQuote', 'deleteQuote'] as const)(
    'of another team is answered by %s like an unknown one, and stays unchanged',
    async (id) => {
      const { call } = await openSandbox()
      const { path, quote } = await dealAndQuote(call, {}, 'globex-key')
      const body = id === 'updateQuote' ? { name: 'Ours now' } : undefined
      const unknown = await call(id, { path: { quoteId: unknownId }, body })
      const foreign = await call(id, { path, body })
      expect(foreign).toEqual(unknown)
      expect(foreign.body).toEqual({ success: false, message: 'Resource not found' })
      expect((await call('updateQuote', { path, body: {}, key: 'globex-key' })).body.data).toEqual(quote)
    },
  )
})

describe('quoteOfUnknownDeal', () => {
  const choices = [
    ['notFound', 404, 'Resource not found'],
    ['badRequest', 400, 'dealId names no deal that this team has'],
  ] as const

  it.each(choices)('=%s: answers %i', async (choice, status, message) => {
    const { call } = await openSandbox({ assume: { quoteOfUnknownDeal: choice } })
    const answer = await call('createQuote', { body: { dealId: unknownId } })
    expect({ status: answer.status, message: answer.body.message }).toEqual({ status, message })
    expect(answer.assumed).toContain('quoteOfUnknownDeal')
  })

  it.each(choices)('=%s: a deal of another team is answered %i too', async (choice, status) => {
    const { call } = await openSandbox({ assume: { quoteOfUnknownDeal: choice } })
    const { dealId } = await dealAndQuote(call, {}, 'globex-key')
    expect((await call('createQuote', { body: { dealId } })).status).toBe(status)
  })

  it('=notFound: is checked before the template', async () => {
    const { call } = await openSandbox({ assume: { otherQuoteTemplate: 'refused' } })
    expect((await call('createQuote', { body: { dealId: unknownId, template: 'roses' } })).status).toBe(404)
  })
})

describe('quoteNameWhenAbsent', () => {
  it.each([
    ['dealName', 'Engine for the mill'],
    ['quoteForDeal', 'Quote for Engine for the mill'],
  ] as const)('=%s: the quote is named “%s”', async (choice, name) => {
    const { call } = await openSandbox({ assume: { quoteNameWhenAbsent: choice } })
    const { quote, answer } = await dealAndQuote(call)
    expect(quote.name).toBe(name)
    expect(answer.assumed).toEqual(['quoteNameWhenAbsent'])
  })
})

describe('otherQuoteTemplate', () => {
  it('=accepted: accepts another template, on create and on update', async () => {
    const { call } = await openSandbox()
    const { quote, answer, path } = await dealAndQuote(call, { template: 'roses' })
    expect(quote.template).toBe('roses')
    expect(answer.assumed).toContain('otherQuoteTemplate')
    const updated = await call('updateQuote', { path, body: { template: 'tulips' } })
    expect(updated.body.data.template).toBe('tulips')
    expect(updated.assumed).toContain('otherQuoteTemplate')
  })

  it('=refused: refuses another template, on create and on update, and changes nothing', async () => {
    const { call } = await openSandbox({ assume: { otherQuoteTemplate: 'refused' } })
    const refused = (await dealAndQuote(call, { template: 'roses' })).answer
    expect({ status: refused.status, message: refused.body.message }).toEqual({
      status: 400,
      message: 'template must be default-basic',
    })
    expect(refused.assumed).toContain('otherQuoteTemplate')
    const { path, quote } = await dealAndQuote(call)
    expect((await call('updateQuote', { path, body: { name: 'Other', template: 'roses' } })).status).toBe(400)
    expect((await call('updateQuote', { path, body: {} })).body.data).toEqual(quote)
  })

  it('is not relied on with the documented template', async () => {
    const { call } = await openSandbox({ assume: { otherQuoteTemplate: 'refused' } })
    const { answer } = await dealAndQuote(call, { template: 'default-basic' })
    expect(answer.status).toBe(201)
    expect(answer.assumed).not.toContain('otherQuoteTemplate')
  })
})

it.each([
  ['sent', 'draft'],
  ['sent', 'published'],
  ['accepted', 'declined'],
  ['expired', 'sent'],
  ['draft', 'accepted'],
] as const)('%s may become %s, which no assumption decides', async (from, to) => {
  const { call } = await openSandbox()
  const { path } = await dealAndQuote(call)
  await call('updateQuote', { path, body: { status: from } })
  const { status, body, assumed } = await call('updateQuote', { path, body: { status: to } })
  expect({ status, now: body.data.status, assumed }).toEqual({ status: 200, now: to, assumed: ['recordAfterUpdate'] })
})

it.each([
  ['allSent', 'Net 30'],
  ['onlyShown', undefined],
] as const)('recordFields=%s: an answer shows the terms as %s', async (choice, terms) => {
  const { call } = await openSandbox({ assume: { recordFields: choice } })
  const { path } = await dealAndQuote(call)
  const { body, assumed } = await call('updateQuote', { path, body: { terms: 'Net 30' } })
  expect(body.data.terms).toBe(terms)
  expect(body.data.status).toBe('draft')
  expect(assumed).toContain('recordFields')
})

it('recordAfterUpdate=messageOnly: an update answers without data, and is stored', async () => {
  const { sandbox, call } = await openSandbox({ assume: { recordAfterUpdate: 'messageOnly' } })
  const { path } = await dealAndQuote(call)
  const { status, body, assumed } = await call('updateQuote', { path, body: { status: 'sent' } })
  expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'Quote updated' } })
  expect(assumed).toContain('recordAfterUpdate')
  expect((await sandbox.world()).teams[0]?.quotes?.[0]).toMatchObject({ status: 'sent' })
})
