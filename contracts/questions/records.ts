import { byRefusal, byStatus, byValue, describe, Other, requireThat } from './finding.ts'
import {
  checkedOrAnyString,
  type ProbeContext,
  type Probes,
  refusedOrAccepted,
  sameInAll,
  toNewContact,
  unknownId,
  withUnknownId,
} from './probe.ts'
import { fieldsOf } from '../client/answer.ts'
import { kinds, pathTo } from '../client/kinds.ts'
import type { records } from '../../spec/assumptions/records.ts'

export const recordProbes: Probes<typeof records> = {
  recordFields: sameInAll({
    'of a company': async ({ make }) => bySeen(await make.company({ industry: 'Engines' }), 'industry', 'Engines'),
    'of a product': async ({ make }) => bySeen(await make.product({ description: 'Brass' }), 'description', 'Brass'),
    'of a deal': async ({ make }) =>
      fieldsOf(await make.deal({ closeDate: '2030-01-31' })).closeDate === undefined ? 'onlyShown' : 'allSent',
    'of a quote': async ({ ask, make }) => {
      const { _id: quoteId } = await make.quote()
      const { data } = await ask('updateQuote', { path: { quoteId }, body: { terms: 'Net 30' } })
      return bySeen(data, 'terms', 'Net 30')
    },
  }),

  recordTimes: sameInAll({
    'of a company': async ({ make }) => byTimes(await make.company()),
    'of a product': async ({ make }) => byTimes(await make.product()),
    'of a deal': async ({ make }) => byTimes(await make.deal()),
    'of a quote': async ({ make }) => byTimes(await make.quote()),
  }),

  recordAfterUpdate: sameInAll({
    'a product': afterUpdate('product', 'name', { unitPrice: 12.34 }),
    'a company': afterUpdate('company', 'domain'),
    'a deal': afterUpdate('deal', 'amount'),
    'a quote': afterUpdate('quote', 'status'),
  }),

  recordTextForms: sameInAll({
    domain: checkedOrAnyString('company', ({ mint }) => ({ domain: `not a domain ${mint.slug('x')}` })),
    'e-mail address': checkedOrAnyString('company', ({ mint }) => ({ email: mint.slug('address') })),
    'logo URL': checkedOrAnyString('company', { logoUrl: 'not a URL' }),
    'image URL': checkedOrAnyString('product', { imageUrl: 'not a URL' }),
  }),

  sameRecordTwice: sameInAll({
    'two products with one sku': refusedOrAccepted('product', async ({ make }) => ({
      sku: (await make.product()).sku,
    })),
    'two companies with one domain': refusedOrAccepted('company', async ({ make }) => ({
      domain: (await make.company()).domain,
    })),
  }),

  numberRange: sameInAll({
    'a price': refusedOrAccepted('product', { unitPrice: -12.34 }),
    'an amount': refusedOrAccepted('deal', { amount: -12.34 }),
    'a number of employees': refusedOrAccepted('company', { employeeCount: -12 }, { employeeCount: 12 }),
  }),

  dealReferences: sameInAll({
    contactId: refusedOrAccepted('deal', withUnknownId('contactId', 'contact'), toNewContact),
    companyId: refusedOrAccepted('deal', withUnknownId('companyId', 'company'), async ({ make }) => ({
      companyId: (await make.company())._id,
    })),
    pipeline: refusedOrAccepted('deal', withUnknownId('pipeline')),
    stage: refusedOrAccepted('deal', withUnknownId('stage')),
    owner: refusedOrAccepted('deal', withUnknownId('owner')),
    'contactId in an update': refusedOrAccepted('dealUpdate', withUnknownId('contactId', 'contact'), toNewContact),
  }),

  currencyForm: sameInAll({
    'an unknown currency': checkedOrAnyString('deal', { currency: 'shells' }, { currency: 'EUR' }),
    'a currency in lower case': checkedOrAnyString('deal', { currency: 'eur' }, { currency: 'EUR' }),
    'an unknown currency in an update': checkedOrAnyString('dealUpdate', { currency: 'shells' }, { currency: 'EUR' }),
  }),

  closeDateForm: checkedOrAnyString('deal', { closeDate: 'soon' }, { closeDate: '2030-01-31' }),

  quotesOfDeletedDeal: async ({ ask, make, readAnswer }) => {
    const deal = await make.deal()
    const quote = await make.quote({ dealId: deal._id })
    requireThat((await readAnswer('quote', quote)).succeeded, 'the quote cannot be seen')
    await ask('deleteDeal', { path: { dealId: deal._id } })
    return byStatus(await readAnswer('quote', quote), { 404: 'deleted', ok: 'kept' })
  },

  quoteOfUnknownDeal: async ({ call, some }, context) =>
    byStatus(await call('createQuote', { body: some.quote(await unknownId(context, 'deal')) }), {
      404: 'notFound',
      400: 'badRequest',
    }),

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

  expiredQuote: async ({ ask, make, mint }) => {
    const path = { quoteId: (await make.quote())._id }
    await ask('updateQuote', { path, body: { expirationDate: '2020-01-31T00:00:00.000Z' } })
    const { data } = (await ask('updateQuote', { path, body: { name: mint.name('Changed') } })).fields
    const { status } = fieldsOf(data)
    requireThat(status !== undefined, 'a changed quote is returned without its status')
    return byValue('the status', status, { unchanged: 'draft', expired: 'expired' })
  },

  otherQuoteTemplate: refusedOrAccepted('quote', { template: 'pigeon' }, async ({ make }) => ({
    dealId: (await make.deal())._id,
  })),
}

const bySeen = (data: unknown, field: string, sent: string) =>
  byValue(`the ${field}`, fieldsOf(data)[field], { allSent: sent, onlyShown: undefined })

function byTimes(made: unknown) {
  const times = ['createdAt', 'updatedAt'].filter((field) => fieldsOf(made)[field] !== undefined)
  if (times.length === 1) throw new Other(`only ${times.join()}`)
  return times.length === 0 ? 'notShown' : 'shown'
}

/** Updates another field than this one, by default the name. */
function afterUpdate(kind: 'product' | 'company' | 'deal' | 'quote', field: string, change?: object) {
  return async ({ ask, make, mint }: ProbeContext) => {
    const made = await make[kind]()
    const body = change ?? { name: mint.name('Analytical engine') }
    const { data } = (await ask(kinds[kind].shownBy, { ...pathTo(kind, made._id), body })).fields
    if (data === undefined || data === null) return 'messageOnly'
    const shown = fieldsOf(data)
    if (shown._id !== made._id) throw new Other(`the data is ${describe(data)}`)
    if (fieldsOf(made)[field] !== undefined && shown[field] === undefined) throw new Other('only what was sent')
    return 'record'
  }
}
