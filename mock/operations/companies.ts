import type { OperationsOf } from '../core/operation.ts'
import { created, done } from '../core/replies.ts'
import { checkCompanyReferences } from '../rules/contact-references.ts'
import { found } from '../rules/found.ts'
import { removeRecord } from '../rules/record-deletion.ts'
import { updateRecord } from '../rules/record-update.ts'
import { replyToUpdate, showRecord } from '../rules/record-view.ts'
import { clearCompanyReferences } from '../rules/references-after-delete.ts'

export const companies: OperationsOf<'createCompany' | 'updateCompany' | 'deleteCompany'> = {
  async createCompany({ body, turn }) {
    await checkCompanyReferences(body, turn)
    const company = await turn.team.companies.insert(body)
    return created('Company created', showRecord('companies', company, turn))
  },

  async updateCompany({ path, body, turn }) {
    const company = found(await turn.team.companies.get(path.companyId), path.companyId, turn)
    await checkCompanyReferences(body, turn)
    const updated = await updateRecord(turn.team.companies, company, body, turn)
    return replyToUpdate('Company updated', 'companies', updated, turn)
  },

  async deleteCompany({ path, turn }) {
    const { record: company, isRepeat } = await removeRecord(turn.team.companies, path.companyId, turn)
    if (!isRepeat) await clearCompanyReferences(company._id, turn)
    return done('Company deleted')
  },
}
