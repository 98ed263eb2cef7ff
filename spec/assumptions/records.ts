import { recordCreates, recordUpdates } from '../operation-groups.ts'
import { register } from './register.ts'

/** Companies, products, deals and quotes. */
export const records = register({
  recordFields: {
    section: 'Quote',
    question: 'Which fields of a company, product, deal or quote are returned besides those shown?',
    operations: [...recordCreates, ...recordUpdates],
    choices: { allSent: 'all that were sent, with the names they were sent with', onlyShown: 'none' },
    assumed: 'allSent',
    probe: 'create a company with an industry',
  },
  recordAfterUpdate: {
    section: 'Companies',
    question: 'Does the response to an update of a company, product, deal or quote contain the record?',
    operations: recordUpdates,
    choices: { record: 'yes, as it is after the update', messageOnly: 'no: it has no data' },
    assumed: 'record',
    probe: 'create a product, and update its price',
  },
  numberRange: {
    section: 'Product',
    question: 'Can a price or an amount be negative?',
    operations: ['createProduct', 'updateProduct', 'createDeal', 'updateDeal'],
    choices: { accepted: 'yes', refused: 'no (400)' },
    assumed: 'accepted',
    probe: 'create a product with a negative price',
  },
  dealReferences: {
    section: 'Deal',
    question: 'A deal refers to a contact, company, pipeline, stage or owner that does not exist: what happens?',
    operations: ['createDeal', 'updateDeal'],
    choices: { accepted: 'the id is stored as it was sent', refused: 'the request is refused (400)' },
    assumed: 'accepted',
    probe: 'create a deal with a contactId that does not exist',
  },
  currencyForm: {
    section: 'Deal',
    question: 'Must the currency of a deal be an ISO 4217 code?',
    operations: ['createDeal', 'updateDeal'],
    choices: { checked: 'yes: three capital letters (otherwise 400)', anyString: 'no: any text is accepted' },
    assumed: 'checked',
    probe: 'create a deal with the currency `shells`',
  },
  closeDateForm: {
    section: 'Deal',
    question: 'Must the closeDate of a deal be an ISO date?',
    operations: ['createDeal', 'updateDeal'],
    choices: { checked: 'yes, with or without a time of day (otherwise 400)', anyString: 'no: any text is accepted' },
    assumed: 'checked',
    probe: 'create a deal with the closeDate `soon`',
  },
  quotesOfDeletedDeal: {
    section: 'Deals',
    question: 'Which “associated data” is deleted with a deal?',
    operations: ['deleteDeal'],
    choices: { deleted: 'its quotes', kept: 'none: its quotes stay' },
    assumed: 'deleted',
    probe: 'create a deal and a quote from it, delete the deal, and update the quote',
  },
  quoteOfUnknownDeal: {
    section: 'Errors',
    question: 'What is the response to creating a quote from a deal that does not exist?',
    operations: ['createQuote'],
    choices: { notFound: '404', badRequest: '400' },
    assumed: 'notFound',
    probe: 'create a quote from a deleted deal',
  },
  quoteNameWhenAbsent: {
    section: 'Quotes',
    question: 'What is the name of a quote created without one?',
    operations: ['createQuote'],
    choices: { dealName: 'the name of its deal', quoteForDeal: '“Quote for” and the name of its deal' },
    assumed: 'dealName',
    probe: 'create a quote without a name',
  },
  otherQuoteTemplate: {
    section: 'Quote',
    question: 'Can the template of a quote be another one than default-basic?',
    operations: ['createQuote', 'updateQuote'],
    choices: { accepted: 'yes', refused: 'no (400)' },
    assumed: 'accepted',
    probe: 'create a quote with an invented template',
  },
  quoteStatusMoves: {
    section: 'States and transitions',
    question: 'Which changes of the status of a quote are allowed?',
    operations: ['updateQuote'],
    choices: {
      any: 'all',
      forwardOnly:
        'only to a later one: draft, then published or sent, then accepted, declined or expired (otherwise 400)',
    },
    assumed: 'any',
    probe: 'create a quote, set its status to accepted, and then to draft',
  },
})
