import {
  refuses,
  requirements,
  requires,
  succeeds,
  suffices,
  typeIsNamed,
  updateKeepsTheRest,
  updateMayBeEmpty,
  updateReturns,
  updateTakesAnyOne,
} from './wording.ts'

const writing = ['createDeal', 'updateDeal'] as const
const fields = ['name', 'amount', 'currency', 'pipeline', 'stage', 'contactId', 'companyId', 'closeDate'] as const

/** Deals: sales in progress, each in a stage of a pipeline. */
export const deals = [
  requirements('Deal', ['createDeal'], {
    'deal.createShowsTheRecord': {
      words: 'Creating a deal returns its id, and the name, amount, currency, stage and pipeline that were sent.',
      fields: ['_id', 'name', 'amount', 'currency', 'stage', 'pipeline'],
    },
    'deal.takesEveryField': { words: 'Creating a deal accepts each writable field.', fields },
    'deal.takesTheFieldsOfTheExamples': {
      words: 'Creating a deal accepts the alternative fields that only the examples use.',
      fields: ['description', 'contacts', 'company', 'owner'],
    },
  }),
  requirements('Deal', writing, {
    'deal.amountIsANumber': refuses(['amount'], 'An amount that is not a number'),
    'deal.numericTextsAreRefused': {
      ...refuses(['amount'], 'A deal with a number that is sent as a string'),
      reason: 'A string such as "12" can be read as a number, and whether the service does that is left open.',
      assumption: 'wrongType',
    },
    'deal.closeDatesOfOtherTypesAreRefused': {
      ...refuses(['closeDate'], 'A closeDate that is no text, such as an object or a list,'),
      ...typeIsNamed,
    },
    'deal.otherContactsAreRefused': {
      ...refuses(['contacts'], 'A deal whose contacts are no list of texts, such as one of numbers or of objects,'),
      ...typeIsNamed,
    },
  }),
  requirements('Index', ['createDeal'], {
    'deal.createAnswers200': succeeds(200, 'Creating a deal', 'unlike other create operations'),
    'deal.updateAnswers200': { ...succeeds(200, 'Updating a deal'), operations: ['updateDeal'] },
    'deal.deleteAnswers200': { ...succeeds(200, 'Deleting a deal'), operations: ['deleteDeal'] },
  }),
  requirements('Deals', ['createDeal'], {
    'deal.createRequires': requires('Creating a deal', 'name', 'pipeline', 'stage'),
    'deal.requiredFieldsSuffice': suffices(
      'A deal can be created with only a name, a pipeline and a stage.',
      'name',
      'pipeline',
      'stage',
    ),
  }),
  requirements('Deals', ['updateDeal'], {
    'deal.updateTakesAnyOneField': updateTakesAnyOne('deal', ...fields),
    'deal.updateMayBeEmpty': updateMayBeEmpty('deal'),
    'deal.updateKeepsTheRest': updateKeepsTheRest('deal'),
    'deal.updateShowsTheChange': updateReturns('deal', 'the new amount and the unchanged name', 'name', 'amount'),
  }),
  requirements('Deals', ['deleteDeal'], {
    'deal.deletedIsGone': 'A deleted deal can no longer be updated, and all others can.',
    'deal.deleteSparesItsContact': {
      words: 'Deleting a deal leaves its contact, and the conversation of the contact, in place.',
      reason:
        'The data that is deleted with a deal is not listed; it would be surprising if a contact were part of it.',
      assumption: 'quotesOfDeletedDeal',
    },
  }),
] as const
