import type { OperationsOf } from '../core/operation.ts'
import { created, done } from '../core/replies.ts'
import { foundForUpdate } from '../rules/found.ts'
import { findDealOfQuote, nameQuote } from '../rules/quotes/quote-deal.ts'
import { checkExpirationDate } from '../rules/quotes/quote-expiration.ts'
import { checkQuoteTemplate, defaultTemplate } from '../rules/quotes/quote-template.ts'
import { removeRecord } from '../rules/record-deletion.ts'
import { updateRecord } from '../rules/record-update.ts'
import { checkTextForms } from '../rules/record-texts.ts'
import { replyToUpdate, showRecord } from '../rules/record-view.ts'

export const quotes: OperationsOf<'createQuote' | 'updateQuote' | 'deleteQuote'> = {
  /** promise quote.startsAsDraft: a quote that was created is a draft. */
  async createQuote({ body, turn }) {
    const deal = await findDealOfQuote(body.dealId, turn)
    checkQuoteTemplate(body, turn)
    const name = nameQuote(body, deal, turn)
    const draft = { template: defaultTemplate, ...body, name, status: 'draft' as const }
    const quote = { ...(await turn.team.quotes.insert(draft)), ...draft }
    return created('Quote created', showRecord('quotes', quote, turn))
  },

  /** promise quote.anyStatusMayFollow: an update leads from any status to the one that it gives. */
  async updateQuote({ path, body, turn }) {
    const quote = foundForUpdate(await turn.team.quotes.get(path.quoteId), path.quoteId, turn)
    checkQuoteTemplate(body, turn)
    checkExpirationDate(body, turn)
    checkTextForms(body, turn)
    const updated = await updateRecord(turn.team.quotes, quote, body, turn)
    return replyToUpdate('Quote updated', 'quotes', updated, turn)
  },

  async deleteQuote({ path, turn }) {
    await removeRecord(turn.team.quotes, path.quoteId, turn)
    return done('Quote deleted')
  },
}
