import type { MessageRecord } from '../../fixtures/records.ts'
import { merged } from '../merged.ts'
import type { Team } from '../team.ts'
import type { Receiver } from './target-of-a-send.ts'

type Said = Pick<MessageRecord, 'channel' | 'content' | 'subject' | 'unfilled' | 'fallback'>

/**
 * promise message.isOutgoing, message.isSent: what a team says to a contact, in the conversation with them. All that it
 * was sent with is kept with it.
 */
export function addMessage(
  team: Team,
  { contact, conversation }: Receiver,
  said: Said,
  sentWith: object,
): Promise<MessageRecord> {
  const sent = { direction: 'outgoing', status: 'sent', conversationId: conversation._id, contactId: contact._id }
  return team.messages.insert(merged(sentWith, said, sent))
}
