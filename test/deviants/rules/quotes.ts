import type { Break } from '../broken-copy.ts'
import { unchecked } from '../checks-of-a-body.ts'

/** An update is refused that ought to be taken. */
const refusingUpdate = (condition: string, sentence: string): Break => ({
  file: 'operations/quotes.ts',
  rule: 'checkStatusMove(quote, body, assumed)',
  instead: `if (${condition}) refuse('${sentence}')\n    checkStatusMove(quote, body, assumed)`,
})

export const quotes = {
  'quote.startsAsDraft': {
    file: 'operations/quotes.ts',
    rule: "status: 'draft' as const",
    instead: "status: 'published' as const",
  },
  'quote.templateDefaultsToBasic': {
    file: 'operations/quotes.ts',
    rule: '{ template: basicTemplate, ...body, name,',
    instead: '{ ...body, name,',
  },
  'quote.updateSetsTheStatus': {
    file: 'operations/quotes.ts',
    rule: 'updated(team.quotes, quote, body, assumed)',
    instead: 'updated(team.quotes, quote, { ...body, status: quote.status }, assumed)',
  },
  'quote.needsAKnownDeal': {
    file: 'operations/quotes.ts',
    rule: ' ?? quoteOfUnknownDeal[assumed.quoteOfUnknownDeal]()',
    instead: '',
  },
  'quote.statusesOfTheProse': refusingUpdate("body.status === 'expired'", 'a quote expires by itself'),
  'quote.statusesOfTheSchema': refusingUpdate("body.status === 'accepted'", 'a quote is accepted by who gets it'),
  'quote.otherStatusesAreRefused': unchecked('status must be one of'),

  'quote.signaturesAreTaken': refusingUpdate(
    "body.signatureOption === 'no-signature'",
    'signatureOption must be written-signature',
  ),
  'quote.otherSignaturesAreRefused': unchecked('signatureOption must be one of'),

  'quote.createAnswers201': {
    file: 'operations/quotes.ts',
    rule: 'import { created, done,',
    instead: 'import { ok as created, done,',
  },
  'quote.updateAnswers200': {
    file: 'rules/record-shown.ts',
    rule: 'import { done, ok }',
    instead: 'import { created as ok, done }',
  },
  'quote.deleteAnswers200': {
    file: 'operations/quotes.ts',
    rule: "return done('Quote deleted')",
    instead: "return { ...done('Quote deleted'), status: 204 }",
  },

  'quote.createRequires': unchecked('dealId is required'),
  'quote.createShowsTheRecord': {
    file: 'operations/quotes.ts',
    rule: 'const name = body.name ?? quoteNameWhenAbsent',
    instead: 'const name = quoteNameWhenAbsent',
  },
  'quote.updateTakesAnyOneField': refusingUpdate('body.name === undefined', 'name is required'),
  'quote.updateTakesTheFieldsOfTheExamples': refusingUpdate(
    "body.expirationDate?.includes('T')",
    'expirationDate must be a day',
  ),
  'quote.updateShowsTheChange': {
    file: 'operations/quotes.ts',
    rule: 'await updated(team.quotes, quote, body, assumed)',
    instead: '{ ...quote, ...body }',
  },
  'quote.deletedIsGone': {
    file: 'rules/deletion.ts',
    rule: 'await records.remove(record._id)',
    instead: 'await records.replace(record, { ...record, isDeleted: true })',
  },
} satisfies Record<string, Break>
