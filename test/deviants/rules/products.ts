import { done } from '../../../mock/core/operation.ts'
import { found } from '../../../mock/rules/found.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import {
  type Break,
  changeBody,
  changeNew,
  changeOperation,
  changeStatus,
  changeUncheckedBody,
  ignoreComplaint,
  refuseWhen,
  replaceOnUpdate,
} from '../breaks.ts'

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
  'product.requiredFieldsSuffice': refuseWhen('createProduct', ({ sku }) => sku === undefined),
  'product.updateMayBeEmpty': refuseWhen('updateProduct', (body) => Object.keys(body).length === 0),
  'product.updateTakesAnyOneField': changeBody('updateProduct', ({ sku, ...others }) => others),
  'product.updateShowsTheChange': replaceOnUpdate('products'),
  'product.deletedIsGone': changeOperation('deleteProduct', () => async ({ path, tx }) => {
    found(await tx.team.products.get(path.productId), path.productId, tx)
    return done('Product deleted')
  }),
} satisfies Partial<Record<PromiseId, Break>>
