import type { ConversationRecord } from '../../fixtures/records.ts'
import type { Schemas } from '../../spec/types.ts'
import type { NewRecord } from '../core/team.ts'
import type { Transaction } from '../core/transaction.ts'
import {
  type Addresses,
  insertContact,
  insertContactWithAddress,
  leadStage,
  matchContact,
  normalizeEmail,
} from './contacts.ts'
import { refuseIf } from './refuse.ts'

type Contact = Schemas['Contact']

/** promise conversation.contactIsPopulated: the contactId is the contact as an object, and not merely an id. */
export function showConversation(
  { _id, teamId, createdAt }: ConversationRecord,
  contact: Contact,
  tx: Transaction,
): Schemas['Conversation'] {
  return { _id, teamId, contactId: populateContact(contact, tx), createdAt }
}

function populateContact(contact: Contact, tx: Transaction): Schemas['ContactOfConversation'] {
  const { _id, email, phone } = contact
  const isMissing = email === undefined || phone === undefined
  const missing = isMissing && tx.assumed.populatedAddress === 'emptyString' ? '' : undefined
  const populated = { _id, name: formatName(contact, tx), email: email ?? missing, phoneNumber: phone ?? missing }
  return populated as Schemas['ContactOfConversation'] // JSON leaves undefined fields out
}

function formatName({ firstName, lastName }: Contact, { assumed }: Transaction): string {
  return lastName === '' || assumed.populatedName === 'firstOnly' ? firstName : `${firstName} ${lastName}`
}

/**
 * promise conversation.oneEachContact: a contact has one conversation, whatever operation creates it. Transactions of a
 * team do not overlap, so no other request can create a second one in between.
 */
export async function ensureConversation(
  contact: Pick<Schemas['Contact'], '_id'>,
  { team }: Transaction,
): Promise<{ conversation: ConversationRecord; isNew: boolean }> {
  const [existing] = await team.conversations.find('contactId', contact._id)
  if (existing) return { conversation: existing, isNew: false }
  return { conversation: await team.conversations.insert({ contactId: contact._id }), isNew: true }
}

type ContactChanges = Partial<Contact>

/**
 * promise conversation.missingContactIsMade, message.missingContactIsMade: an address that no contact has yields a new
 * contact with that address.
 */
export async function resolveContact(sent: Addresses, tx: Transaction): Promise<Contact> {
  const addresses = normalizeEmail(sent, tx)
  const known = await matchContact(addresses, tx)
  if (!known) return insertContactWithAddress(addresses, tx)
  return applyChanges(known, findMissingAddresses(known, addresses, tx), tx)
}

/**
 * promise conversation.emailFindsTheContact, conversation.phoneFindsTheContact: creating with the address of a known
 * contact uses that contact. The specification does not say which of the fields that were sent are then written to it.
 */
export async function findOrInsertContact(fields: NewRecord<'contacts'>, tx: Transaction): Promise<Contact> {
  const known = await matchContact(fields, tx)
  if (!known) return insertContact({ ...leadStage, ...fields }, tx)
  const changes = {
    ...findMissingAddresses(known, fields, tx),
    ...findNewNames(known, fields, tx),
    ...findNewGroups(known, fields, tx),
  }
  return applyChanges(known, changes, tx)
}

async function applyChanges(known: Contact, changes: ContactChanges, { team }: Transaction): Promise<Contact> {
  return Object.keys(changes).length === 0 ? known : team.contacts.update(known, changes)
}

function findMissingAddresses(known: Contact, { email, phone }: Addresses, { assumed }: Transaction): ContactChanges {
  const missing = {
    ...(known.email === undefined && email !== undefined ? { email } : {}),
    ...(known.phone === undefined && phone !== undefined ? { phone } : {}),
  }
  return Object.keys(missing).length > 0 && assumed.addressFilledIn === 'filled' ? missing : {}
}

function findNewNames(known: Contact, fields: NewRecord<'contacts'>, { assumed }: Transaction): ContactChanges {
  const { firstName, lastName, lifecycleStage = known.lifecycleStage } = fields
  const isSame = known.firstName === firstName && known.lastName === lastName && known.lifecycleStage === lifecycleStage
  if (isSame || assumed.existingContactOnCreate === 'untouched') return {}
  return { firstName, lastName, ...(lifecycleStage === undefined ? {} : { lifecycleStage }) }
}

function findNewGroups(
  { groupIds = [] }: Contact,
  fields: NewRecord<'contacts'>,
  { assumed }: Transaction,
): ContactChanges {
  const known = new Set(groupIds)
  const added = (fields.groupIds ?? []).filter((id) => !known.has(id))
  return added.length > 0 && assumed.groupOnReuse === 'added' ? { groupIds: [...groupIds, ...added] } : {}
}

/** The specification does not define a request without any address. */
export function checkResolvable({ email, phone }: Addresses, { assumed }: Transaction): void {
  if (email === undefined && phone === undefined)
    refuseIf(assumed, 'resolveWithoutAddress', 'refused', 'email or phone is required', 'email')
}
