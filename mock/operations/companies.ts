import type { Schemas } from '../../spec/types.ts'
import type { OperationsOf } from '../core/operation.ts'
import { created, done } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { checkCompanyReferences } from '../rules/contact-references.ts'
import { acceptCustomFields } from '../rules/custom-fields.ts'
import { foundForUpdate } from '../rules/found.ts'
import { checkNotNegative } from '../rules/negative-numbers.ts'
import { removeRecord } from '../rules/record-deletion.ts'
import { updateRecord } from '../rules/record-update.ts'
import { checkTextForms } from '../rules/record-texts.ts'
import { replyToUpdate, showRecord } from '../rules/record-view.ts'
import { clearCompanyReferences } from '../rules/references-after-delete.ts'
import { checkDomain } from '../rules/same-record-twice.ts'

export const companies: OperationsOf<'createCompany' | 'updateCompany' | 'deleteCompany'> = {
  async createCompany({ body, turn }) {
    const fields = acceptCompanyFields(body, turn)
    await checkCompanyReferences(fields, turn)
    await checkDomain(fields, turn)
    const company = await turn.team.companies.insert(fields)
    return created('Company created', showRecord('companies', company, turn))
  },

  async updateCompany({ path, body, turn }) {
    const company = foundForUpdate(await turn.team.companies.get(path.companyId), path.companyId, turn)
    const fields = acceptCompanyFields(body, turn)
    await checkCompanyReferences(fields, turn)
    await checkDomain(fields, turn, company)
    const updated = await updateRecord(turn.team.companies, company, fields, turn)
    return replyToUpdate('Company updated', 'companies', updated, turn)
  },

  async deleteCompany({ path, turn }) {
    const { record: company, isRepeat } = await removeRecord(turn.team.companies, path.companyId, turn)
    if (!isRepeat) await clearCompanyReferences(company._id, turn)
    return done('Company deleted')
  },
}

function acceptCompanyFields<F extends Schemas['CompanyFields']>(body: F, turn: Turn): F {
  const { employeeCount, annualRevenue } = body
  checkTextForms(body, turn)
  checkNotNegative({ employeeCount, annualRevenue }, turn)
  return acceptCustomFields(body, turn)
}
