import {
  byOddFields,
  byRefusal,
  byStatus,
  byValue,
  describe,
  Other,
  type Probes,
  requireKept,
  requireThat,
  sameInAll,
  toNewContact,
} from '../probe.ts'
import { type Answer, fieldsOf } from '../../client/answer.ts'
import type { records } from '../../spec/assumptions/records.ts'

export const recordProbes: Probes<typeof records> = {
  recordFields: sameInAll({
    'of a company': async ({ ask, some }) =>
      bySeen(await ask('createCompany', { body: some.company({ industry: 'Engines' }) }), 'industry', 'Engines'),
    'of a product': async ({ ask, some }) =>
      bySeen(await ask('createProduct', { body: some.product({ description: 'Brass' }) }), 'description', 'Brass'),
    'of a deal': async ({ ask, some }) => {
      const { data } = await ask('createDeal', { body: some.deal({ closeDate: '2030-01-31' }) })
      return fieldsOf(data).closeDate === undefined ? 'onlyShown' : 'allSent'
    },
    'of a quote': async ({ ask, make }) => {
      const { _id: quoteId } = await make.quote()
      return bySeen(await ask('updateQuote', { path: { quoteId }, body: { terms: 'Net 30' } }), 'terms', 'Net 30')
    },
  }),

  recordAfterUpdate: sameInAll({
    'a product': async ({ ask, make }) => {
      const made = await make.product()
      const path = { productId: made._id }
      return byUpdate(await ask('updateProduct', { path, body: { unitPrice: 12.34 } }), made, 'name')
    },
    'a company': async ({ ask, make, mint }) => {
      const made = await make.company()
      const input = { path: { companyId: made._id }, body: { name: mint.name('Analytical engine') } }
      return byUpdate(await ask('updateCompany', input), made, 'domain')
    },
    'a deal': async ({ ask, make, mint }) => {
      const made = await make.deal()
      const input = { path: { dealId: made._id }, body: { name: mint.name('Analytical engine') } }
      return byUpdate(await ask('updateDeal', input), made, 'amount')
    },
    'a quote': async ({ ask, make, mint }) => {
      const made = await make.quote()
      const input = { path: { quoteId: made._id }, body: { name: mint.name('Analytical engine') } }
      return byUpdate(await ask('updateQuote', input), made, 'status')
    },
  }),

  recordTextForms: sameInAll({
    domain: byOddFields('company', ['checked', 'anyString'], ({ mint }) => ({
      domain: `not a domain ${mint.slug('x')}`,
    })),
    'e-mail address': byOddFields('company', ['checked', 'anyString'], ({ mint }) => ({ email: mint.slug('address') })),
    'logo URL': byOddFields('company', ['checked', 'anyString'], () => ({ logoUrl: 'not a URL' })),
    'image URL': byOddFields('product', ['checked', 'anyString'], () => ({ imageUrl: 'not a URL' })),
  }),

  sameRecordTwice: sameInAll({
    'two products with one sku': byOddFields('product', ['refused', 'accepted'], async ({ make }) => {
      const { sku } = await make.product()
      return { sku }
    }),
    'two companies with one domain': byOddFields('company', ['refused', 'accepted'], async ({ make }) => {
      const { domain } = await make.company()
      return { domain }
    }),
  }),

  numberRange: sameInAll({
    'a price': byOddFields('product', ['refused', 'accepted'], () => ({ unitPrice: -12.34 })),
    'an amount': byOddFields('deal', ['refused', 'accepted'], () => ({ amount: -12.34 })),
    'a number of employees': byOddFields(
      'company',
      ['refused', 'accepted'],
      () => ({ employeeCount: -12 }),
      () => ({ employeeCount: 12 }),
    ),
  }),

  dealReferences: sameInAll({
    contactId: byOddFields(
      'deal',
      ['refused', 'accepted'],
      ({ mint }) => ({ contactId: mint.unknownId() }),
      toNewContact,
    ),
    companyId: byOddFields(
      'deal',
      ['refused', 'accepted'],
      ({ mint }) => ({ companyId: mint.unknownId() }),
      async ({ make }) => ({ companyId: (await make.company())._id }),
    ),
  }),

  currencyForm: async ({ ask, call, some }) => {
    await ask('createDeal', { body: some.deal({ currency: 'EUR' }) })
    const answer = await call('createDeal', { body: some.deal({ currency: 'shells' }) })
    if (answer.succeeded) requireKept('the currency', answer.data.currency, 'shells')
    else if ((await call('createDeal', { body: some.deal({ currency: 'eur' }) })).succeeded)
      throw new Other('`shells` is refused, and `eur` is not')
    return byRefusal(answer, 'checked', 'anyString')
  },

  closeDateForm: byOddFields(
    'deal',
    ['checked', 'anyString'],
    () => ({ closeDate: 'soon' }),
    () => ({ closeDate: '2030-01-31' }),
  ),

  quotesOfDeletedDeal: async ({ ask, make, view }) => {
    const deal = await make.deal()
    const quote = await make.quote({ dealId: deal._id })
    requireThat((await view('quote', quote)).succeeded, 'the quote cannot be seen')
    await ask('deleteDeal', { path: { dealId: deal._id } })
    return byStatus(await view('quote', quote), { 404: 'deleted', ok: 'kept' })
  },

  quoteOfUnknownDeal: async ({ call, some, mint }) =>
    byStatus(await call('createQuote', { body: some.quote(mint.unknownId()) }), { 404: 'notFound', 400: 'badRequest' }),

  quoteNameWhenAbsent: async ({ ask, call, make, mint, some }) => {
    const deal = await make.deal()
    const { name: _, ...body } = { name: undefined, ...some.quote(deal._id) }
    const { data } = await ask('createQuote', { body })
    // The name marks the quote as a record of this run.
    await call('updateQuote', { path: { quoteId: data._id }, body: { name: mint.name('Engine for the mill') } })
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

  otherQuoteTemplate: async ({ call, make, some }) => {
    await make.quote()
    const body = { ...some.quote((await make.deal())._id), template: 'pigeon' }
    const answer = await call('createQuote', { body })
    if (answer.succeeded) requireKept('the template', answer.data.template, 'pigeon')
    return byRefusal(answer, 'refused', 'accepted')
  },
}

const bySeen = ({ fields }: Answer, field: string, sent: string) =>
  byValue(`the ${field}`, fieldsOf(fields.data)[field], { allSent: sent, onlyShown: undefined })

function byUpdate({ fields: { data } }: Answer, made: { readonly _id: string }, field: string) {
  if (data === undefined || data === null) return 'messageOnly'
  const shown = fieldsOf(data)
  if (shown._id !== made._id) throw new Other(`the data is ${describe(data)}`)
  if (fieldsOf(made)[field] !== undefined && shown[field] === undefined) throw new Other('only what was sent')
  return 'record'
}
