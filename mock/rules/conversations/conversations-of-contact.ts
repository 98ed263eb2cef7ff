import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'
import { refuseUnknownId } from '../found.ts'
import { showConversation } from './conversation-view.ts'

type Conversations = Schemas['Conversation'][]

/** The specification does not say what the list of an unknown contact answers. */
export async function listConversations(contactId: string, turn: Turn): Promise<Conversations> {
  const contact = await turn.team.contacts.get(contactId)
  if (!contact) return conversationsOfUnknownContact[turn.assumed.conversationsOfUnknownContact](contactId, turn)
  const conversations = await turn.team.conversations.find('contactId', contactId)
  return conversations.map((conversation) => showConversation(conversation, contact, turn))
}

type ListOfUnknown = (contactId: string, turn: Turn) => Conversations

const conversationsOfUnknownContact: ByChoice<'conversationsOfUnknownContact', ListOfUnknown> = {
  notFound: (contactId, turn) => refuseUnknownId(contactId, { assumption: 'conversationsOfUnknownContact' }, turn),
  emptyList: () => [],
}
