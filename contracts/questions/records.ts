import type { records } from '../../spec/assumptions/records.ts'
import { isIsoDate } from '../../spec/forms.ts'
import { recordCreates, recordUpdates } from '../../spec/operation-groups.ts'
import type { OperationId } from '../../spec/types.ts'
import { fieldsOf, idOf } from '../client/answer.ts'
import { kindIn, kinds, pathTo } from '../client/kinds.ts'
import { byRefusal, byStatus, byValue, describe, Other, requireThat } from './finding.ts'
import { checkedOrAny, idOfDeleted, insteadOf, outside, refusedOrAccepted } from './odd-requests.ts'
import { unless, valueOfAnother } from './odd-requests.ts'
import { idOfNone, type ProbeContext, unknownId } from './probe.ts'
import { byDeleted, byFacts, byHiddenFields, isText, knownText } from './question.ts'
import { onSuccess, type Questions, sameInAll } from './question.ts'

const isCurrency = (text: string) => /^[A-Z]{3}$/.test(text)

const isNegative = (value: unknown) => Number(value) < 0

const update =
  (kind: 'product' | 'company' | 'deal' | 'quote', change?: object) =>
  async ({ ask, make, mint }: ProbeContext) => {
    const body = change ?? { name: mint.name('Analytical engine') }
    return ask(kinds[kind].shownBy, { ...pathTo(kind, (await make[kind]())._id), body })
  }

export const recordQuestions: Questions<typeof records> = {
  recordFields: {
    ask: {
      'of a company': ({ make }) => make.company({ industry: 'Engines' }),
      'of a product': ({ make }) => make.product({ description: 'Brass' }),
      'of a deal': ({ make }) => make.deal({ closeDate: '2030-01-31' }),
      'of a quote': async ({ ask, make }) =>
        ask('updateQuote', { ...pathTo('quote', (await make.quote())._id), body: { terms: 'Net 30' } }),
    },
    read: (exchange) => byHiddenFields(...(hiddenFields[exchange.request.operation] ?? []))(exchange),
  },

  recordTimes: {
    ask: {
      'of a company': ({ make }) => make.company(),
      'of a product': ({ make }) => make.product(),
      'of a deal': ({ make }) => make.deal(),
      'of a quote': ({ make }) => make.quote(),
    },
    read: onSuccess(recordCreates, ({ data }) => {
      if (idOf(data) === undefined) return undefined
      const times = ['createdAt', 'updatedAt'].filter((field) => data[field] !== undefined)
      if (times.length === 1) throw new Other(`only ${times.join()}`)
      return times.length === 0 ? 'notShown' : 'shown'
    }),
  },

  recordAfterUpdate: {
    ask: {
      'a product': update('product', { unitPrice: 12.34 }),
      'a company': update('company'),
      'a deal': update('deal'),
      'a quote': update('quote'),
    },
    read: onSuccess(recordUpdates, ({ answer: { operation, fields }, request, facts, sent }) => {
      const { data = null } = fields
      if (data === null) return 'messageOnly'
      const kind = kindIn(operation)
      const id = request.path[`${kind}Id`]
      if (idOf(data) !== id) throw new Other(`the data is ${describe(data)}`)
      const unsent = [...(facts.record(kind, id)?.fields ?? [])].filter(([name]) => sent[name] === undefined)
      const isPart = unsent.length > 0 && unsent.every(([name]) => fieldsOf(data)[name] === undefined)
      if (isPart) throw new Other('only what was sent')
      return 'record'
    }),
  },

  recordTextForms: sameInAll({
    domain: checkedOrAny('company', { domain: ({ mint }) => `not a domain ${mint.slug('x')}` }),
    'e-mail address': checkedOrAny('company', { email: ({ mint }) => mint.slug('address') }),
    'logo URL': checkedOrAny('company', { logoUrl: 'not a URL' }),
    'image URL': checkedOrAny('product', { imageUrl: 'not a URL' }),
  }),

  sameRecordTwice: sameInAll({
    'two products with one sku': refusedOrAccepted(...valueOfAnother('product', 'sku')),
    'two companies with one domain': refusedOrAccepted(...valueOfAnother('company', 'domain')),
  }),

  numberRange: sameInAll({
    'a price': refusedOrAccepted('product', { unitPrice: -12.34 }, isNegative),
    'an amount': refusedOrAccepted('deal', { amount: -12.34 }, isNegative),
    'a number of employees': refusedOrAccepted('company', { employeeCount: insteadOf(12, -12) }, isNegative),
  }),

  dealReferences: sameInAll({
    contactId: refusedOrAccepted(...idOfDeleted('deal', 'contact')),
    companyId: refusedOrAccepted(...idOfDeleted('deal', 'company')),
    pipeline: refusedOrAccepted('deal', { pipeline: idOfNone() }),
    stage: refusedOrAccepted('deal', { stage: idOfNone() }),
    owner: refusedOrAccepted('deal', { owner: idOfNone() }),
    'contactId in an update': refusedOrAccepted(...idOfDeleted('dealUpdate', 'contact')),
  }),

  currencyForm: sameInAll({
    'an unknown currency': checkedOrAny('deal', { currency: insteadOf('EUR', 'shells') }, unless(isCurrency)),
    'a currency in lower case': checkedOrAny('deal', { currency: insteadOf('EUR', 'eur') }),
    'an unknown currency in an update': checkedOrAny('dealUpdate', { currency: insteadOf('EUR', 'shells') }),
  }),

  closeDateForm: checkedOrAny('deal', { closeDate: insteadOf('2030-01-31', 'soon') }, unless(isIsoDate)),

  quotesOfDeletedDeal: async ({ ask, make, readAnswer }) => {
    const deal = await make.deal()
    const quote = await make.quote({ dealId: deal._id })
    requireThat((await readAnswer('quote', quote)).succeeded, 'the quote cannot be seen')
    await ask('deleteDeal', { path: { dealId: deal._id } })
    return byStatus(await readAnswer('quote', quote), { 404: 'deleted', ok: 'kept' })
  },

  quoteOfUnknownDeal: {
    ask: async ({ call, some }, context) => call('createQuote', { body: some.quote(await unknownId(context, 'deal')) }),
    read: byDeleted(['createQuote'], 'dealId'),
  },

  quoteNameWhenAbsent: {
    ask: async ({ ask, call, make, mint, some }) => {
      const { name: _, ...body } = { name: undefined, ...some.quote((await make.deal())._id) }
      const { data } = await ask('createQuote', { body })
      // The name marks the quote as a record of this run.
      await call('updateQuote', { ...pathTo('quote', data._id), body: { name: mint.name('Engine for the mill') } })
    },
    read: onSuccess(['createQuote'], (exchange) => {
      const { sent, data, facts } = exchange
      const dealName = knownText(facts, 'deal', sent.dealId, 'name')
      const choices = { dealName, quoteForDeal: `Quote for ${dealName}` }
      return !isText(sent.name) && dealName !== undefined && byFacts(exchange, 'the name', data.name, choices)
    }),
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

  otherQuoteTemplate: refusedOrAccepted('quote', { template: 'pigeon' }, outside(['default-basic'])),
}

/** Fields of a request that the documentation of its response does not show. */
const hiddenFields: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  createCompany: ['industry', 'city', 'state'],
  createProduct: ['description'],
  createDeal: ['description', 'closeDate'],
  updateQuote: ['terms'],
}
