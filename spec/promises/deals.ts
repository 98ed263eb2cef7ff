import type { Wordings } from './wording.ts'

const writing = ['createDeal', 'updateDeal'] as const

/** Sales in progress, in a stage of a pipeline. */
export const deals = {
  Deal: {
    'deal.createShowsTheRecord': {
      words:
        'A deal that was created shows an id, and the name, amount, currency, stage and pipeline that it was given.',
      operations: ['createDeal'],
      fields: ['_id', 'name', 'amount', 'currency', 'stage', 'pipeline'],
    },
    'deal.takesEveryField': {
      words: 'Each writable field of a deal is accepted on create.',
      operations: ['createDeal'],
      fields: ['name', 'amount', 'currency', 'pipeline', 'stage', 'contactId', 'companyId', 'closeDate'],
    },
    'deal.takesTheFieldsOfTheExamples': {
      words: 'A deal can be created with the alternative fields that only the examples use.',
      operations: ['createDeal'],
      fields: ['description', 'contacts', 'company', 'owner'],
    },
    'deal.amountIsANumber': {
      words: 'An amount that is not a number is answered 400.',
      operations: writing,
      status: 400,
      fields: ['amount'],
    },
  },
  Index: {
    'deal.createAnswers200': {
      words: 'Creating a deal answers 200, unlike other creates.',
      operations: ['createDeal'],
      status: 200,
    },
    'deal.updateAnswers200': {
      words: 'Updating a deal answers 200.',
      operations: ['updateDeal'],
      status: 200,
    },
    'deal.deleteAnswers200': {
      words: 'Deleting a deal answers 200.',
      operations: ['deleteDeal'],
      status: 200,
    },
  },
  Deals: {
    'deal.createRequires': {
      words: 'Creating a deal is answered 400 when one of its required fields is missing.',
      operations: ['createDeal'],
      status: 400,
      fields: ['name', 'pipeline', 'stage'],
    },
    'deal.updateTakesAnyOneField': {
      words: 'Any single field is enough for an update of a deal.',
      operations: ['updateDeal'],
      fields: ['name', 'amount', 'currency', 'pipeline', 'stage', 'contactId', 'companyId', 'closeDate'],
    },
    'deal.updateShowsTheChange': {
      words: 'The answer to an update of a deal shows the new amount and the name that was left alone.',
      operations: ['updateDeal'],
      fields: ['name', 'amount'],
      strength: 'usual',
      reason: 'That an update answers with the deal is not stated.',
    },
    'deal.deletedIsGone': {
      words: 'A deal that was deleted can no longer be updated.',
      operations: ['deleteDeal'],
    },
    'deal.deleteSparesItsContact': {
      words: 'The contact of a deleted deal, and its conversation, stay in place.',
      operations: ['deleteDeal'],
      strength: 'usual',
      reason: 'The data that goes with a deal is not listed; it would be strange if a person were part of it.',
    },
  },
} as const satisfies Wordings<'deal'>
