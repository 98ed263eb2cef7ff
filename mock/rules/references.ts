import type { Assumed } from '../../spec/assumed.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Transaction } from '../core/transaction.ts'
import { refuseIf } from './refuse-if.ts'

/** The ids that a field holds, and where they are looked up. */
type Reference = readonly [records: Lookup, ids: readonly (string | undefined)[]]

interface Lookup {
  get(id: string): Promise<unknown>
}

/** The first field that holds an id which this team does not have. */
export async function findMissingReference(
  references: Readonly<Record<string, Reference>>,
): Promise<string | undefined> {
  for (const [field, [records, ids]] of Object.entries(references)) {
    for (const id of ids) if (id !== undefined && (await records.get(id)) === undefined) return field
  }
  return undefined
}

/** For ids without records, such as group ids and pipeline ids. */
export function lookupIn(ids: readonly string[]): Lookup {
  const known = new Set(ids)
  return { get: async (id) => (known.has(id) ? id : undefined) }
}

// The specification does not say whether the groups and the company of a contact, or the contacts of a company, must
// exist.

type ReferencesOfContact = Pick<Schemas['Contact'], 'groupIds' | 'company'>

export async function checkContactReferences(
  contact: ReferencesOfContact,
  { team, assumed }: Transaction,
): Promise<void> {
  const { groupIds = [], company } = contact
  if (groupIds.length === 0 && company === undefined) return
  const field = await findMissingReference({
    groupIds: [lookupIn(team.onFile.groups ?? []), groupIds],
    company: [team.companies, [company]],
  })
  refuseReference(field, assumed)
}

export async function checkCompanyReferences(
  { contacts = [] }: Schemas['CompanyFields'],
  { team, assumed }: Transaction,
): Promise<void> {
  const field = await findMissingReference({ contacts: [team.contacts, contacts] })
  refuseReference(field, assumed)
}

function refuseReference(field: string | undefined, assumed: Assumed): void {
  if (field === undefined) return
  refuseIf(assumed, 'contactReferences', 'refused', `${field} must hold nothing but ids that this team has`, field)
}

// The specification does not say whether other records keep the id of a contact or a company that was deleted.

export async function clearContactReferences(contactId: string, { team, assumed }: Transaction): Promise<void> {
  const companies = await team.companies.find('contact', contactId)
  const deals = await team.deals.find('contact', contactId)
  if (companies.length + deals.length === 0) return
  if (assumed.referencesAfterDelete === 'kept') return
  for (const company of companies) await team.companies.replace(company, withoutId(contactId, company, ['contacts']))
  for (const deal of deals) await team.deals.replace(deal, withoutId(contactId, deal, ['contactId', 'contacts']))
}

export async function clearCompanyReferences(companyId: string, { team, assumed }: Transaction): Promise<void> {
  const contacts = await team.contacts.find('company', companyId)
  const deals = await team.deals.find('company', companyId)
  if (contacts.length + deals.length === 0) return
  if (assumed.referencesAfterDelete === 'kept') return
  for (const contact of contacts) await team.contacts.replace(contact, withoutId(companyId, contact, ['company']))
  for (const deal of deals) await team.deals.replace(deal, withoutId(companyId, deal, ['company', 'companyId']))
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
