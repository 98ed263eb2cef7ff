import type { ConversationRecord } from '../../fixtures/records.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Transaction } from '../core/transaction.ts'

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
  const isEmpty = isMissing && tx.assumed.populatedAddress === 'emptyString'
  return {
    _id,
    name: formatName(contact, tx),
    ...(isEmpty ? { email: '', phoneNumber: '' } : {}),
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phoneNumber: phone }),
  }
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
