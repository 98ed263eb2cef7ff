import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'
import { removeAndRemember } from '../record-deletion.ts'

/** Its quotes, as far as they go with a deal: each choice that says so comes here. */
export async function deleteQuotesOf(deal: Schemas['Deal'], turn: Turn): Promise<void> {
  for (const quote of await turn.team.quotes.find('dealId', deal._id))
    await removeAndRemember(turn.team.quotes, quote, turn)
}
