import type { Wordings } from './wording.ts'

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
      strength: 'usual',
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
      strength: 'usual',
      reason: 'The two values are named, but the field appears only in examples.',
    },
    'quote.wrongTypesAreRefused': {
      words:
        'An expirationDate that is no text, and an acceptOnlinePayment that is neither true nor false, return 400.',
      operations: ['updateQuote'],
      status: 400,
      fields: ['expirationDate', 'acceptOnlinePayment'],
      strength: 'usual',
      reason: 'The specification names the type, and does not say that other values are refused.',
    },
  },
  Index: {
    'quote.createAnswers201': {
      words: 'Creating a quote returns 201.',
      operations: ['createQuote'],
      status: 201,
    },
    'quote.updateAnswers200': {
      words: 'Updating a quote returns 200.',
      operations: ['updateQuote'],
      status: 200,
    },
    'quote.deleteAnswers200': {
      words: 'Deleting a quote returns 200.',
      operations: ['deleteQuote'],
      status: 200,
    },
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
    'quote.updateMayBeEmpty': {
      words: 'An update of a quote may have no field at all, as each of them is optional.',
      operations: ['updateQuote'],
      strength: 'usual',
      reason: 'That each field is optional need not mean that all may be missing at once.',
    },
    'quote.updateTakesAnyOneField': {
      words: 'An update of a quote may consist of any single field.',
      operations: ['updateQuote'],
      fields: ['name', 'status', 'template', 'terms', 'notes'],
    },
    'quote.updateTakesTheFieldsOfTheExamples': {
      words: 'Updating a quote accepts the additional fields that only the examples use.',
      operations: ['updateQuote'],
      fields: ['signatureOption', 'url', 'expirationDate', 'commentsToBuyer', 'purchaseTerms', 'acceptOnlinePayment'],
    },
    'quote.updateShowsTheChange': {
      words: 'Updating a quote returns the new name and the unchanged dealId.',
      operations: ['updateQuote'],
      fields: ['name', 'dealId'],
      strength: 'usual',
      reason: 'It is not stated that an update returns the quote.',
    },
    'quote.deletedIsGone': {
      words: 'A deleted quote can no longer be updated, and all others can.',
      operations: ['deleteQuote'],
    },
  },
} as const satisfies Wordings<'quote'>
