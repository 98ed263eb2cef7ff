import { operations } from '../../../spec/operations.ts'
import type { Schemas } from '../../../spec/types.ts'
import { merge, type Fields } from '../../core/team.ts'
import type { Transaction } from '../../core/transaction.ts'
import { updateRecord } from '../record-update.ts'
import type { Addresses } from './contact-matching.ts'

type Contact = Schemas['Contact']

/** The specification does not say which status and lifecycle stage a contact has that was created without them. */
export function insertContact(fields: Fields<'contacts'>, { assumed, team }: Transaction): Promise<Contact> {
  const status = fields.status === undefined && assumed.newContactStatus === 'open' ? { status: 'open' } : {}
  const stage = fields.lifecycleStage === undefined && assumed.newContactLifecycle === 'lead' ? leadStage : {}
  return team.contacts.insert(merge(fields, status, stage))
}

/** promise conversation.newContactIsALead: a contact created with a conversation is at the stage Lead by default. */
export const leadStage = { lifecycleStage: 'Lead' }

/** For a contact of which only the address is known. */
export async function insertContactWithAddress(addresses: Addresses, tx: Transaction): Promise<Contact> {
  const address = addresses.email ?? addresses.phone
  const isNamed = address !== undefined && tx.assumed.nameOfNewContact === 'addressAsFirstName'
  return insertContact({ firstName: isNamed ? address : '', lastName: '', ...addresses }, tx)
}

/**
 * promise contact.upsertUpdates: an upsert with the e-mail and the phone of a known contact changes that contact. The
 * specification does not say what it does to the fields that it could have sent and did not.
 */
export async function updateByUpsert(
  known: Contact,
  fields: Schemas['ContactUpsert'],
  tx: Transaction,
): Promise<Contact> {
  const listed = operations.createOrUpdateContact.body('application/json')?.listed(fields) ?? new Set()
  const isUnsent = (field: string) => listed.has(field) && !Object.hasOwn(fields, field)
  const isCleared = Object.keys(known).some(isUnsent) && tx.assumed.upsertUnsentFields === 'cleared'
  // The result is a contact: an upsert always sends the names, which are required.
  const contact = isCleared
    ? (Object.fromEntries(Object.entries(known).filter(([field]) => !isUnsent(field))) as Contact)
    : known
  return updateRecord(tx.team.contacts, contact, fields, tx)
}

/**
 * promise contact.answersWithTheContact: an answer about a contact shows its id, names, team and times. The specification
 * does not say what `groupIds` and `additionalFields` show when they were not given.
 */
export function showContact(contact: Contact, { assumed }: Transaction): Contact {
  if (contact.groupIds && contact.additionalFields) return contact
  // `_id` stays the first field of the answer.
  const notGiven = assumed.fieldsNotGiven === 'empty' ? { groupIds: [], additionalFields: {} } : {}
  return merge({ _id: contact._id, ...notGiven }, contact)
}
