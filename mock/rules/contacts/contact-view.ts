import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { merge } from '../../core/merge.ts'
import type { Turn } from '../../core/turn.ts'

type Contact = Schemas['Contact']

/**
 * promise contact.answersWithTheContact: an answer about a contact shows its id, names, team and times. The specification
 * does not say what `groupIds` and `additionalFields` show when they were not given.
 */
export function showContact(contact: Contact, { assumed }: Turn): Contact {
  if (contact.groupIds && contact.additionalFields) return contact
  // `_id` stays the first field of the answer.
  return merge({ _id: contact._id, ...fieldsNotGiven[assumed.fieldsNotGiven] }, contact)
}

const fieldsNotGiven: ByChoice<'fieldsNotGiven', Pick<Contact, 'groupIds' | 'additionalFields'>> = {
  empty: { groupIds: [], additionalFields: {} },
  absent: {},
}
