import type { ByChoice } from '../../spec/assumptions.ts'
import type { Turn } from '../core/turn.ts'

// The specification does not say whether other records keep the id of a contact or a company that was deleted.

export async function clearContactReferences(contactId: string, { team, assumed }: Turn): Promise<void> {
  const companies = await team.companies.find('contact', contactId)
  const deals = await team.deals.find('contact', contactId)
  if (companies.length + deals.length === 0) return
  await referencesAfterDelete[assumed.referencesAfterDelete](async () => {
    for (const company of companies) await team.companies.replace(company, withoutId(contactId, company, ['contacts']))
    for (const deal of deals) await team.deals.replace(deal, withoutId(contactId, deal, ['contactId', 'contacts']))
  })
}

export async function clearCompanyReferences(companyId: string, { team, assumed }: Turn): Promise<void> {
  const contacts = await team.contacts.find('company', companyId)
  const deals = await team.deals.find('company', companyId)
  if (contacts.length + deals.length === 0) return
  await referencesAfterDelete[assumed.referencesAfterDelete](async () => {
    for (const contact of contacts) await team.contacts.replace(contact, withoutId(companyId, contact, ['company']))
    for (const deal of deals) await team.deals.replace(deal, withoutId(companyId, deal, ['company', 'companyId']))
  })
}

const referencesAfterDelete: ByChoice<'referencesAfterDelete', (clear: () => Promise<void>) => Promise<void>> = {
  kept: async () => undefined,
  cleared: (clear) => clear(),
}

/** The record, with the id taken out of these fields: a field may hold one id or a list of them. */
function withoutId<R extends object>(id: string, record: R, fields: readonly (keyof R & string)[]): R {
  const cleared: Partial<R> = { ...record }
  for (const field of fields) {
    const value: unknown = record[field]
    if (Array.isArray(value)) cleared[field] = value.filter((other) => other !== id) as R[typeof field]
    else if (value === id) Reflect.deleteProperty(cleared, field)
  }
  return cleared as R
}
