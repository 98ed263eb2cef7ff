import type { Schemas } from '../../spec/types.ts'
import type { Team } from '../team.ts'
import { removeAndRemember } from './deletion.ts'

/** Its quotes, as far as they go with a deal: each choice that says so comes here. */
export async function deleteQuotesOf(deal: Schemas['Deal'], team: Team): Promise<void> {
  for (const quote of await team.quotes.find('dealId', deal._id)) await removeAndRemember(team, team.quotes, quote)
}
