import fc from 'fast-check'
import { type Addresses, matching, newContact } from './contacts.ts'
import type { Group } from './modelled.ts'
import type { Name } from './names.ts'
import { email, fields, lifecycleStage, person, phone, ref } from './pools.ts'
import { type Item, refuseIf, type Reply, type TeamModel } from './team-model.ts'

export const conversations: Group<
  | 'findOrCreateConversation'
  | 'createContactWithConversation'
  | 'createConversation'
  | 'getConversation'
  | 'listConversationsOfContact'
> = {
  findOrCreateConversation: {
    asks: fc.record({ body: fields({}, { email, phone }) }),
    answers: (team, { body }) => {
      refuseIf({ 400: body.email === undefined && body.phone === undefined })
      return resolved(team, contactAt(team, body))
    },
  },

  createContactWithConversation: {
    asks: fc.record({
      body: fields(
        { firstName: person, lastName: person },
        { email, phone, lifecycleStage, groupId: fc.constant('buyers of @team') },
      ),
    }),
    answers: (team, { body: { groupId, ...body } }) => {
      const groups = groupId === undefined ? {} : { groupIds: [groupId] }
      return resolved(team, matching(team, body) ?? newContact(team, { lifecycleStage: 'Lead', ...body, ...groups }))
    },
  },

  createConversation: {
    asks: fc.record({ body: fields({ contactId: ref('contacts') }) }),
    answers: (team, { body }) => {
      const contact = team.found('contacts', body.contactId)
      const isKnown = team.has.conversations.some(({ contactId }) => contactId === contact._id)
      const { data } = resolved(team, contact)
      return isKnown ? { status: 200, data, says: /already exists/ } : { status: 201, data }
    },
  },

  getConversation: {
    asks: fc.record({ path: fields({ conversationId: ref('conversations') }) }),
    answers: (team, { path }) => ({
      status: 200,
      data: shown(team, team.found('conversations', path.conversationId)),
    }),
  },

  listConversationsOfContact: {
    asks: fc.record({ path: fields({ contactId: ref('contacts') }) }),
    answers: (team, { path }) => {
      const contact = team.found('contacts', path.contactId)
      const its = team.has.conversations.filter(({ contactId }) => contactId === contact._id)
      return { status: 200, data: its.map((conversation) => shown(team, conversation)) }
    },
  },
}

/** The contact with the address, or a new one that is named after it. */
export function contactAt(team: TeamModel, { email, phone }: Addresses): Item {
  const addresses = { ...(email === undefined ? {} : { email }), ...(phone === undefined ? {} : { phone }) }
  return matching(team, addresses) ?? newContact(team, { firstName: email ?? phone, lastName: '', ...addresses })
}

/** The one conversation of the contact, created when missing. */
export function conversationWith(team: TeamModel, { _id }: Item): Item {
  const known = team.has.conversations.find(({ contactId }) => contactId === _id)
  return known ?? team.add('conversations', { teamId: team.name, contactId: _id, createdAt: team.now() })
}

function resolved(team: TeamModel, contact: Item): Reply {
  return { status: 200, data: shown(team, conversationWith(team, contact)) }
}

function shown(team: TeamModel, { _id, teamId, contactId, createdAt }: Item): object {
  const { firstName, lastName, email, phone } = contactOf(team, contactId)
  const name = lastName === '' ? firstName : `${firstName} ${lastName}`
  return { _id, teamId, contactId: { _id: contactId, name, email, phoneNumber: phone }, createdAt }
}

function contactOf(team: TeamModel, name: Name): Partial<Item> {
  return team.has.contacts.find(({ _id }) => _id === name) ?? {}
}
