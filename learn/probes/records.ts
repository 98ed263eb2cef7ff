import type { records } from '../../spec/assumptions/records.ts'
import { byRefusal, byStatus, byValue, describe, Other, type Probes, requireThat } from '../probe.ts'

export const recordProbes: Probes<typeof records> = {
  recordFields: async ({ ask, some }) => {
    const { data } = await ask('createCompany', { body: some.company({ industry: 'Engines' }) })
    return byValue('the industry', (data as { industry?: unknown }).industry, {
      allSent: 'Engines',
      onlyShown: undefined,
    })
  },

  recordAfterUpdate: async ({ ask, make }) => {
    const { _id: productId } = await make.product()
    const { fields } = await ask('updateProduct', { path: { productId }, body: { unitPrice: 12.34 } })
    if (fields.data === undefined || fields.data === null) return 'messageOnly'
    const { _id } = fields.data as { _id?: unknown }
    if (_id !== productId) throw new Other(`the data is ${describe(fields.data)}`)
    return 'record'
  },

  recordTextForms: async ({ ask, call, some, mint }) => {
    await ask('createCompany', { body: some.company() })
    const domain = `not a domain ${mint.slug('x')}`
    const answer = await call('createCompany', { body: some.company({ domain }) })
    return byRefusal(answer, 'checked', 'anyString')
  },

  sameRecordTwice: async ({ ask, call, some, mint }) => {
    const sku = mint.slug('DE').toUpperCase()
    await ask('createProduct', { body: { ...some.product(), sku } })
    await ask('createProduct', { body: some.product() })
    return byRefusal(await call('createProduct', { body: { ...some.product(), sku } }), 'refused', 'accepted')
  },

  numberRange: async ({ ask, call, some }) => {
    await ask('createProduct', { body: some.product() })
    return byRefusal(
      await call('createProduct', { body: { ...some.product(), unitPrice: -12.34 } }),
      'refused',
      'accepted',
    )
  },

  dealReferences: async ({ call, make, some, mint }) => {
    const { _id: contactId } = await make.contact()
    const known = await call('createDeal', { body: some.deal({ contactId }) })
    requireThat(known.succeeded, `a deal with a known contact is refused: ${known.summary}`)
    const answer = await call('createDeal', { body: some.deal({ contactId: mint.unknownId() }) })
    return byRefusal(answer, 'refused', 'accepted')
  },

  currencyForm: async ({ ask, call, some }) => {
    await ask('createDeal', { body: some.deal({ currency: 'EUR' }) })
    return byRefusal(await call('createDeal', { body: some.deal({ currency: 'shells' }) }), 'checked', 'anyString')
  },

  closeDateForm: async ({ ask, call, some }) => {
    await ask('createDeal', { body: some.deal({ closeDate: '2030-01-31' }) })
    return byRefusal(await call('createDeal', { body: some.deal({ closeDate: 'soon' }) }), 'checked', 'anyString')
  },

  quotesOfDeletedDeal: async ({ ask, make, view }) => {
    const deal = await make.deal()
    const quote = await make.quote({ dealId: deal._id })
    requireThat((await view('quote', quote)).succeeded, 'the quote cannot be seen')
    await ask('deleteDeal', { path: { dealId: deal._id } })
    return byStatus(await view('quote', quote), { 404: 'deleted', ok: 'kept' })
  },

  quoteOfUnknownDeal: async ({ call, some, mint }) =>
    byStatus(await call('createQuote', { body: some.quote(mint.unknownId()) }), { 404: 'notFound', 400: 'badRequest' }),

  quoteNameWhenAbsent: async ({ ask, make, some }) => {
    const deal = await make.deal()
    const { name: _, ...body } = { name: undefined, ...some.quote(deal._id) }
    const { data } = await ask('createQuote', { body })
    return byValue('the name', (data as { name?: unknown }).name, {
      dealName: deal.name,
      quoteForDeal: `Quote for ${deal.name}`,
    })
  },

  expirationDateForm: async ({ ask, call, make }) => {
    const { _id: quoteId } = await make.quote()
    const update = (expirationDate: string) => call('updateQuote', { path: { quoteId }, body: { expirationDate } })
    await ask('updateQuote', { path: { quoteId }, body: { expirationDate: '2030-01-31T00:00:00.000Z' } })
    if ((await update('soon')).succeeded) return 'anyString'
    return byRefusal(await update('2030-01-31'), 'timestamp', 'dateOrTimestamp')
  },

  otherQuoteTemplate: async ({ ask, call, make, some }) => {
    const { _id } = await make.deal()
    await ask('createQuote', { body: some.quote(_id) })
    const body = { ...some.quote(_id), template: 'pigeon' }
    return byRefusal(await call('createQuote', { body }), 'refused', 'accepted')
  },
}
