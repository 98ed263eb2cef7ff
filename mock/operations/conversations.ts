import type { Schemas } from '../../spec/types.ts'
import { idInPath } from '../core/because.ts'
import type { OperationsOf } from '../core/operation.ts'
import { NotFound } from '../core/refusals.ts'
import { created, ok } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { checkContactReferences } from '../rules/contact-references.ts'
import { acceptContactFields } from '../rules/contacts/contact-fields.ts'
import { checkResolvable, findOrInsertContact, resolveContact } from '../rules/contacts/contact-resolution.ts'
import { showConversation } from '../rules/conversations/conversation-view.ts'
import { listConversations } from '../rules/conversations/conversations-of-contact.ts'
import { ensureConversation } from '../rules/conversations/one-conversation-per-contact.ts'
import { found, foundTarget } from '../rules/found.ts'

export const conversations: OperationsOf<
  | 'findOrCreateConversation'
  | 'createContactWithConversation'
  | 'createConversation'
  | 'getConversation'
  | 'listConversationsOfContact'
> = {
  async findOrCreateConversation({ body, turn }) {
    checkResolvable(body, turn)
    return replyWithConversation(await resolveContact(body, turn), turn)
  },

  async createContactWithConversation({ body, turn }) {
    const { groupId, ...fields } = acceptContactFields(body, turn)
    const groups = groupId === undefined ? {} : { groupIds: [groupId] }
    await checkContactReferences(groups, turn)
    return replyWithConversation(await findOrInsertContact({ ...fields, ...groups }, turn), turn)
  },

  async createConversation({ body, turn }) {
    const contact = foundTarget(await turn.team.contacts.get(body.contactId), 'contactId', turn)
    const { conversation, isNew } = await ensureConversation(contact, turn)
    const data = showConversation(conversation, contact, turn)
    return isNew ? created('Conversation created', data) : ok('Conversation already exists', data)
  },

  async getConversation({ path, turn }) {
    const conversation = found(await turn.team.conversations.get(path.conversationId), path.conversationId, turn)
    const contact = await turn.team.contacts.get(conversation.contactId)
    if (!contact) throw new NotFound({ promise: 'error.readingTheUnknownIs404', field: idInPath })
    return ok('Conversation found', showConversation(conversation, contact, turn))
  },

  async listConversationsOfContact({ path, turn }) {
    const data = await listConversations(path.contactId, turn)
    return ok(data.length === 1 ? '1 conversation' : `${data.length} conversations`, data)
  },
}

async function replyWithConversation(contact: Schemas['Contact'], turn: Turn) {
  const { conversation, isNew } = await ensureConversation(contact, turn)
  return ok(isNew ? 'Conversation created' : 'Conversation found', showConversation(conversation, contact, turn))
}
