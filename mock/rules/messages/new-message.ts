import type { MessageRecord } from '../../../fixtures/records.ts'
import { merged } from '../../core/merged.ts'
import type { Turn } from '../../core/turn.ts'
import type { Receiver } from './message-target.ts'

type Said = Pick<MessageRecord, 'channel' | 'content' | 'subject' | 'unfilled' | 'fallback'>

/**
 * promise message.isOutgoing, message.isSent: what a team says to a contact, in the conversation with them. All that it
 * was sent with is kept with it.
 */
export function addMessage(
  { contact, conversation }: Receiver,
  said: Said,
  sentWith: object,
  { team }: Turn,
): Promise<MessageRecord> {
  const sent = { direction: 'outgoing', status: 'sent', conversationId: conversation._id, contactId: contact._id }
  return team.messages.insert(merged(sentWith, said, sent))
}
