import type { MessageRecord } from '../../../fixtures/records.ts'
import { merge } from '../../core/merge.ts'
import type { Turn } from '../../core/turn.ts'
import type { Receiver } from './message-target.ts'

type MessageText = Pick<MessageRecord, 'channel' | 'content' | 'subject' | 'unfilled' | 'fallback' | 'textId'>

/**
 * promise message.isOutgoing: a message that was sent has the direction outgoing.
 * promise message.isSent: it has the status sent.
 * The other fields of the request are stored with the message.
 */
export function insertMessage(
  { contact, conversation }: Receiver,
  text: MessageText,
  request: object,
  { team }: Turn,
): Promise<MessageRecord> {
  const sent = { direction: 'outgoing', status: 'sent', conversationId: conversation._id, contactId: contact._id }
  return team.messages.insert(merge(request, text, sent))
}
