import type { Schemas } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'
import { removeAndRemember } from '../record-deletion.ts'

type Deal = Schemas['Deal']

/** A deal is deleted with its "associated data". The specification does not say whether that includes its quotes. */
export async function removeDealData(deal: Deal, tx: Transaction): Promise<void> {
  const quotes = await tx.team.quotes.find('dealId', deal._id)
  if (quotes.length > 0 && tx.assumed.quotesOfDeletedDeal === 'deleted') await removeQuotesOf(deal, tx)
}

export async function removeQuotesOf(deal: Deal, tx: Transaction): Promise<void> {
  for (const quote of await tx.team.quotes.find('dealId', deal._id)) {
    await removeAndRemember(tx.team.quotes, quote, tx)
  }
}
