import { done, ok, type OperationsOf } from '../core/operation.ts'
import { removeDealData, removeRecord } from '../rules/deletion.ts'
import { checkDealFields } from '../rules/deals.ts'
import { foundForUpdate } from '../rules/refuse.ts'
import { updateRecord, replyToUpdate, showRecord, withTimes } from '../rules/records.ts'

export const deals: OperationsOf<'createDeal' | 'updateDeal' | 'deleteDeal'> = {
  /** promise deal.createAnswers200: creating a deal answers 200, unlike other creates. */
  async createDeal({ body, tx }) {
    await checkDealFields(body, tx)
    const deal = await tx.team.deals.insert(withTimes(body, tx))
    return ok('Deal created', showRecord('deals', deal, tx))
  },

  async updateDeal({ path, body, tx }) {
    const deal = foundForUpdate(await tx.team.deals.get(path.dealId), path.dealId, tx)
    await checkDealFields(body, tx)
    const updated = await updateRecord(tx.team.deals, deal, body, tx)
    return replyToUpdate('Deal updated', 'deals', updated, tx)
  },

  async deleteDeal({ path, tx }) {
    const { record: deal, isRepeat } = await removeRecord(tx.team.deals, path.dealId, tx)
    if (!isRepeat) await removeDealData(deal, tx)
    return done('Deal deleted')
  },
}
