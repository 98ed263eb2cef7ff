import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import { refuse } from '../core/refusals.ts'
import type { Turn } from '../core/turn.ts'
import { fieldThatLeadsNowhere } from './references.ts'

// A contact names its groups and its company, and a company its contacts: that they have to be there is not documented.

export async function checkReferences(
  { groupIds = [], company }: Pick<Schemas['Contact'], 'groupIds' | 'company'>,
  { team, assumed }: Turn,
): Promise<void> {
  if (groupIds.length === 0 && company === undefined) return
  const groups = { get: async (id: string) => team.onFile.groups?.find((group) => group === id) }
  const field = await fieldThatLeadsNowhere({ groupIds: [groups, groupIds], company: [team.companies, [company]] })
  if (field !== undefined) contactReferences[assumed.contactReferences](field)
}

export async function checkContacts(
  { contacts = [] }: Schemas['CompanyFields'],
  { team, assumed }: Turn,
): Promise<void> {
  const field = await fieldThatLeadsNowhere({ contacts: [team.contacts, contacts] })
  if (field !== undefined) contactReferences[assumed.contactReferences](field)
}

const contactReferences: ByChoice<'contactReferences', (field: string) => void> = {
  accepted: () => undefined,
  refused: (field) => refuse(`${field} must hold nothing but ids that this team has`),
}
