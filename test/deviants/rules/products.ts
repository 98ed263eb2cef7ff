import type { Break } from '../broken-copy.ts'
import { readAs, unchecked } from '../checks-of-a-body.ts'

export const products = {
  'product.createShowsTheRecord': {
    file: 'operations/products.ts',
    rule: 'team.products.insert(body)',
    instead: 'team.products.insert({ ...body, unitPrice: Math.round(body.unitPrice) })',
  },
  'product.takesEveryField': readAs(
    'createProduct',
    "(body) => (Number.isInteger(body.unitCost ?? 0) ? body : refuse('unitCost must be a whole number'))",
  ),
  'product.takesTheFieldsOfTheExamples': readAs(
    'createProduct',
    "(body) => (typeof body.term === 'string' ? refuse('term must be a number') : body)",
  ),
  'product.pricesAreNumbers': unchecked('unitCost must be a number'),
  'product.billingOfTheSchema': readAs(
    'createProduct',
    "(body) => (body.billingFrequency === 'one_time' ? refuse('billingFrequency must be one-time') : body)",
  ),
  'product.billingOfTheProse': readAs(
    'updateProduct',
    "(body) => (/^every/.test(body.billingFrequency) ? refuse('billingFrequency must be annually at most') : body)",
  ),
  'product.otherBillingIsRefused': unchecked('billingFrequency must be'),
  'product.createAnswers201': {
    file: 'operations/products.ts',
    rule: 'import { created, done }',
    instead: 'import { ok as created, done }',
  },
  'product.updateAnswers200': {
    file: 'operations/products.ts',
    rule: "return afterUpdate('Product updated', 'products', changed, assumed)",
    instead: "return created('Product updated', shown('products', changed, assumed))",
  },
  'product.deleteAnswers200': {
    file: 'operations/products.ts',
    rule: "return done('Product deleted')",
    instead: "return { ...done('Product deleted'), status: 204 }",
  },
  'product.createRequires': readAs('createProduct', '(body) => ({ unitPrice: 0, ...body })'),
  'product.updateTakesAnyOneField': {
    file: 'operations/products.ts',
    rule: 'updated(team.products, product, body, assumed)',
    instead: 'updated(team.products, product, { ...body, sku: product.sku }, assumed)',
  },
  'product.updateShowsTheChange': {
    file: 'operations/products.ts',
    rule: 'updated(team.products, product, body, assumed)',
    instead: 'team.products.replace(product, body)',
  },
  'product.deletedIsGone': {
    file: 'operations/products.ts',
    rule: 'await deleted(team, team.products, path.productId, assumed)',
    instead: 'found(await team.products.get(path.productId), path.productId, assumed)',
  },
} satisfies Record<string, Break>
