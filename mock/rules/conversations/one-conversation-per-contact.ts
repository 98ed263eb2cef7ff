import type { ConversationRecord } from '../../../fixtures/records.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'

/**
 * promise conversation.oneEachContact: however often and by whichever operation it is asked for, a contact has one
 * conversation. Whoever asks has the team's turn, so nobody else can create it in between.
 */
export async function conversationWith(
  contact: Pick<Schemas['Contact'], '_id'>,
  { team }: Turn,
): Promise<{ conversation: ConversationRecord; isNew: boolean }> {
  const [known] = await team.conversations.find('contactId', contact._id)
  if (known) return { conversation: known, isNew: false }
  return { conversation: await team.conversations.insert({ contactId: contact._id }), isNew: true }
}
