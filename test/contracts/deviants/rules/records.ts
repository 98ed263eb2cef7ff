import { done } from '../../../../mock/core/operation.ts'
import * as fieldsOfDeals from '../../../../mock/rules/deals.ts'
import { found } from '../../../../mock/rules/refuse.ts'
import type { PromiseId } from '../../../../spec/promises.ts'
import {
  type Break,
  alsoSets,
  echoOnly,
  changeBody,
  changeNew,
  changeOperation,
  changeUncheckedBody,
  doBefore,
  forgetUpdates,
  ignoreComplaint,
  markDeleted,
  refuse,
  refuseWhen,
  wrap,
  replaceOnUpdate,
} from '../breaks.ts'

export const records = {
  'company.createShowsTheRecord': changeNew('companies', ({ name }) => ({ name })),
  'company.takesEveryField': refuseWhen('createCompany', ({ zip }) => zip !== undefined),
  'company.takesTheFieldsOfTheExample': refuseWhen(
    'createCompany',
    ({ employeeCount }) => typeof employeeCount === 'number',
  ),
  'company.wrongTypesAreRefused': ignoreComplaint('updateCompany', 'contacts must'),
  'company.createRequires': changeUncheckedBody('createCompany', (body) => ({ name: 'Unnamed', ...body })),
  'company.requiredFieldsSuffice': refuseWhen('createCompany', ({ domain }) => domain === undefined),
  'company.updateTakesAnyOneField': changeBody('updateCompany', ({ name }) => (name === undefined ? {} : { name })),
  'company.updateShowsTheChange': changeOperation('updateCompany', (original) => async (given) => {
    const before = await given.tx.team.companies.get(given.path.companyId)
    return { ...(await original(given)), data: before }
  }),
  'company.deletedIsGone': markDeleted('companies'),

  'product.createShowsTheRecord': changeNew('products', (product) => ({
    ...product,
    unitPrice: Math.round(product.unitPrice),
  })),
  'product.takesEveryField': refuseWhen('createProduct', ({ unitCost = 0 }) => !Number.isInteger(unitCost)),
  'product.takesTheFieldsOfTheExamples': refuseWhen('createProduct', ({ term }) => typeof term === 'string'),
  'product.pricesAreNumbers': ignoreComplaint('updateProduct', 'unitCost must be a number'),
  'product.numericTextsAreRefused': ignoreComplaint('updateProduct', 'unitCost must be a number'),
  'product.billingOfTheSchema': refuseWhen('createProduct', ({ billingFrequency }) => billingFrequency === 'one_time'),
  'product.billingOfTheProse': refuseWhen('updateProduct', ({ billingFrequency }) =>
    billingFrequency?.startsWith('every'),
  ),
  'product.otherBillingIsRefused': ignoreComplaint('updateProduct', 'billingFrequency must be'),
  'product.createRequires': changeUncheckedBody('createProduct', (body) => ({ unitPrice: 0, ...body })),
  'product.requiredFieldsSuffice': refuseWhen('createProduct', ({ sku }) => sku === undefined),
  'product.updateTakesAnyOneField': changeBody('updateProduct', ({ sku, ...others }) => others),
  'product.updateShowsTheChange': [
    replaceOnUpdate('products'),
    echoOnly('updateProduct', 'unitCost'),
    alsoSets('updateProduct', 'description', { unitCost: 0 }),
  ],
  'product.deletedIsGone': changeOperation('deleteProduct', () => async ({ path, tx }) => {
    found(await tx.team.products.get(path.productId), path.productId, tx)
    return done('Product deleted')
  }),

  'deal.createShowsTheRecord': changeNew('deals', (deal) => ({ ...deal, amount: Math.round(deal.amount ?? 0) })),
  'deal.takesEveryField': wrap(fieldsOfDeals, 'checkDealFields', async (original, fields, tx) => {
    if (fields.closeDate !== undefined) refuse('closeDate is set when the deal is closed')
    await original(fields, tx)
  }),
  'deal.takesTheFieldsOfTheExamples': wrap(fieldsOfDeals, 'checkDealFields', async (original, fields, tx) => {
    if (fields.company !== undefined) refuse('companyId is the field for a company')
    await original(fields, tx)
  }),
  'deal.amountIsANumber': changeUncheckedBody('updateDeal', (body) =>
    body.amount === undefined ? body : { ...body, amount: Number(body.amount) || 0 },
  ),
  'deal.numericTextsAreRefused': changeUncheckedBody('updateDeal', (body) =>
    body.amount === undefined ? body : { ...body, amount: Number(body.amount) },
  ),
  'deal.closeDatesOfOtherTypesAreRefused': changeUncheckedBody('updateDeal', ({ closeDate, ...body }) =>
    closeDate === undefined ? body : { ...body, closeDate: [closeDate].flat()[0] },
  ),
  'deal.otherContactsAreRefused': changeUncheckedBody('updateDeal', ({ contacts, ...body }) =>
    Array.isArray(contacts)
      ? { ...body, contacts: contacts.map(String) }
      : { ...body, ...(contacts === undefined ? {} : { contacts }) },
  ),
  'deal.createRequires': ignoreComplaint('createDeal', 'stage is required'),
  'deal.requiredFieldsSuffice': refuseWhen('createDeal', ({ amount }) => amount === undefined),
  'deal.updateTakesAnyOneField': changeBody('updateDeal', ({ currency, ...others }) => others),
  'deal.updateShowsTheChange': [replaceOnUpdate('deals'), alsoSets('updateDeal', 'stage', { currency: 'XXX' })],
  'deal.deletedIsGone': doBefore('updateDeal', async ({ path, tx: { team } }) => {
    const { dealId: _id } = path
    if (!(await team.deals.get(_id))) await team.deals.insert({ _id, name: '', pipeline: '', stage: '' })
  }),
  'deal.deleteSparesItsContact': changeOperation('deleteDeal', (original) => async (given) => {
    const { team } = given.tx
    const deal = await team.deals.get(given.path.dealId)
    if (deal?.contactId !== undefined) await team.contacts.remove(deal.contactId)
    return original(given)
  }),

  'quote.startsAsDraft': changeNew('quotes', (quote) => ({ ...quote, status: 'published' })),
  'quote.templateDefaultsToBasic': changeBody('createQuote', (body) => ({ template: 'default', ...body })),
  'quote.updateSetsTheStatus': changeBody('updateQuote', ({ status, ...others }) => others),
  'quote.anyStatusMayFollow': refuseWhen('updateQuote', async ({ status }, { path, tx: { team } }) => {
    const quote = await team.quotes.get(path.quoteId)
    return quote?.status === 'accepted' && status === 'draft'
  }),
  'quote.needsAKnownDeal': doBefore('createQuote', async ({ body, tx: { team } }) => {
    const { dealId: _id } = body
    if (!(await team.deals.get(_id))) await team.deals.insert({ _id, name: '', pipeline: '', stage: '' })
  }),
  'quote.statusesOfTheProse': refuseWhen('updateQuote', ({ status }) => status === 'expired'),
  'quote.statusesOfTheSchema': refuseWhen('updateQuote', ({ status }) => status === 'accepted'),
  'quote.otherStatusesAreRefused': ignoreComplaint('updateQuote', 'status must be one of'),

  'quote.signaturesAreTaken': refuseWhen('updateQuote', ({ signatureOption }) => signatureOption === 'no-signature'),
  'quote.otherSignaturesAreRefused': ignoreComplaint('updateQuote', 'signatureOption must be one of'),
  'quote.wrongTypesAreRefused': ignoreComplaint('updateQuote', 'acceptOnlinePayment must'),

  'quote.createRequires': changeUncheckedBody('createQuote', (body) => ({ dealId: 'unknown', ...body })),
  'quote.createShowsTheRecord': changeBody('createQuote', ({ name, ...others }) => others),
  'quote.requiredFieldsSuffice': refuseWhen('createQuote', ({ name }) => name === undefined),
  'quote.updateTakesAnyOneField': refuseWhen('updateQuote', ({ name }) => name === undefined),
  'quote.updateTakesTheFieldsOfTheExamples': refuseWhen('updateQuote', ({ expirationDate }) =>
    expirationDate?.includes('T'),
  ),
  'quote.updateShowsTheChange': [forgetUpdates('quotes'), alsoSets('updateQuote', 'name', { status: 'draft' })],
  'quote.deletedIsGone': markDeleted('quotes'),
} satisfies Partial<Record<PromiseId, Break | readonly Break[]>>
