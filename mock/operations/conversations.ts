import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Operations } from '../operation.ts'
import { created, NotFound, ok, refuse } from '../replies.ts'
import { shownConversation } from '../rules/conversation-shown.ts'
import { checkHasAddress, contactFields } from '../rules/fields-of-a-contact.ts'
import { found, target } from '../rules/found.ts'
import { conversationWith } from '../rules/one-conversation-per-contact.ts'
import { checkReferences } from '../rules/contact-references.ts'
import { contactAt, contactDescribedBy } from '../rules/resolving-a-contact.ts'
import type { Team } from '../team.ts'

export const conversations: Pick<
  Operations,
  | 'findOrCreateConversation'
  | 'createContactWithConversation'
  | 'createConversation'
  | 'getConversation'
  | 'listConversationsOfContact'
> = {
  async findOrCreateConversation({ body, team, assumed }) {
    if (body.email === undefined && body.phone === undefined) resolveWithoutAddress[assumed.resolveWithoutAddress]()
    return conversationOf(await contactAt(body, team, assumed), team, assumed)
  },

  async createContactWithConversation({ body, team, assumed }) {
    const { groupId, ...fields } = contactFields(body, assumed)
    const groups = groupId === undefined ? {} : { groupIds: [groupId] }
    checkHasAddress(fields, assumed)
    await checkReferences(groups, team, assumed)
    return conversationOf(await contactDescribedBy({ ...fields, ...groups }, team, assumed), team, assumed)
  },

  async createConversation({ body, team, assumed }) {
    const contact = target(await team.contacts.get(body.contactId), 'contactId', assumed)
    const { conversation, isNew } = await conversationWith(contact, team)
    const shown = shownConversation(conversation, contact, assumed)
    return isNew ? created('Conversation created', shown) : ok('Conversation already exists', shown)
  },

  async getConversation({ path, team, assumed }) {
    const conversation = found(await team.conversations.get(path.conversationId), path.conversationId, assumed)
    const contact = await team.contacts.get(conversation.contactId)
    if (!contact) throw new NotFound()
    return ok('Conversation found', shownConversation(conversation, contact, assumed))
  },

  async listConversationsOfContact({ path, team, assumed }) {
    const contact = await team.contacts.get(path.contactId)
    if (!contact) return conversationsOfUnknownContact[assumed.conversationsOfUnknownContact](path.contactId, assumed)
    const conversations = await team.conversations.find('contactId', path.contactId)
    const shown = conversations.map((conversation) => shownConversation(conversation, contact, assumed))
    return ok(shown.length === 1 ? '1 conversation' : `${shown.length} conversations`, shown)
  },
}

type Contact = Schemas['Contact']

async function conversationOf(contact: Contact, team: Team, assumed: Assumed) {
  const { conversation, isNew } = await conversationWith(contact, team)
  return ok(isNew ? 'Conversation created' : 'Conversation found', shownConversation(conversation, contact, assumed))
}

const resolveWithoutAddress: ByChoice<'resolveWithoutAddress', () => void> = {
  refused: () => refuse('email or phone is required'),
  createsEmpty: () => undefined,
}

const conversationsOfUnknownContact: ByChoice<
  'conversationsOfUnknownContact',
  (id: string, assumed: Assumed) => OfNobody
> = {
  notFound: (id, assumed) => found<OfNobody>(undefined, id, assumed),
  emptyList: () => ok('0 conversations', []),
}

type OfNobody = Awaited<ReturnType<Operations['listConversationsOfContact']>>
