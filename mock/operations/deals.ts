import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { OperationsOf } from '../core/operation.ts'
import { done, ok } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { deleteQuotesOf } from '../rules/deals/deal-deletion.ts'
import { checkDealFields } from '../rules/deals/deal-fields.ts'
import { deleted } from '../rules/record-deletion.ts'
import { found } from '../rules/found.ts'
import { afterUpdate, shown } from '../rules/record-view.ts'
import { updated } from '../rules/record-update.ts'

export const deals: OperationsOf<'createDeal' | 'updateDeal' | 'deleteDeal'> = {
  /** promise deal.createAnswers200: a created deal is a 200, unlike the others. */
  async createDeal({ body, turn }) {
    await checkDealFields(body, turn)
    return ok('Deal created', shown('deals', await turn.team.deals.insert(body), turn))
  },

  async updateDeal({ path, body, turn }) {
    const deal = found(await turn.team.deals.get(path.dealId), path.dealId, turn)
    await checkDealFields(body, turn)
    return afterUpdate('Deal updated', 'deals', await updated(turn.team.deals, deal, body, turn), turn)
  },

  async deleteDeal({ path, turn }) {
    const { record: deal, again } = await deleted(turn.team.deals, path.dealId, turn)
    if (!again) await deleteDataOf(deal, turn)
    return done('Deal deleted')
  },
}

async function deleteDataOf(deal: Schemas['Deal'], turn: Turn): Promise<void> {
  const quotes = await turn.team.quotes.find('dealId', deal._id)
  if (quotes.length > 0) await quotesOfDeletedDeal[turn.assumed.quotesOfDeletedDeal](deal, turn)
}

const quotesOfDeletedDeal: ByChoice<'quotesOfDeletedDeal', (deal: Schemas['Deal'], turn: Turn) => Promise<void>> = {
  deleted: deleteQuotesOf,
  kept: async () => undefined,
}
