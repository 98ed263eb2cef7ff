import type { PromiseId } from '../../../spec/promises.ts'
import type { Given } from '../other-server/replies.ts'
import type { Kind } from '../other-server/team.ts'
import {
  accept,
  alsoSets,
  changeBody,
  changeNew,
  changeOperation,
  type Deviant,
  echoOnly,
  fill,
  forgetUpdates,
  keepDeleted,
  pick,
  refuseWhen,
  withData,
  without,
} from './deviant.ts'

const recordAt = ({ team, path }: Given, kind: Kind) => team.shelf(kind).get(path[0] ?? '')

export const records = {
  'company.createShowsTheRecord': changeNew('company', pick('name')),
  'company.takesEveryField': refuseWhen('createCompany', ({ zip }) => zip !== undefined),
  'company.takesTheFieldsOfTheExample': refuseWhen(
    'createCompany',
    ({ employeeCount }) => typeof employeeCount === 'number',
  ),
  'company.wrongTypesAreRefused': accept('updateCompany', { contacts: [] }),
  'company.createRequires': [
    fill('createCompany', { name: 'Unnamed' }),
    refuseWhen('createCompany', ({ name }) => name === undefined, 500),
  ],
  'company.requiredFieldsSuffice': refuseWhen('createCompany', ({ domain }) => domain === undefined),
  'company.updateTakesAnyOneField': changeBody('updateCompany', pick('name')),
  'company.updateShowsTheChange': [
    forgetUpdates('company'),
    changeOperation('updateCompany', (original, given) => {
      const before = recordAt(given, 'company')
      return withData(original(given), { ...before })
    }),
  ],
  'company.deletedIsGone': keepDeleted('company'),

  'product.createShowsTheRecord': changeNew('product', (one) => ({
    ...one,
    unitPrice: Math.round(Number(one.unitPrice)),
  })),
  'product.takesEveryField': refuseWhen('createProduct', ({ unitCost = 0 }) => !Number.isInteger(unitCost)),
  'product.takesTheFieldsOfTheExamples': refuseWhen('createProduct', ({ term }) => typeof term === 'string'),
  'product.pricesAreNumbers': accept('updateProduct', { unitCost: 1 }),
  'product.numericTextsAreRefused': accept('updateProduct', { unitCost: 1 }),
  'product.billingOfTheSchema': refuseWhen('createProduct', ({ billingFrequency }) => billingFrequency === 'one_time'),
  'product.billingOfTheProse': refuseWhen('updateProduct', ({ billingFrequency }) =>
    String(billingFrequency).startsWith('every'),
  ),
  'product.otherBillingIsRefused': accept('updateProduct', { billingFrequency: 'monthly' }),
  'product.createRequires': [
    fill('createProduct', { unitPrice: 0 }),
    refuseWhen('createProduct', (_, { body }) => Array.isArray(body), 500),
  ],
  'product.requiredFieldsSuffice': refuseWhen('createProduct', ({ sku }) => sku === undefined),
  'product.updateTakesAnyOneField': changeBody('updateProduct', without('sku')),
  'product.updateShowsTheChange': [forgetUpdates('product'), echoOnly('updateProduct', 'unitCost')],
  'product.deletedIsGone': keepDeleted('product'),

  'deal.createShowsTheRecord': changeNew('deal', (one) => ({ ...one, amount: Math.round(Number(one.amount ?? 0)) })),
  'deal.takesEveryField': refuseWhen(['createDeal', 'updateDeal'], ({ closeDate }) => closeDate !== undefined),
  'deal.takesTheFieldsOfTheExamples': refuseWhen(['createDeal', 'updateDeal'], ({ company }) => company !== undefined),
  'deal.amountIsANumber': accept('updateDeal', { amount: 0 }),
  'deal.numericTextsAreRefused': changeBody('updateDeal', (body) =>
    body.amount === undefined ? body : { ...body, amount: Number(body.amount) },
  ),
  'deal.closeDatesOfOtherTypesAreRefused': accept('updateDeal', { closeDate: '2040-01-31' }),
  'deal.otherContactsAreRefused': accept('updateDeal', { contacts: [] }),
  'deal.createRequires': [
    fill('createDeal', { stage: 'first' }),
    refuseWhen('createDeal', ({ name }) => name === undefined, 404),
  ],
  'deal.requiredFieldsSuffice': refuseWhen('createDeal', ({ amount }) => amount === undefined),
  'deal.updateTakesAnyOneField': changeBody('updateDeal', without('currency')),
  'deal.updateShowsTheChange': forgetUpdates('deal'),
  'deal.deletedIsGone': keepDeleted('deal'),
  'deal.deleteSparesItsContact': changeOperation('deleteDeal', (original, given) => {
    given.team.remove('contact', String(recordAt(given, 'deal')?.contactId))
    return original(given)
  }),

  'quote.startsAsDraft': changeNew('quote', (one) => ({ ...one, status: 'published' })),
  'quote.templateDefaultsToBasic': fill('createQuote', { template: 'default' }),
  'quote.updateSetsTheStatus': changeBody('updateQuote', without('status')),
  'quote.anyStatusMayFollow': refuseWhen(
    'updateQuote',
    ({ status }, given) => recordAt(given, 'quote')?.status === 'accepted' && status === 'draft',
  ),
  'quote.needsAKnownDeal': changeBody('createQuote', (body, { team }) =>
    team.shelf('deal').get(String(body.dealId)) ? body : { ...body, dealId: team.insert('deal', { name: '' })._id },
  ),
  'quote.statusesOfTheProse': refuseWhen('updateQuote', ({ status }) => status === 'expired'),
  'quote.statusesOfTheSchema': refuseWhen('updateQuote', ({ status }) => status === 'accepted'),
  'quote.otherStatusesAreRefused': accept('updateQuote', { status: 'draft' }),

  'quote.signaturesAreTaken': refuseWhen('updateQuote', ({ signatureOption }) => signatureOption === 'no-signature'),
  'quote.otherSignaturesAreRefused': accept('updateQuote', { signatureOption: 'no-signature' }),
  'quote.wrongTypesAreRefused': accept('updateQuote', { acceptOnlinePayment: true }),

  'quote.createRequires': fill('createQuote', { dealId: 'unknown' }),
  'quote.createShowsTheRecord': changeBody('createQuote', without('name')),
  'quote.requiredFieldsSuffice': refuseWhen('createQuote', ({ name }) => name === undefined),
  'quote.updateTakesAnyOneField': refuseWhen('updateQuote', ({ name }) => name === undefined),
  'quote.updateTakesTheFieldsOfTheExamples': refuseWhen('updateQuote', ({ expirationDate }) =>
    String(expirationDate).includes('T'),
  ),
  'quote.updateShowsTheChange': [forgetUpdates('quote'), alsoSets('updateQuote', 'name', { status: 'draft' })],
  'quote.deletedIsGone': keepDeleted('quote'),

  'company.updateKeepsTheRest': forgetUpdates('company'),
  'product.updateKeepsTheRest': [forgetUpdates('product'), alsoSets('updateProduct', 'description', { unitCost: 0 })],
  'deal.updateKeepsTheRest': [forgetUpdates('deal'), alsoSets('updateDeal', 'stage', { currency: 'XXX' })],
  'quote.updateKeepsTheRest': alsoSets('updateQuote', 'terms', { name: 'None' }),
} satisfies Partial<Record<PromiseId, Deviant | readonly Deviant[]>>
