import type { MessageRecord } from '../../../fixtures/records.ts'
import { merge } from '../../core/merge.ts'
import type { Turn } from '../../core/turn.ts'
import { findFailure } from './message-failure.ts'
import type { Receiver } from './message-target.ts'

type MessageText = Pick<MessageRecord, 'channel' | 'content' | 'subject' | 'unfilled' | 'fallback' | 'textId'>

/**
 * promise message.isOutgoing: a message that was sent has the direction outgoing.
 * promise message.isSent: it has the status sent.
 * The other fields of the request are stored with the message.
 */
export async function insertMessage(
  receiver: Receiver,
  text: MessageText,
  request: object,
  turn: Turn,
): Promise<MessageRecord> {
  const { contact, conversation } = receiver
  const failure = await findFailure(receiver, text, turn)
  const sent = {
    direction: 'outgoing',
    status: 'sent',
    conversationId: conversation._id,
    contactId: contact._id,
    ...(failure === undefined ? {} : { failure }),
  }
  return turn.team.messages.insert(merge(request, text, sent))
}
