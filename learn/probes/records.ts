import { type Answer, fieldsOf } from '../../client/answer.ts'
import type { records } from '../../spec/assumptions/records.ts'
import {
  byRefusal,
  byStatus,
  byValue,
  describe,
  Other,
  type Probes,
  requireKept,
  requireThat,
  sameInAll,
} from '../probe.ts'

export const recordProbes: Probes<typeof records> = {
  recordFields: ({ ask, make, some }) => {
    const seenIn = (data: unknown, field: string, sent: string) =>
      byValue(`the ${field}`, fieldsOf(data)[field], { allSent: sent, onlyShown: undefined })
    return sameInAll({
      'of a company': async () => {
        const { data } = await ask('createCompany', { body: some.company({ industry: 'Engines' }) })
        return seenIn(data, 'industry', 'Engines')
      },
      'of a product': async () => {
        const { data } = await ask('createProduct', { body: some.product({ description: 'Brass' }) })
        return seenIn(data, 'description', 'Brass')
      },
      'of a deal': async () => {
        const { data } = await ask('createDeal', { body: some.deal({ closeDate: '2030-01-31' }) })
        return fieldsOf(data).closeDate === undefined ? 'onlyShown' : 'allSent'
      },
      'of a quote': async () => {
        const { _id: quoteId } = await make.quote()
        const { data } = await ask('updateQuote', { path: { quoteId }, body: { terms: 'Net 30' } })
        return seenIn(data, 'terms', 'Net 30')
      },
    })
  },

  recordAfterUpdate: ({ ask, make, mint }) => {
    const seenIn = ({ fields: { data } }: Answer, made: { readonly _id: string }, field: string) => {
      if (data === undefined || data === null) return 'messageOnly'
      const shown = fieldsOf(data)
      if (shown._id !== made._id) throw new Other(`the data is ${describe(data)}`)
      if (fieldsOf(made)[field] !== undefined && shown[field] === undefined) throw new Other('only what was sent')
      return 'record'
    }
    const name = mint.name('Analytical engine')
    return sameInAll({
      'a product': async () => {
        const product = await make.product()
        const body = { unitPrice: 12.34 }
        return seenIn(await ask('updateProduct', { path: { productId: product._id }, body }), product, 'name')
      },
      'a company': async () => {
        const company = await make.company()
        return seenIn(
          await ask('updateCompany', { path: { companyId: company._id }, body: { name } }),
          company,
          'domain',
        )
      },
      'a deal': async () => {
        const deal = await make.deal()
        return seenIn(await ask('updateDeal', { path: { dealId: deal._id }, body: { name } }), deal, 'amount')
      },
      'a quote': async () => {
        const quote = await make.quote()
        return seenIn(await ask('updateQuote', { path: { quoteId: quote._id }, body: { name } }), quote, 'status')
      },
    })
  },

  recordTextForms: async ({ ask, call, some, mint }) => {
    await ask('createCompany', { body: some.company() })
    await ask('createProduct', { body: some.product() })
    const inCompany = (fields: { domain?: string; email?: string; logoUrl?: string }) => async () =>
      byForm(await call('createCompany', { body: some.company(fields) }), fields)
    const inProduct = (fields: { imageUrl: string }) => async () =>
      byForm(await call('createProduct', { body: some.product(fields) }), fields)
    return sameInAll({
      domain: inCompany({ domain: `not a domain ${mint.slug('x')}` }),
      'e-mail address': inCompany({ email: mint.slug('address') }),
      'logo URL': inCompany({ logoUrl: 'not a URL' }),
      'image URL': inProduct({ imageUrl: 'not a URL' }),
    })
  },

  sameRecordTwice: ({ ask, call, some, mint }) =>
    sameInAll({
      'two products with one sku': async () => {
        const sku = mint.slug('DE').toUpperCase()
        await ask('createProduct', { body: some.product({ sku }) })
        await ask('createProduct', { body: some.product() })
        return byRefusal(await call('createProduct', { body: some.product({ sku }) }), 'refused', 'accepted')
      },
      'two companies with one domain': async () => {
        const domain = some.company().domain ?? ''
        await ask('createCompany', { body: some.company({ domain }) })
        await ask('createCompany', { body: some.company() })
        return byRefusal(await call('createCompany', { body: some.company({ domain }) }), 'refused', 'accepted')
      },
    }),

  numberRange: ({ ask, call, some }) =>
    sameInAll({
      'a price': async () => {
        await ask('createProduct', { body: some.product() })
        const answer = await call('createProduct', { body: some.product({ unitPrice: -12.34 }) })
        if (answer.succeeded) requireKept('a price of -12.34', answer.data.unitPrice, -12.34)
        return byRefusal(answer, 'refused', 'accepted')
      },
      'an amount': async () => {
        await ask('createDeal', { body: some.deal() })
        const answer = await call('createDeal', { body: some.deal({ amount: -12.34 }) })
        if (answer.succeeded) requireKept('an amount of -12.34', answer.data.amount, -12.34)
        return byRefusal(answer, 'refused', 'accepted')
      },
      'a number of employees': async () => {
        await ask('createCompany', { body: some.company({ employeeCount: 12 }) })
        return byRefusal(
          await call('createCompany', { body: some.company({ employeeCount: -12 }) }),
          'refused',
          'accepted',
        )
      },
    }),

  dealReferences: ({ call, make, some, mint }) => {
    const refersTo = (field: 'contactId' | 'companyId', known: () => Promise<{ readonly _id: string }>) => async () => {
      const good = await call('createDeal', { body: some.deal({ [field]: (await known())._id }) })
      requireThat(good.succeeded, `a deal with a known ${field} is refused: ${good.summary}`)
      return byRefusal(
        await call('createDeal', { body: some.deal({ [field]: mint.unknownId() }) }),
        'refused',
        'accepted',
      )
    }
    return sameInAll({
      contactId: refersTo('contactId', () => make.contact()),
      companyId: refersTo('companyId', () => make.company()),
    })
  },

  currencyForm: async ({ ask, call, some }) => {
    await ask('createDeal', { body: some.deal({ currency: 'EUR' }) })
    const answer = await call('createDeal', { body: some.deal({ currency: 'shells' }) })
    if (answer.succeeded) requireKept('the currency', answer.data.currency, 'shells')
    else if ((await call('createDeal', { body: some.deal({ currency: 'eur' }) })).succeeded)
      throw new Other('`shells` is refused, and `eur` is not')
    return byRefusal(answer, 'checked', 'anyString')
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

  quoteNameWhenAbsent: async ({ ask, call, make, mint, some }) => {
    const deal = await make.deal()
    const { name: _, ...body } = { name: undefined, ...some.quote(deal._id) }
    const { data } = await ask('createQuote', { body })
    // A quote of any name could be anybody's.
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

/** Whether texts of another form are refused. */
function byForm(answer: Answer, sent: Readonly<Record<string, string>>): 'checked' | 'anyString' {
  const shown = fieldsOf(answer.fields.data)
  if (answer.succeeded)
    for (const [field, text] of Object.entries(sent)) requireKept(`the ${field}`, shown[field], text)
  return byRefusal(answer, 'checked', 'anyString')
}
