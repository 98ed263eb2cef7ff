import type { ConversationRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'

type Contact = Schemas['Contact']

/** promise conversation.contactIsPopulated: the contactId is the contact as an object, and not merely an id. */
export function showConversation(
  { _id, teamId, createdAt }: ConversationRecord,
  contact: Contact,
  turn: Turn,
): Schemas['Conversation'] {
  return { _id, teamId, contactId: populateContact(contact, turn), createdAt }
}

function populateContact(contact: Contact, turn: Turn): Schemas['ContactOfConversation'] {
  const { _id, email, phone } = contact
  const missing = email === undefined || phone === undefined ? populatedAddress[turn.assumed.populatedAddress] : {}
  return {
    _id,
    name: formatName(contact, turn),
    ...missing,
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phoneNumber: phone }),
  }
}

const populatedAddress: ByChoice<'populatedAddress', { email?: string; phoneNumber?: string }> = {
  absent: {},
  emptyString: { email: '', phoneNumber: '' },
}

function formatName({ firstName, lastName }: Contact, { assumed }: Turn): string {
  return lastName === '' ? firstName : populatedName[assumed.populatedName](firstName, lastName)
}

const populatedName: ByChoice<'populatedName', (firstName: string, lastName: string) => string> = {
  firstSpaceLast: (firstName, lastName) => `${firstName} ${lastName}`,
  firstOnly: (firstName) => firstName,
}
