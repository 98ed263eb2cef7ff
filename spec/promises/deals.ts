import {
  deletedIsGone,
  requires,
  returns,
  updateMayBeEmpty,
  updateReturns,
  updateTakesAnyOne,
  type Wordings,
} from './wording.ts'

const writing = ['createDeal', 'updateDeal'] as const

/** Deals: sales in progress, each in a stage of a pipeline. */
export const deals = {
  Deal: {
    'deal.createShowsTheRecord': {
      words: 'Creating a deal returns its id, and the name, amount, currency, stage and pipeline that were sent.',
      operations: ['createDeal'],
      fields: ['_id', 'name', 'amount', 'currency', 'stage', 'pipeline'],
    },
    'deal.takesEveryField': {
      words: 'Creating a deal accepts each writable field.',
      operations: ['createDeal'],
      fields: ['name', 'amount', 'currency', 'pipeline', 'stage', 'contactId', 'companyId', 'closeDate'],
    },
    'deal.takesTheFieldsOfTheExamples': {
      words: 'Creating a deal accepts the alternative fields that only the examples use.',
      operations: ['createDeal'],
      fields: ['description', 'contacts', 'company', 'owner'],
    },
    'deal.amountIsANumber': {
      words: 'An amount that is not a number returns 400.',
      operations: writing,
      status: 400,
      fields: ['amount'],
    },
    'deal.numericTextsAreRefused': {
      words: 'A deal with a number that is sent as a string returns 400.',
      operations: writing,
      status: 400,
      fields: ['amount'],
      reason: 'A string such as "12" can be read as a number, and whether the service does that is left open.',
    },
    'deal.closeDatesOfOtherTypesAreRefused': {
      words: 'A closeDate that is no text, such as an object or a list, returns 400.',
      operations: writing,
      status: 400,
      fields: ['closeDate'],
      reason: 'The specification names the type, and does not say that other values are refused.',
    },
    'deal.otherContactsAreRefused': {
      words: 'A deal whose contacts are no list of texts, such as one of numbers or of objects, returns 400.',
      operations: writing,
      status: 400,
      fields: ['contacts'],
      reason: 'The specification names the type, and does not say that other values are refused.',
    },
  },
  Index: {
    'deal.createAnswers200': {
      words: 'Creating a deal returns 200, unlike other create operations.',
      operations: ['createDeal'],
      status: 200,
    },
    'deal.updateAnswers200': returns(200, 'Updating a deal', 'updateDeal'),
    'deal.deleteAnswers200': returns(200, 'Deleting a deal', 'deleteDeal'),
  },
  Deals: {
    'deal.createRequires': requires('Creating a deal', 'createDeal', 'name', 'pipeline', 'stage'),
    'deal.requiredFieldsSuffice': {
      words: 'A deal can be created with only a name, a pipeline and a stage.',
      operations: ['createDeal'],
      fields: ['name', 'pipeline', 'stage'],
    },
    'deal.updateTakesAnyOneField': updateTakesAnyOne(
      'deal',
      'updateDeal',
      'name',
      'amount',
      'currency',
      'pipeline',
      'stage',
      'contactId',
      'companyId',
      'closeDate',
    ),
    'deal.updateMayBeEmpty': updateMayBeEmpty('deal', 'updateDeal'),
    'deal.updateShowsTheChange': updateReturns(
      'deal',
      'updateDeal',
      'the new amount and the unchanged name',
      'name',
      'amount',
    ),
    'deal.deletedIsGone': deletedIsGone('deal', 'deleteDeal'),
    'deal.deleteSparesItsContact': {
      words: 'Deleting a deal leaves its contact, and the conversation of the contact, in place.',
      operations: ['deleteDeal'],
      reason:
        'The data that is deleted with a deal is not listed; it would be surprising if a contact were part of it.',
    },
  },
} as const satisfies Wordings<'deal'>
