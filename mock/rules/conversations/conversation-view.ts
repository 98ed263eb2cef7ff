import type { ConversationRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'

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
  const missing = email === undefined || phone === undefined ? populatedAddress[tx.assumed.populatedAddress] : {}
  return {
    _id,
    name: formatName(contact, tx),
    ...missing,
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phoneNumber: phone }),
  }
}

const populatedAddress: ByChoice<'populatedAddress', { email?: string; phoneNumber?: string }> = {
  absent: {},
  emptyString: { email: '', phoneNumber: '' },
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
