import { done } from '../../../mock/core/replies.ts'
import { found } from '../../../mock/rules/found.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import { changeUncheckedBody, ignoreComplaint } from '../broken-bodies.ts'
import { changeBody, changeOperation, changeStatus, refuseWhen } from '../broken-operations.ts'
import type { Break } from '../broken-places.ts'
import { changeNew, replaceOnUpdate } from '../broken-records.ts'

export const products = {
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
  'product.createAnswers201': changeStatus('createProduct', 200),
  'product.updateAnswers200': changeStatus('updateProduct', 201),
  'product.deleteAnswers200': changeStatus('deleteProduct', 204),
  'product.createRequires': changeUncheckedBody('createProduct', (body) => ({ unitPrice: 0, ...body })),
  'product.updateTakesAnyOneField': changeBody('updateProduct', ({ sku, ...others }) => others),
  'product.updateShowsTheChange': replaceOnUpdate('products'),
  'product.deletedIsGone': changeOperation('deleteProduct', () => async ({ path, turn }) => {
    found(await turn.team.products.get(path.productId), path.productId, turn)
    return done('Product deleted')
  }),
} satisfies Partial<Record<PromiseId, Break>>
