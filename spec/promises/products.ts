import {
  refuses,
  requirements,
  requires,
  succeeds,
  suffices,
  updateKeepsTheRest,
  updateMayBeEmpty,
  updateReturns,
  updateTakesAnyOne,
} from './wording.ts'

const writing = ['createProduct', 'updateProduct'] as const
const fields = ['name', 'sku', 'description', 'unitPrice', 'unitCost', 'billingFrequency'] as const

/** Products: what a team sells. */
export const products = [
  requirements('Product', ['createProduct'], {
    'product.createShowsTheRecord': {
      words: 'Creating a product returns its id, and the name, sku, unitPrice and unitCost that were sent.',
      fields: ['_id', 'name', 'sku', 'unitPrice', 'unitCost'],
    },
    'product.takesEveryField': { words: 'Creating a product accepts each writable field.', fields },
    'product.takesTheFieldsOfTheExamples': {
      words: 'Creating a product accepts the additional fields that only the examples use.',
      fields: ['term', 'productType', 'imageUrl', 'url'],
    },
  }),
  requirements('Product', writing, {
    'product.pricesAreNumbers': refuses(['unitPrice', 'unitCost'], 'A unitPrice or a unitCost that is not a number'),
    'product.numericTextsAreRefused': {
      ...refuses(['unitPrice', 'unitCost'], 'A product with a number that is sent as a string'),
      reason: 'A string such as "12" can be read as a number, and whether the service does that is left open.',
      assumption: 'wrongType',
    },
    'product.billingOfTheSchema': {
      words: 'Each billing frequency that the body schema lists is accepted.',
      values: ['one_time', 'monthly', 'quarterly', 'annually'],
    },
    'product.billingOfTheProse': {
      words: 'Each billing frequency that the text of the specification lists is accepted too.',
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
    'product.otherBillingIsRefused': refuses(
      ['billingFrequency'],
      'A billing frequency that neither the body schema nor the text of the specification lists',
    ),
  }),
  requirements('Index', ['createProduct'], {
    'product.createAnswers201': succeeds(201, 'Creating a product'),
    'product.updateAnswers200': { ...succeeds(200, 'Updating a product'), operations: ['updateProduct'] },
    'product.deleteAnswers200': { ...succeeds(200, 'Deleting a product'), operations: ['deleteProduct'] },
  }),
  requirements('Products', ['createProduct'], {
    'product.createRequires': requires('Creating a product', 'name', 'unitPrice'),
    'product.requiredFieldsSuffice': suffices(
      'A product can be created with only a name and a unitPrice.',
      'name',
      'unitPrice',
    ),
  }),
  requirements('Products', ['updateProduct'], {
    'product.updateTakesAnyOneField': updateTakesAnyOne('product', ...fields),
    'product.updateMayBeEmpty': updateMayBeEmpty('product'),
    'product.updateKeepsTheRest': updateKeepsTheRest('product'),
    'product.updateShowsTheChange': updateReturns(
      'product',
      'the new unitPrice and the unchanged name',
      'name',
      'unitPrice',
    ),
  }),
  requirements('Products', ['deleteProduct'], {
    'product.deletedIsGone': 'A deleted product can no longer be updated, and all others can.',
  }),
] as const
