import type { Schemas } from '../../../spec/types.ts'
import { isEmailAddress } from '../../../spec/forms.ts'
import type { Turn } from '../../core/turn.ts'
import { normalizeEmail } from '../contacts/contact-fields.ts'
import { matchContact } from '../contacts/contact-matching.ts'
import { insertContactWithAddress } from '../contacts/new-contact.ts'
import { ensureConversation } from '../conversations/one-conversation-per-contact.ts'

interface IncomingMessage {
  readonly channel: Schemas['Message']['channel']
  readonly from: string
  readonly content: string
  readonly subject?: string
}

/** Adds what a customer writes to the conversation with this address, as a send to the address would find or make it. */
export async function receiveMessage({ channel, from, content, subject }: IncomingMessage, turn: Turn) {
  const addresses = normalizeEmail(isEmailAddress(from) ? { email: from } : { phone: from }, turn)
  const known = await matchContact(addresses, turn)
  const { _id: contactId } = known ?? (await insertContactWithAddress(addresses, turn))
  const { conversation, isNew } = await ensureConversation({ _id: contactId }, turn)
  const { _id: messageId } = await turn.team.messages.insert({
    channel,
    direction: 'incoming',
    content,
    ...(subject === undefined ? {} : { subject }),
    status: 'received',
    conversationId: conversation._id,
    contactId,
  })
  return { messageId, conversationId: conversation._id, contactId, isNewContact: !known, isNewConversation: isNew }
}
