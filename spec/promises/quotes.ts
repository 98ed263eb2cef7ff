import type { Wordings } from './wording.ts'

/** Offers, made from a deal. */
export const quotes = {
  'States and transitions': {
    'quote.startsAsDraft': {
      words: 'A quote that was created is a draft.',
      operations: ['createQuote'],
    },
    'quote.templateDefaultsToBasic': {
      words: 'A quote created without a template has the template default-basic.',
      operations: ['createQuote'],
    },
    'quote.updateSetsTheStatus': {
      words: 'An update with a status puts the quote into that status.',
      operations: ['updateQuote'],
    },
    'quote.needsAKnownDeal': {
      words: 'A quote cannot be created from a deal that does not exist.',
      operations: ['createQuote'],
    },
    'quote.statusesOfTheProse': {
      words: 'Each quote status that the prose names can be given in an update.',
      operations: ['updateQuote'],
      values: ['draft', 'published', 'expired'],
    },
    'quote.statusesOfTheSchema': {
      words: 'Each quote status that the body schema lists can be given in an update.',
      operations: ['updateQuote'],
      values: ['draft', 'sent', 'accepted', 'declined'],
    },
    'quote.otherStatusesAreRefused': {
      words: 'A quote status that neither list has is answered 400.',
      operations: ['updateQuote'],
      status: 400,
    },
  },
  Quote: {
    'quote.signaturesAreTaken': {
      words: 'Both signature options are accepted.',
      operations: ['updateQuote'],
      values: ['no-signature', 'written-signature'],
    },
    'quote.otherSignaturesAreRefused': {
      words: 'A signature option that is neither of the two is answered 400.',
      operations: ['updateQuote'],
      status: 400,
      strength: 'usual',
      reason: 'The two values are named, but the field appears only in examples.',
    },
  },
  Index: {
    'quote.createAnswers201': {
      words: 'Creating a quote answers 201.',
      operations: ['createQuote'],
      status: 201,
    },
    'quote.updateAnswers200': {
      words: 'Updating a quote answers 200.',
      operations: ['updateQuote'],
      status: 200,
    },
    'quote.deleteAnswers200': {
      words: 'Deleting a quote answers 200.',
      operations: ['deleteQuote'],
      status: 200,
    },
  },
  Quotes: {
    'quote.createRequires': {
      words: 'Creating a quote without a dealId is answered 400.',
      operations: ['createQuote'],
      status: 400,
      fields: ['dealId'],
    },
    'quote.createShowsTheRecord': {
      words: 'A quote that was created shows an id, its status, and the deal, name and template that it was given.',
      operations: ['createQuote'],
      fields: ['_id', 'dealId', 'name', 'status', 'template'],
    },
    'quote.updateTakesAnyOneField': {
      words: 'Any single field is enough for an update of a quote.',
      operations: ['updateQuote'],
      fields: ['name', 'status', 'template', 'terms', 'notes'],
    },
    'quote.updateTakesTheFieldsOfTheExamples': {
      words: 'A quote can be updated with the further fields that only the examples use.',
      operations: ['updateQuote'],
      fields: ['signatureOption', 'url', 'expirationDate', 'commentsToBuyer', 'purchaseTerms', 'acceptOnlinePayment'],
    },
    'quote.updateShowsTheChange': {
      words: 'The answer to an update of a quote shows the new name and the deal that was left alone.',
      operations: ['updateQuote'],
      fields: ['name', 'dealId'],
      strength: 'usual',
      reason: 'That an update answers with the quote is not stated.',
    },
    'quote.deletedIsGone': {
      words: 'A quote that was deleted can no longer be updated.',
      operations: ['deleteQuote'],
    },
  },
} as const satisfies Wordings<'quote'>
