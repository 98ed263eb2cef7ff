import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { OperationsOf } from '../core/operation.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import { created, ok, type Reply } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { checkReferences } from '../rules/contact-references.ts'
import { checkHasAddress, contactFields } from '../rules/contacts/contact-fields.ts'
import { contactAt, contactDescribedBy } from '../rules/contacts/contact-resolution.ts'
import { shownConversation } from '../rules/conversations/conversation-view.ts'
import { conversationWith } from '../rules/conversations/one-conversation-per-contact.ts'
import { found, target } from '../rules/found.ts'

export const conversations: OperationsOf<
  | 'findOrCreateConversation'
  | 'createContactWithConversation'
  | 'createConversation'
  | 'getConversation'
  | 'listConversationsOfContact'
> = {
  async findOrCreateConversation({ body, turn }) {
    if (body.email === undefined && body.phone === undefined)
      resolveWithoutAddress[turn.assumed.resolveWithoutAddress]()
    return conversationOf(await contactAt(body, turn), turn)
  },

  async createContactWithConversation({ body, turn }) {
    const { groupId, ...fields } = contactFields(body, turn)
    const groups = groupId === undefined ? {} : { groupIds: [groupId] }
    checkHasAddress(fields, turn)
    await checkReferences(groups, turn)
    return conversationOf(await contactDescribedBy({ ...fields, ...groups }, turn), turn)
  },

  async createConversation({ body, turn }) {
    const contact = target(await turn.team.contacts.get(body.contactId), 'contactId', turn)
    const { conversation, isNew } = await conversationWith(contact, turn)
    const shown = shownConversation(conversation, contact, turn)
    return isNew ? created('Conversation created', shown) : ok('Conversation already exists', shown)
  },

  async getConversation({ path, turn }) {
    const conversation = found(await turn.team.conversations.get(path.conversationId), path.conversationId, turn)
    const contact = await turn.team.contacts.get(conversation.contactId)
    if (!contact) throw new NotFound()
    return ok('Conversation found', shownConversation(conversation, contact, turn))
  },

  async listConversationsOfContact({ path, turn }) {
    const contact = await turn.team.contacts.get(path.contactId)
    if (!contact) return conversationsOfUnknownContact[turn.assumed.conversationsOfUnknownContact](path.contactId, turn)
    const conversations = await turn.team.conversations.find('contactId', path.contactId)
    const shown = conversations.map((conversation) => shownConversation(conversation, contact, turn))
    return ok(shown.length === 1 ? '1 conversation' : `${shown.length} conversations`, shown)
  },
}

type Contact = Schemas['Contact']

async function conversationOf(contact: Contact, turn: Turn) {
  const { conversation, isNew } = await conversationWith(contact, turn)
  return ok(isNew ? 'Conversation created' : 'Conversation found', shownConversation(conversation, contact, turn))
}

const resolveWithoutAddress: ByChoice<'resolveWithoutAddress', () => void> = {
  refused: () => refuse('email or phone is required'),
  createsEmpty: () => undefined,
}

const conversationsOfUnknownContact: ByChoice<'conversationsOfUnknownContact', (id: string, turn: Turn) => OfNobody> = {
  notFound: (id, turn) => found<OfNobody>(undefined, id, turn),
  emptyList: () => ok('0 conversations', []),
}

type OfNobody = Reply<'listConversationsOfContact'>
