import {
  deletedIsGone,
  requires,
  returns,
  updateMayBeEmpty,
  updateReturns,
  updateTakesAnyOne,
  type Wordings,
} from './wording.ts'

const writing = ['createProduct', 'updateProduct'] as const

/** Products: what a team sells. */
export const products = {
  Product: {
    'product.createShowsTheRecord': {
      words: 'Creating a product returns its id, and the name, sku, unitPrice and unitCost that were sent.',
      operations: ['createProduct'],
      fields: ['_id', 'name', 'sku', 'unitPrice', 'unitCost'],
    },
    'product.takesEveryField': {
      words: 'Creating a product accepts each writable field.',
      operations: ['createProduct'],
      fields: ['name', 'sku', 'description', 'unitPrice', 'unitCost', 'billingFrequency'],
    },
    'product.takesTheFieldsOfTheExamples': {
      words: 'Creating a product accepts the additional fields that only the examples use.',
      operations: ['createProduct'],
      fields: ['term', 'productType', 'imageUrl', 'url'],
    },
    'product.pricesAreNumbers': {
      words: 'A unitPrice or a unitCost that is not a number returns 400.',
      operations: writing,
      status: 400,
      fields: ['unitPrice', 'unitCost'],
    },
    'product.numericTextsAreRefused': {
      words: 'A product with a number that is sent as a string returns 400.',
      operations: writing,
      status: 400,
      fields: ['unitPrice', 'unitCost'],
      reason: 'A string such as "12" can be read as a number, and whether the service does that is left open.',
    },
    'product.billingOfTheSchema': {
      words: 'Each billing frequency that the body schema lists is accepted.',
      operations: writing,
      values: ['one_time', 'monthly', 'quarterly', 'annually'],
    },
    'product.billingOfTheProse': {
      words: 'Each billing frequency that the text of the specification lists is accepted too.',
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
      words: 'A billing frequency that neither the body schema nor the text of the specification lists returns 400.',
      operations: writing,
      status: 400,
    },
  },
  Index: {
    'product.createAnswers201': returns(201, 'Creating a product', 'createProduct'),
    'product.updateAnswers200': returns(200, 'Updating a product', 'updateProduct'),
    'product.deleteAnswers200': returns(200, 'Deleting a product', 'deleteProduct'),
  },
  Products: {
    'product.createRequires': requires('Creating a product', 'createProduct', 'name', 'unitPrice'),
    'product.requiredFieldsSuffice': {
      words: 'A product can be created with only a name and a unitPrice.',
      operations: ['createProduct'],
      fields: ['name', 'unitPrice'],
    },
    'product.updateTakesAnyOneField': updateTakesAnyOne(
      'product',
      'updateProduct',
      'name',
      'sku',
      'description',
      'unitPrice',
      'unitCost',
      'billingFrequency',
    ),
    'product.updateMayBeEmpty': updateMayBeEmpty('product', 'updateProduct'),
    'product.updateShowsTheChange': updateReturns(
      'product',
      'updateProduct',
      'the new unitPrice and the unchanged name',
      'name',
      'unitPrice',
    ),
    'product.deletedIsGone': deletedIsGone('product', 'deleteProduct'),
  },
} as const satisfies Wordings<'product'>
