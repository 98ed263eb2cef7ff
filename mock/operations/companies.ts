import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Operations } from '../operation.ts'
import { created, done } from '../replies.ts'
import { checkContacts } from '../rules/contact-references.ts'
import { deleted } from '../rules/deletion.ts'
import { found } from '../rules/found.ts'
import { afterUpdate, shown } from '../rules/record-shown.ts'
import { updated } from '../rules/update-of-a-record.ts'
import type { Team } from '../team.ts'

export const companies: Pick<Operations, 'createCompany' | 'updateCompany' | 'deleteCompany'> = {
  async createCompany({ body, team, assumed }) {
    await checkContacts(body, team, assumed)
    return created('Company created', shown('companies', await team.companies.insert(body), assumed))
  },

  async updateCompany({ path, body, team, assumed }) {
    const company = found(await team.companies.get(path.companyId), path.companyId, assumed)
    await checkContacts(body, team, assumed)
    const changed = await updated(team.companies, company, body, assumed)
    return afterUpdate('Company updated', 'companies', changed, assumed)
  },

  async deleteCompany({ path, team, assumed }) {
    const { record: company, again } = await deleted(team, team.companies, path.companyId, assumed)
    if (!again) await forgetReferences(company._id, team, assumed)
    return done('Company deleted')
  },
}

async function forgetReferences(companyId: string, team: Team, assumed: Assumed): Promise<void> {
  const contacts = await team.contacts.find('company', companyId)
  const deals = await team.deals.find('company', companyId)
  if (contacts.length + deals.length === 0) return
  await referencesAfterDelete[assumed.referencesAfterDelete](companyId, contacts, deals, team)
}

type Forget = (
  companyId: string,
  contacts: readonly Schemas['Contact'][],
  deals: readonly Schemas['Deal'][],
  team: Team,
) => Promise<void>

const referencesAfterDelete: ByChoice<'referencesAfterDelete', Forget> = {
  kept: async () => undefined,
  cleared: async (companyId, contacts, deals, team) => {
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
