import type { Wordings } from './wording.ts'

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
      strength: 'usual',
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
    'product.createAnswers201': {
      words: 'Creating a product returns 201.',
      operations: ['createProduct'],
      status: 201,
    },
    'product.updateAnswers200': {
      words: 'Updating a product returns 200.',
      operations: ['updateProduct'],
      status: 200,
    },
    'product.deleteAnswers200': {
      words: 'Deleting a product returns 200.',
      operations: ['deleteProduct'],
      status: 200,
    },
  },
  Products: {
    'product.createRequires': {
      words: 'Creating a product returns 400 when a required field is missing.',
      operations: ['createProduct'],
      status: 400,
      fields: ['name', 'unitPrice'],
    },
    'product.requiredFieldsSuffice': {
      words: 'A product can be created with only a name and a unitPrice.',
      operations: ['createProduct'],
      fields: ['name', 'unitPrice'],
    },
    'product.updateTakesAnyOneField': {
      words: 'An update of a product may consist of any single field.',
      operations: ['updateProduct'],
      fields: ['name', 'sku', 'description', 'unitPrice', 'unitCost', 'billingFrequency'],
    },
    'product.updateMayBeEmpty': {
      words: 'An update of a product may have no field at all, as each of them is optional.',
      operations: ['updateProduct'],
      strength: 'usual',
      reason: 'That each field is optional need not mean that all may be missing at once.',
    },
    'product.updateShowsTheChange': {
      words: 'Updating a product returns the new unitPrice and the unchanged name.',
      operations: ['updateProduct'],
      fields: ['name', 'unitPrice'],
      strength: 'usual',
      reason: 'It is not stated that an update returns the product.',
    },
    'product.deletedIsGone': {
      words: 'A deleted product can no longer be updated, and all others can.',
      operations: ['deleteProduct'],
    },
  },
} as const satisfies Wordings<'product'>
