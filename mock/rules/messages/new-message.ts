import type { MessageRecord } from '../../../fixtures/records.ts'
import { isEmailAddress } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import { merge } from '../../../lib/json.ts'
import type { Transaction } from '../../core/transaction.ts'
import { normalizeEmail, matchContact, insertContactWithAddress } from '../contacts.ts'
import { ensureConversation } from '../conversations.ts'
import type { Receiver } from './message-receivers.ts'
import { channelOfContact } from '../../store/indexes.ts'

type MessageText = Pick<MessageRecord, 'channel' | 'content' | 'subject' | 'unfilled' | 'fallback'>

/**
 * promise message.isOutgoing: a message that was sent has the direction outgoing.
 * promise message.isSent: it has the status sent.
 * The other fields of the request are stored with the message.
 */
export async function insertMessage(
  receiver: Receiver,
  text: MessageText,
  request: object,
  tx: Transaction,
): Promise<MessageRecord> {
  const { contact, conversation } = receiver
  const failure = await findFailure(receiver, text, tx)
  const sent = {
    direction: 'outgoing',
    status: 'sent',
    conversationId: conversation._id,
    contactId: contact._id,
    ...(failure === undefined ? {} : { failure }),
  }
  return tx.team.messages.insert(merge(request, text, sent))
}

interface IncomingMessage {
  readonly channel: Schemas['Message']['channel']
  readonly from: string
  readonly content: string
  readonly subject?: string
}

/** Adds what a customer writes to the conversation with this address, as a send to the address would find or make it. */
export async function receiveMessage({ channel, from, content, subject }: IncomingMessage, tx: Transaction) {
  const addresses = normalizeEmail(isEmailAddress(from) ? { email: from } : { phone: from }, tx)
  const known = await matchContact(addresses, tx)
  const { _id: contactId } = known ?? (await insertContactWithAddress(addresses, tx))
  const { conversation, isNew } = await ensureConversation({ _id: contactId }, tx)
  const { _id: messageId } = await tx.team.messages.insert({
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

/** The reason why the network may not deliver a message. The send itself succeeds: a failure is reported later. */
async function findFailure(
  { contact }: Receiver,
  { channel, fallback }: MessageText,
  tx: Transaction,
): Promise<MessageRecord['failure']> {
  if (channel !== 'sms' && channel !== 'whatsapp') return undefined
  if (contact.phone?.startsWith('+999')) return 'noSuchNumber'
  const isFromTemplate = fallback !== undefined
  const isOpen = channel === 'sms' || isFromTemplate || (await isInSession(contact._id, tx))
  return isOpen ? undefined : 'outsideSession'
}

const day = 24 * 60 * 60 * 1000
const lately = 50

/** Whether the contact has written by WhatsApp within a day. */
export async function isInSession(contactId: string, { team, clock }: Transaction): Promise<boolean> {
  const part = { skip: 0, take: lately, order: 'newestFirst' } as const
  const { records } = await team.messages.page('incoming', [channelOfContact(contactId, 'whatsapp')], part)
  const since = clock.now() - day
  return records.some(({ createdAt }) => Date.parse(createdAt) > since)
}
