import type { Schemas } from '../../spec/types.ts'
import { ok, done, type OperationsOf } from '../core/operation.ts'
import type { Transaction } from '../core/transaction.ts'
import { foundForUpdate } from '../rules/refuse.ts'
import { removeRecord, clearCompanyReferences } from '../rules/deletion.ts'
import {
  acceptCustomFields,
  checkUnique,
  checkNotNegative,
  checkTextForms,
  checkCompanyReferences,
} from '../rules/record-fields.ts'
import { updateRecord, replyToUpdate, showRecord, withTimes } from '../rules/records.ts'

export const companies: OperationsOf<'createCompany' | 'updateCompany' | 'deleteCompany'> = {
  async createCompany({ body, tx }) {
    const fields = acceptCompanyFields(body, tx)
    await checkCompanyReferences(fields, tx)
    await checkUnique('domain', fields, tx)
    const company = await tx.team.companies.insert(withTimes(fields, tx))
    return ok('Company created', showRecord('companies', company, tx))
  },

  async updateCompany({ path, body, tx }) {
    const company = foundForUpdate(await tx.team.companies.get(path.companyId), path.companyId, tx)
    const fields = acceptCompanyFields(body, tx)
    await checkCompanyReferences(fields, tx)
    await checkUnique('domain', fields, tx, company)
    const updated = await updateRecord(tx.team.companies, company, fields, tx)
    return replyToUpdate('Company updated', 'companies', updated, tx)
  },

  async deleteCompany({ path, tx }) {
    const { record: company, isRepeat } = await removeRecord(tx.team.companies, path.companyId, tx)
    if (!isRepeat) await clearCompanyReferences(company._id, tx)
    return done('Company deleted')
  },
}

function acceptCompanyFields<F extends Schemas['CompanyFields']>(body: F, tx: Transaction): F {
  const { employeeCount, annualRevenue } = body
  checkTextForms(body, tx)
  checkNotNegative({ employeeCount, annualRevenue }, tx)
  return acceptCustomFields(body, tx)
}
