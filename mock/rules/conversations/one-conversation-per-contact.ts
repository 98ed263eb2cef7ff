import type { ConversationRecord } from '../../../fixtures/records.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'

/**
 * promise conversation.oneEachContact: however often and by whichever operation a conversation is asked for, a contact
 * has one. The turn has the team to itself, so no other request can create a second one in between.
 */
export async function ensureConversation(
  contact: Pick<Schemas['Contact'], '_id'>,
  { team }: Turn,
): Promise<{ conversation: ConversationRecord; isNew: boolean }> {
  const [existing] = await team.conversations.find('contactId', contact._id)
  if (existing) return { conversation: existing, isNew: false }
  return { conversation: await team.conversations.insert({ contactId: contact._id }), isNew: true }
}
