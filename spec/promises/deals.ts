import type { Wordings } from './wording.ts'

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
      strength: 'usual',
      reason: 'A string such as "12" can be read as a number, and whether the service does that is left open.',
    },
    'deal.closeDatesOfOtherTypesAreRefused': {
      words: 'A closeDate that is no text, such as an object or a list, returns 400.',
      operations: writing,
      status: 400,
      fields: ['closeDate'],
      strength: 'usual',
      reason: 'The specification names the type, and does not say that other values are refused.',
    },
    'deal.otherContactsAreRefused': {
      words: 'A deal whose contacts are no list of texts, such as one of numbers or of objects, returns 400.',
      operations: writing,
      status: 400,
      fields: ['contacts'],
      strength: 'usual',
      reason: 'The specification names the type, and does not say that other values are refused.',
    },
  },
  Index: {
    'deal.createAnswers200': {
      words: 'Creating a deal returns 200, unlike other create operations.',
      operations: ['createDeal'],
      status: 200,
    },
    'deal.updateAnswers200': {
      words: 'Updating a deal returns 200.',
      operations: ['updateDeal'],
      status: 200,
    },
    'deal.deleteAnswers200': {
      words: 'Deleting a deal returns 200.',
      operations: ['deleteDeal'],
      status: 200,
    },
  },
  Deals: {
    'deal.createRequires': {
      words: 'Creating a deal returns 400 when a required field is missing.',
      operations: ['createDeal'],
      status: 400,
      fields: ['name', 'pipeline', 'stage'],
    },
    'deal.requiredFieldsSuffice': {
      words: 'A deal can be created with only a name, a pipeline and a stage.',
      operations: ['createDeal'],
      fields: ['name', 'pipeline', 'stage'],
    },
    'deal.updateTakesAnyOneField': {
      words: 'An update of a deal may consist of any single field.',
      operations: ['updateDeal'],
      fields: ['name', 'amount', 'currency', 'pipeline', 'stage', 'contactId', 'companyId', 'closeDate'],
    },
    'deal.updateMayBeEmpty': {
      words: 'An update of a deal may have no field at all, as each of them is optional.',
      operations: ['updateDeal'],
      strength: 'usual',
      reason: 'That each field is optional need not mean that all may be missing at once.',
    },
    'deal.updateShowsTheChange': {
      words: 'Updating a deal returns the new amount and the unchanged name.',
      operations: ['updateDeal'],
      fields: ['name', 'amount'],
      strength: 'usual',
      reason: 'It is not stated that an update returns the deal.',
    },
    'deal.deletedIsGone': {
      words: 'A deleted deal can no longer be updated, and all others can.',
      operations: ['deleteDeal'],
    },
    'deal.deleteSparesItsContact': {
      words: 'Deleting a deal leaves its contact, and the conversation of the contact, in place.',
      operations: ['deleteDeal'],
      strength: 'usual',
      reason:
        'The data that is deleted with a deal is not listed; it would be surprising if a contact were part of it.',
    },
  },
} as const satisfies Wordings<'deal'>
