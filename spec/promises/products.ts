import type { Wordings } from './wording.ts'

const writing = ['createProduct', 'updateProduct'] as const

/** What a team sells. */
export const products = {
  Product: {
    'product.createShowsTheRecord': {
      words: 'A product that was created shows an id, and the name, sku, price and cost that it was given.',
      operations: ['createProduct'],
      fields: ['_id', 'name', 'sku', 'unitPrice', 'unitCost'],
    },
    'product.takesEveryField': {
      words: 'Each writable field of a product is accepted on create.',
      operations: ['createProduct'],
      fields: ['name', 'sku', 'description', 'unitPrice', 'unitCost', 'billingFrequency'],
    },
    'product.takesTheFieldsOfTheExamples': {
      words: 'A product can be created with the further fields that only the examples use.',
      operations: ['createProduct'],
      fields: ['term', 'productType', 'imageUrl', 'url'],
    },
    'product.pricesAreNumbers': {
      words: 'A price or a cost that is not a number is answered 400.',
      operations: writing,
      status: 400,
      fields: ['unitPrice', 'unitCost'],
    },
    'product.billingOfTheSchema': {
      words: 'Each billing frequency that the body schema lists is accepted.',
      operations: writing,
      values: ['one_time', 'monthly', 'quarterly', 'annually'],
    },
    'product.billingOfTheProse': {
      words: 'Each billing frequency that the prose lists is accepted too.',
      operations: writing,
      values: [
        'one-time',
        'weekly',
        'every-two-weeks',
        'monthly',
        'quarterly',
        'semi-annually',
        'annually',
        'every-two-years',
        'every-three-years',
        'every-four-years',
        'every-five-years',
      ],
    },
    'product.otherBillingIsRefused': {
      words: 'A billing frequency on neither list is answered 400.',
      operations: writing,
      status: 400,
    },
  },
  Index: {
    'product.createAnswers201': {
      words: 'Creating a product answers 201.',
      operations: ['createProduct'],
      status: 201,
    },
    'product.updateAnswers200': {
      words: 'Updating a product answers 200.',
      operations: ['updateProduct'],
      status: 200,
    },
    'product.deleteAnswers200': {
      words: 'Deleting a product answers 200.',
      operations: ['deleteProduct'],
      status: 200,
    },
  },
  Products: {
    'product.createRequires': {
      words: 'Creating a product is answered 400 when one of its required fields is missing.',
      operations: ['createProduct'],
      status: 400,
      fields: ['name', 'unitPrice'],
    },
    'product.updateTakesAnyOneField': {
      words: 'Any single field is enough for an update of a product.',
      operations: ['updateProduct'],
      fields: ['name', 'sku', 'description', 'unitPrice', 'unitCost', 'billingFrequency'],
    },
    'product.updateShowsTheChange': {
      words: 'The answer to an update of a product shows the new price and the name that was left alone.',
      operations: ['updateProduct'],
      fields: ['name', 'unitPrice'],
      strength: 'usual',
      reason: 'That an update answers with the product is not stated.',
    },
    'product.deletedIsGone': {
      words: 'A product that was deleted can no longer be updated.',
      operations: ['deleteProduct'],
    },
  },
} as const satisfies Wordings<'product'>
