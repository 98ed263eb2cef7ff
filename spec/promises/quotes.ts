import { deletedIsGone, returns, updateMayBeEmpty, updateReturns, updateTakesAnyOne, type Wordings } from './wording.ts'

/** Quotes: offers made from a deal. */
export const quotes = {
  'States and transitions': {
    'quote.startsAsDraft': {
      words: 'A new quote has the status draft.',
      operations: ['createQuote'],
    },
    'quote.templateDefaultsToBasic': {
      words: 'A quote created without a template has the template default-basic.',
      operations: ['createQuote'],
    },
    'quote.updateSetsTheStatus': {
      words: 'An update with a status gives the quote that status.',
      operations: ['updateQuote'],
    },
    'quote.anyStatusMayFollow': {
      words: 'An update can give a quote any status, whichever status it has.',
      operations: ['updateQuote'],
      reason: 'The table of states says so; the text below it leaves the transitions of a quote open.',
    },
    'quote.needsAKnownDeal': {
      words: 'A quote cannot be created from a deal that does not exist.',
      operations: ['createQuote'],
    },
    'quote.statusesOfTheProse': {
      words: 'Each quote status that the text of the specification lists is accepted in an update.',
      operations: ['updateQuote'],
      values: ['draft', 'published', 'expired'],
    },
    'quote.statusesOfTheSchema': {
      words: 'Each quote status that the body schema lists is accepted in an update.',
      operations: ['updateQuote'],
      values: ['draft', 'sent', 'accepted', 'declined'],
    },
    'quote.otherStatusesAreRefused': {
      words: 'A quote status that neither the body schema nor the text of the specification lists returns 400.',
      operations: ['updateQuote'],
      status: 400,
    },
  },
  Quote: {
    'quote.signaturesAreTaken': {
      words: 'The signature options no-signature and written-signature are accepted.',
      operations: ['updateQuote'],
      values: ['no-signature', 'written-signature'],
    },
    'quote.otherSignaturesAreRefused': {
      words: 'A signatureOption other than no-signature and written-signature returns 400.',
      operations: ['updateQuote'],
      status: 400,
      reason: 'The two values are named, but the field appears only in examples.',
    },
    'quote.wrongTypesAreRefused': {
      words:
        'An expirationDate that is no text, and an acceptOnlinePayment that is neither true nor false, return 400.',
      operations: ['updateQuote'],
      status: 400,
      fields: ['expirationDate', 'acceptOnlinePayment'],
      reason: 'The specification names the type, and does not say that other values are refused.',
    },
  },
  Index: {
    'quote.createAnswers201': returns(201, 'Creating a quote', 'createQuote'),
    'quote.updateAnswers200': returns(200, 'Updating a quote', 'updateQuote'),
    'quote.deleteAnswers200': returns(200, 'Deleting a quote', 'deleteQuote'),
  },
  Quotes: {
    'quote.createRequires': {
      words: 'Creating a quote without a dealId returns 400.',
      operations: ['createQuote'],
      status: 400,
      fields: ['dealId'],
    },
    'quote.createShowsTheRecord': {
      words: 'Creating a quote returns its id, its status, and the dealId, name and template that were sent.',
      operations: ['createQuote'],
      fields: ['_id', 'dealId', 'name', 'status', 'template'],
    },
    'quote.requiredFieldsSuffice': {
      words: 'A quote can be created with only a dealId.',
      operations: ['createQuote'],
      fields: ['dealId'],
    },
    'quote.updateMayBeEmpty': updateMayBeEmpty('quote', 'updateQuote'),
    'quote.updateTakesAnyOneField': updateTakesAnyOne(
      'quote',
      'updateQuote',
      'name',
      'status',
      'template',
      'terms',
      'notes',
    ),
    'quote.updateTakesTheFieldsOfTheExamples': {
      words: 'Updating a quote accepts the additional fields that only the examples use.',
      operations: ['updateQuote'],
      fields: ['signatureOption', 'url', 'expirationDate', 'commentsToBuyer', 'purchaseTerms', 'acceptOnlinePayment'],
    },
    'quote.updateShowsTheChange': updateReturns(
      'quote',
      'updateQuote',
      'the new name and the unchanged dealId',
      'name',
      'dealId',
    ),
    'quote.deletedIsGone': deletedIsGone('quote', 'deleteQuote'),
  },
} as const satisfies Wordings<'quote'>
