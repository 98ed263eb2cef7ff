import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { OperationsOf } from '../core/operation.ts'
import { created, done } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { checkContacts } from '../rules/contact-references.ts'
import { deleted } from '../rules/record-deletion.ts'
import { found } from '../rules/found.ts'
import { afterUpdate, shown } from '../rules/record-view.ts'
import { updated } from '../rules/record-update.ts'

export const companies: OperationsOf<'createCompany' | 'updateCompany' | 'deleteCompany'> = {
  async createCompany({ body, turn }) {
    await checkContacts(body, turn)
    return created('Company created', shown('companies', await turn.team.companies.insert(body), turn))
  },

  async updateCompany({ path, body, turn }) {
    const company = found(await turn.team.companies.get(path.companyId), path.companyId, turn)
    await checkContacts(body, turn)
    const changed = await updated(turn.team.companies, company, body, turn)
    return afterUpdate('Company updated', 'companies', changed, turn)
  },

  async deleteCompany({ path, turn }) {
    const { record: company, again } = await deleted(turn.team.companies, path.companyId, turn)
    if (!again) await forgetReferences(company._id, turn)
    return done('Company deleted')
  },
}

async function forgetReferences(companyId: string, turn: Turn): Promise<void> {
  const contacts = await turn.team.contacts.find('company', companyId)
  const deals = await turn.team.deals.find('company', companyId)
  if (contacts.length + deals.length === 0) return
  await referencesAfterDelete[turn.assumed.referencesAfterDelete](companyId, contacts, deals, turn)
}

type Forget = (
  companyId: string,
  contacts: readonly Schemas['Contact'][],
  deals: readonly Schemas['Deal'][],
  turn: Turn,
) => Promise<void>

const referencesAfterDelete: ByChoice<'referencesAfterDelete', Forget> = {
  kept: async () => undefined,
  cleared: async (companyId, contacts, deals, { team }) => {
    for (const { company: _, ...contact } of contacts) await team.contacts.replace(contact, contact)
    for (const deal of deals) await team.deals.replace(deal, withoutCompany(companyId, deal))
  },
}

/** A deal may name one company as `company` and another as `companyId`. */
function withoutCompany(id: string, { company, companyId, ...deal }: Schemas['Deal']): Schemas['Deal'] {
  return {
    ...deal,
    ...(company === undefined || company === id ? {} : { company }),
    ...(companyId === undefined || companyId === id ? {} : { companyId }),
  }
}
