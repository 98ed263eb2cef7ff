import {
  refuses,
  requirements,
  requiresOne,
  succeeds,
  suffices,
  typeIsNamed,
  updateKeepsTheRest,
  updateMayBeEmpty,
  updateReturns,
  updateTakesAnyOne,
} from './wording.ts'

/** Quotes: offers made from a deal. */
export const quotes = [
  requirements('States and transitions', ['createQuote'], {
    'quote.startsAsDraft': 'A new quote has the status draft.',
    'quote.templateDefaultsToBasic': 'A quote created without a template has the template default-basic.',
  }),
  requirements('States and transitions', ['updateQuote'], {
    'quote.updateSetsTheStatus': 'An update with a status gives the quote that status.',
    'quote.anyStatusMayFollow': {
      words: 'An update can give a quote any status, whichever status it has.',
      reason:
        'The table of states says so; the text below it leaves the transitions of a quote open, so a service may have rules.',
      assumption: 'statusMoves',
    },
    'quote.needsAKnownDeal': {
      words: 'A quote cannot be created from a deal that does not exist.',
      operations: ['createQuote'],
    },
    'quote.statusesOfTheProse': {
      words: 'Each quote status that the text of the specification lists is accepted in an update.',
      values: ['draft', 'published', 'expired'],
    },
    'quote.statusesOfTheSchema': {
      words: 'Each quote status that the body schema lists is accepted in an update.',
      values: ['draft', 'sent', 'accepted', 'declined'],
    },
    'quote.otherStatusesAreRefused': refuses(
      ['status'],
      'A quote status that neither the body schema nor the text of the specification lists',
    ),
  }),
  requirements('Quote', ['updateQuote'], {
    'quote.signaturesAreTaken': {
      words: 'The signature options no-signature and written-signature are accepted.',
      values: ['no-signature', 'written-signature'],
    },
    'quote.otherSignaturesAreRefused': {
      ...refuses(['signatureOption'], 'A signatureOption other than no-signature and written-signature'),
      reason:
        'The two values are named as the template default-basic is, which is no full list, and only examples use the field.',
      follows: 'The two values look like an enumeration.',
    },
    'quote.wrongTypesAreRefused': {
      words:
        'An expirationDate that is no text, and an acceptOnlinePayment that is neither true nor false, return 400.',
      status: 400,
      kind: 'value',
      fields: ['expirationDate', 'acceptOnlinePayment'],
      ...typeIsNamed,
    },
  }),
  requirements('Index', ['createQuote'], {
    'quote.createAnswers201': succeeds(201, 'Creating a quote'),
    'quote.updateAnswers200': { ...succeeds(200, 'Updating a quote'), operations: ['updateQuote'] },
    'quote.deleteAnswers200': { ...succeeds(200, 'Deleting a quote'), operations: ['deleteQuote'] },
  }),
  requirements('Quotes', ['createQuote'], {
    'quote.createRequires': requiresOne('Creating a quote', 'dealId'),
    'quote.createShowsTheRecord': {
      words: 'Creating a quote returns its id, its status, and the dealId, name and template that were sent.',
      fields: ['_id', 'dealId', 'name', 'status', 'template'],
    },
    'quote.requiredFieldsSuffice': suffices('A quote can be created with only a dealId.', 'dealId'),
  }),
  requirements('Quotes', ['updateQuote'], {
    'quote.updateMayBeEmpty': updateMayBeEmpty('quote'),
    'quote.updateKeepsTheRest': updateKeepsTheRest('quote'),
    'quote.updateTakesAnyOneField': updateTakesAnyOne('quote', 'name', 'status', 'template', 'terms', 'notes'),
    'quote.updateTakesTheFieldsOfTheExamples': {
      words: 'Updating a quote accepts the additional fields that only the examples use.',
      fields: ['signatureOption', 'url', 'expirationDate', 'commentsToBuyer', 'purchaseTerms', 'acceptOnlinePayment'],
    },
    'quote.updateShowsTheChange': updateReturns('quote', 'the new name and the unchanged dealId', 'name', 'dealId'),
  }),
  requirements('Quotes', ['deleteQuote'], {
    'quote.deletedIsGone': 'A deleted quote can no longer be updated, and all others can.',
  }),
] as const
