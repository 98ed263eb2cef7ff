import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Operations } from '../operation.ts'
import { done, ok } from '../replies.ts'
import { deleted } from '../rules/deletion.ts'
import { deleteQuotesOf } from '../rules/deletion-of-a-deal.ts'
import { checkDealFields } from '../rules/fields-of-a-deal.ts'
import { found } from '../rules/found.ts'
import { afterUpdate, shown } from '../rules/record-shown.ts'
import { updated } from '../rules/update-of-a-record.ts'
import type { Team } from '../team.ts'

export const deals: Pick<Operations, 'createDeal' | 'updateDeal' | 'deleteDeal'> = {
  /** promise deal.createAnswers200: a created deal is a 200, unlike the others. */
  async createDeal({ body, team, assumed }) {
    await checkDealFields(body, team, assumed)
    return ok('Deal created', shown('deals', await team.deals.insert(body), assumed))
  },

  async updateDeal({ path, body, team, assumed }) {
    const deal = found(await team.deals.get(path.dealId), path.dealId, assumed)
    await checkDealFields(body, team, assumed)
    return afterUpdate('Deal updated', 'deals', await updated(team.deals, deal, body, assumed), assumed)
  },

  async deleteDeal({ path, team, assumed }) {
    const { record: deal, again } = await deleted(team, team.deals, path.dealId, assumed)
    if (!again) await deleteDataOf(deal, team, assumed)
    return done('Deal deleted')
  },
}

async function deleteDataOf(deal: Schemas['Deal'], team: Team, assumed: Assumed): Promise<void> {
  const quotes = await team.quotes.find('dealId', deal._id)
  if (quotes.length > 0) await quotesOfDeletedDeal[assumed.quotesOfDeletedDeal](deal, team)
}

const quotesOfDeletedDeal: ByChoice<'quotesOfDeletedDeal', (deal: Schemas['Deal'], team: Team) => Promise<void>> = {
  deleted: deleteQuotesOf,
  kept: async () => undefined,
}
