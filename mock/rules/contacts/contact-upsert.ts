import type { ByChoice } from '../../../spec/assumptions.ts'
import { operations } from '../../../spec/operations.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'
import { updateRecord } from '../record-update.ts'

type Contact = Schemas['Contact']

/**
 * promise contact.upsertUpdates: an upsert with the e-mail and the phone of a known contact changes that contact. The
 * specification does not say what it does to the fields that it could have sent and did not.
 */
export async function updateByUpsert(known: Contact, fields: Schemas['ContactUpsert'], turn: Turn): Promise<Contact> {
  const listed = operations.createOrUpdateContact.body('application/json')?.listed(fields) ?? new Set()
  const isUnsent = (field: string) => listed.has(field) && !Object.hasOwn(fields, field)
  const contact = Object.keys(known).some(isUnsent)
    ? upsertUnsentFields[turn.assumed.upsertUnsentFields](known, isUnsent)
    : known
  return updateRecord(turn.team.contacts, contact, fields, turn)
}

type ClearUnsent = (known: Contact, isUnsent: (field: string) => boolean) => Contact

const upsertUnsentFields: ByChoice<'upsertUnsentFields', ClearUnsent> = {
  kept: (known) => known,
  // What remains is a contact: an upsert always sends the names, which are required.
  cleared: (known, isUnsent) =>
    Object.fromEntries(Object.entries(known).filter(([field]) => !isUnsent(field))) as Contact,
}
