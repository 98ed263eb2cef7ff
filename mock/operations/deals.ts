import type { OperationsOf } from '../core/operation.ts'
import { done, ok } from '../core/replies.ts'
import { removeDealData } from '../rules/deals/deal-deletion.ts'
import { checkDealFields } from '../rules/deals/deal-fields.ts'
import { foundForUpdate } from '../rules/found.ts'
import { removeRecord } from '../rules/record-deletion.ts'
import { updateRecord } from '../rules/record-update.ts'
import { replyToUpdate, showRecord } from '../rules/record-view.ts'

export const deals: OperationsOf<'createDeal' | 'updateDeal' | 'deleteDeal'> = {
  /** promise deal.createAnswers200: creating a deal answers 200, unlike other creates. */
  async createDeal({ body, turn }) {
    await checkDealFields(body, turn)
    const deal = await turn.team.deals.insert(body)
    return ok('Deal created', showRecord('deals', deal, turn))
  },

  async updateDeal({ path, body, turn }) {
    const deal = foundForUpdate(await turn.team.deals.get(path.dealId), path.dealId, turn)
    await checkDealFields(body, turn)
    const updated = await updateRecord(turn.team.deals, deal, body, turn)
    return replyToUpdate('Deal updated', 'deals', updated, turn)
  },

  async deleteDeal({ path, turn }) {
    const { record: deal, isRepeat } = await removeRecord(turn.team.deals, path.dealId, turn)
    if (!isRepeat) await removeDealData(deal, turn)
    return done('Deal deleted')
  },
}
