import { recordCreates, recordUpdates } from '../operation-groups.ts'
import { register } from './register.ts'

/** Companies, products, deals and quotes. */
export const records = register({
  recordFields: {
    section: 'Quote',
    question: 'Which fields of a company, product, deal or quote are given back beyond those shown?',
    operations: [...recordCreates, ...recordUpdates],
    choices: { allSent: 'all that were sent, under the names they were sent with', onlyShown: 'none' },
    assumed: 'allSent',
    probe: 'create a company with an industry',
  },
  recordAfterUpdate: {
    section: 'Companies',
    question: 'Does the answer to an update of a company, product, deal or quote hold the record?',
    operations: recordUpdates,
    choices: { record: 'yes: the record as it is now', messageOnly: 'no: it holds no data' },
    assumed: 'record',
    probe: 'create a product, and update its price',
  },
  numberRange: {
    section: 'Product',
    question: 'May a price or an amount be negative?',
    operations: ['createProduct', 'updateProduct', 'createDeal', 'updateDeal'],
    choices: { accepted: 'yes', refused: 'no (400)' },
    assumed: 'accepted',
    probe: 'create a product with a negative price',
  },
  dealReferences: {
    section: 'Deal',
    question: 'A deal names a contact, company, pipeline, stage or owner that is not there: what happens?',
    operations: ['createDeal', 'updateDeal'],
    choices: { accepted: 'the id is kept as it was sent', refused: 'it is refused (400)' },
    assumed: 'accepted',
    probe: 'create a deal with a contactId that is not there',
  },
  currencyForm: {
    section: 'Deal',
    question: 'Must the currency of a deal be an ISO 4217 code?',
    operations: ['createDeal', 'updateDeal'],
    choices: { checked: 'yes: three capital letters (400 otherwise)', anyString: 'no: any text will do' },
    assumed: 'checked',
    probe: 'create a deal in the currency `shells`',
  },
  closeDateForm: {
    section: 'Deal',
    question: 'Must the closeDate of a deal be an ISO date?',
    operations: ['createDeal', 'updateDeal'],
    choices: { checked: 'yes, with or without a time of day (400 otherwise)', anyString: 'no: any text will do' },
    assumed: 'checked',
    probe: 'create a deal with the closeDate `soon`',
  },
  quotesOfDeletedDeal: {
    section: 'Deals',
    question: 'Which “associated data” goes when a deal is deleted?',
    operations: ['deleteDeal'],
    choices: { deleted: 'its quotes', kept: 'none: its quotes stay' },
    assumed: 'deleted',
    probe: 'create a deal and a quote from it, delete the deal, and update the quote',
  },
  quoteOfUnknownDeal: {
    section: 'Errors',
    question: 'What answers the creation of a quote from a deal that is not there?',
    operations: ['createQuote'],
    choices: { notFound: '404', badRequest: '400' },
    assumed: 'notFound',
    probe: 'create a quote from a deal that was deleted',
  },
  quoteNameWhenAbsent: {
    section: 'Quotes',
    question: 'What is the name of a quote that was created without one?',
    operations: ['createQuote'],
    choices: { dealName: 'the name of its deal', quoteForDeal: '“Quote for” and the name of its deal' },
    assumed: 'dealName',
    probe: 'create a quote without a name',
  },
  otherQuoteTemplate: {
    section: 'Quote',
    question: 'May the template of a quote be another than default-basic?',
    operations: ['createQuote', 'updateQuote'],
    choices: { accepted: 'yes', refused: 'no (400)' },
    assumed: 'accepted',
    probe: 'create a quote with a template of our own invention',
  },
  quoteStatusMoves: {
    section: 'States and transitions',
    question: 'Which status of a quote may follow which?',
    operations: ['updateQuote'],
    choices: {
      any: 'any may follow any',
      forwardOnly:
        'only a later one: draft, then published or sent, then accepted, declined or expired (400 otherwise)',
    },
    assumed: 'any',
    probe: 'create a quote, accept it, and make it a draft again',
  },
})
