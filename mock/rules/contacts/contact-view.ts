import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { merged } from '../../core/merged.ts'
import type { Turn } from '../../core/turn.ts'

type Contact = Schemas['Contact']

/** promise contact.answersWithTheContact: what stands in the lists that it was not given is not documented. */
export function shownContact(contact: Contact, { assumed }: Turn): Contact {
  if (contact.groupIds && contact.additionalFields) return contact
  return merged({ _id: contact._id, ...fieldsNotGiven[assumed.fieldsNotGiven] }, contact) // its id is read first
}

const fieldsNotGiven: ByChoice<'fieldsNotGiven', Pick<Contact, 'groupIds' | 'additionalFields'>> = {
  empty: { groupIds: [], additionalFields: {} },
  absent: {},
}
