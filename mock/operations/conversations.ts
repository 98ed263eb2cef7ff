import { mapSlices } from '../../lib/pause.ts'
import type { Schemas } from '../../spec/types.ts'
import { NotFound, idInPath } from '../core/refusals.ts'
import { ok, type OperationsOf } from '../core/operation.ts'
import type { Transaction } from '../core/transaction.ts'
import { acceptContactFields } from '../rules/contacts.ts'
import {
  checkResolvable,
  ensureConversation,
  findOrInsertContact,
  resolveContact,
  showConversation,
} from '../rules/conversations.ts'
import { found, foundTarget, refuseUnknownId } from '../rules/refuse.ts'
import { checkContactReferences } from '../rules/record-fields.ts'

export const conversations: OperationsOf<
  | 'findOrCreateConversation'
  | 'createContactWithConversation'
  | 'createConversation'
  | 'getConversation'
  | 'listConversationsOfContact'
> = {
  async findOrCreateConversation({ body, tx }) {
    checkResolvable(body, tx)
    return replyWithConversation(await resolveContact(body, tx), tx)
  },

  async createContactWithConversation({ body, tx }) {
    const { groupId, ...fields } = acceptContactFields(body, tx)
    const groups = groupId === undefined ? {} : { groupIds: [groupId] }
    await checkContactReferences(groups, tx)
    return replyWithConversation(await findOrInsertContact({ ...fields, ...groups }, tx), tx)
  },

  async createConversation({ body, tx }) {
    const contact = foundTarget(await tx.team.contacts.get(body.contactId), 'contactId', tx)
    const { conversation, isNew } = await ensureConversation(contact, tx)
    const data = showConversation(conversation, contact, tx)
    return isNew ? { ...ok('Conversation created', data), status: 201 } : ok('Conversation already exists', data)
  },

  async getConversation({ path, tx }) {
    const conversation = found(await tx.team.conversations.get(path.conversationId), path.conversationId, tx)
    const contact = await tx.team.contacts.get(conversation.contactId)
    if (!contact) throw new NotFound({ promise: 'error.readingTheUnknownIs404', field: idInPath })
    return ok('Conversation found', showConversation(conversation, contact, tx))
  },

  async listConversationsOfContact({ path, tx }) {
    const data = await listConversations(path.contactId, tx)
    return ok(data.length === 1 ? '1 conversation' : `${data.length} conversations`, data)
  },
}

async function replyWithConversation(contact: Schemas['Contact'], tx: Transaction) {
  const { conversation, isNew } = await ensureConversation(contact, tx)
  return ok(isNew ? 'Conversation created' : 'Conversation found', showConversation(conversation, contact, tx))
}

type Conversations = Schemas['Conversation'][]

/** The specification does not say what the list of an unknown contact answers. */
export async function listConversations(contactId: string, tx: Transaction): Promise<Conversations> {
  const contact = await tx.team.contacts.get(contactId)
  if (!contact && tx.assumed.conversationsOfUnknownContact === 'notFound')
    return refuseUnknownId(contactId, { assumption: 'conversationsOfUnknownContact' }, tx)
  if (!contact) return []
  const conversations = await tx.team.conversations.find('contactId', contactId)
  return mapSlices(conversations, (slice) => slice.map((one) => showConversation(one, contact, tx)))
}
