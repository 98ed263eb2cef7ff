import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import type { Turn } from '../core/turn.ts'
import { findMissingReference, lookupIn } from './references.ts'

// The specification does not say whether the groups and the company of a contact, or the contacts of a company, must
// exist.

type ReferencesOfContact = Pick<Schemas['Contact'], 'groupIds' | 'company'>

export async function checkContactReferences(contact: ReferencesOfContact, { team, assumed }: Turn): Promise<void> {
  const { groupIds = [], company } = contact
  if (groupIds.length === 0 && company === undefined) return
  const field = await findMissingReference({
    groupIds: [lookupIn(team.onFile.groups ?? []), groupIds],
    company: [team.companies, [company]],
  })
  if (field !== undefined) contactReferences[assumed.contactReferences](field)
}

export async function checkCompanyReferences(
  { contacts = [] }: Schemas['CompanyFields'],
  { team, assumed }: Turn,
): Promise<void> {
  const field = await findMissingReference({ contacts: [team.contacts, contacts] })
  if (field !== undefined) contactReferences[assumed.contactReferences](field)
}

const contactReferences: ByChoice<'contactReferences', (field: string) => void> = {
  accepted: () => undefined,
  refused: (field) =>
    refuse(`${field} must hold nothing but ids that this team has`, { assumption: 'contactReferences', field }),
}
