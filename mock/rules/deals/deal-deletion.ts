import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'
import { removeAndRemember } from '../record-deletion.ts'

type Deal = Schemas['Deal']

/** A deal is deleted with its "associated data". The specification does not say whether that includes its quotes. */
export async function removeDealData(deal: Deal, turn: Turn): Promise<void> {
  const quotes = await turn.team.quotes.find('dealId', deal._id)
  if (quotes.length > 0) await quotesOfDeletedDeal[turn.assumed.quotesOfDeletedDeal](deal, turn)
}

const quotesOfDeletedDeal: ByChoice<'quotesOfDeletedDeal', (deal: Deal, turn: Turn) => Promise<void>> = {
  deleted: removeQuotesOf,
  kept: async () => undefined,
}

export async function removeQuotesOf(deal: Deal, turn: Turn): Promise<void> {
  for (const quote of await turn.team.quotes.find('dealId', deal._id)) {
    await removeAndRemember(turn.team.quotes, quote, turn)
  }
}
