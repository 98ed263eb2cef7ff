import { ok, done, type OperationsOf } from '../core/operation.ts'
import { foundForUpdate } from '../rules/refuse.ts'
import {
  checkExpirationDate,
  checkQuoteTemplate,
  defaultTemplate,
  expireQuote,
  findDealOfQuote,
  nameQuote,
} from '../rules/quotes.ts'
import { removeRecord } from '../rules/deletion.ts'
import { checkStatusMove, checkTextForms } from '../rules/record-fields.ts'
import { updateRecord, replyToUpdate, showRecord, withTimes } from '../rules/records.ts'

export const quotes: OperationsOf<'createQuote' | 'updateQuote' | 'deleteQuote'> = {
  /** promise quote.startsAsDraft: a quote that was created is a draft. */
  async createQuote({ body, tx }) {
    const deal = await findDealOfQuote(body.dealId, tx)
    checkQuoteTemplate(body, tx)
    const name = nameQuote(body, deal, tx)
    const draft = withTimes({ template: defaultTemplate, ...body, name, status: 'draft' as const }, tx)
    const quote = { ...(await tx.team.quotes.insert(draft)), ...draft }
    return ok('Quote created', showRecord('quotes', quote, tx))
  },

  async updateQuote({ path, body, tx }) {
    const quote = foundForUpdate(await tx.team.quotes.get(path.quoteId), path.quoteId, tx)
    checkQuoteTemplate(body, tx)
    checkExpirationDate(body, tx)
    checkTextForms(body, tx)
    checkStatusMove(quote, body, tx)
    const updated = await updateRecord(tx.team.quotes, quote, expireQuote(quote, body, tx), tx)
    return replyToUpdate('Quote updated', 'quotes', updated, tx)
  },

  async deleteQuote({ path, tx }) {
    await removeRecord(tx.team.quotes, path.quoteId, tx)
    return done('Quote deleted')
  },
}
