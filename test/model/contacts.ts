import fc from 'fast-check'
import type { Group } from './modelled.ts'
import { email, extras, fields, lifecycleStage, person, phone, ref, unlisted, word, writable } from './pools.ts'
import type { Item, TeamModel } from './team-model.ts'

const names = { firstName: person, lastName: person }
const described = { email, phone, source: word, lifecycleStage, additionalFields: extras, ...unlisted }
const status = fc.constantFrom('open', 'in-progress', 'closed')
const groupIds = fc.array(fc.constantFrom('buyers', 'friends of @team'), { maxLength: 2 })
const contactId = ref('contacts')

export const contacts: Group<
  'createContact' | 'updateContact' | 'deleteContact' | 'createOrUpdateContact' | 'deleteContactsByEmail'
> = {
  createContact: {
    asks: fc.record({ body: fields(names, { ...described, status, groupIds }) }),
    answers: (team, { body }) => ({ status: 201, data: shown(newContact(team, writable(body))) }),
  },

  updateContact: {
    asks: fc.record({
      path: fields({ contactId }),
      body: fields({}, { ...names, ...described, status, groupIds, company: ref('companies') }),
    }),
    answers: (team, { path, body }) => {
      const contact = team.found('contacts', path.contactId)
      return { status: 200, data: shown(updated(team, contact, writable(body))) }
    },
  },

  createOrUpdateContact: {
    asks: fc.record({ body: fields(names, { ...described, status: fc.oneof(status, word) }) }),
    answers: (team, { body }) => {
      const known = matching(team, body)
      const after = known ? updated(team, known, writable(body)) : newContact(team, writable(body))
      return { status: 200, data: shown(after) }
    },
  },

  deleteContact: {
    asks: fc.record({ path: fields({ contactId }) }),
    answers: (team, { path }) => {
      const contact = team.found('contacts', path.contactId)
      deleteContact(team, contact)
      return { status: 200, data: shown(contact) }
    },
  },

  deleteContactsByEmail: {
    asks: fc.record({ query: fields({ email: fc.oneof(email, fc.constant('nobody@example.com')) }) }),
    answers: (team, { query }) => {
      const all = team.has.contacts.filter(isAt({ email: query.email }))
      for (const contact of all) deleteContact(team, contact)
      return { status: 200, says: new RegExp(`^${all.length} `) }
    },
  },
}

export interface Addresses {
  readonly email?: string | undefined
  readonly phone?: string | undefined
}

export function newContact(team: TeamModel, given: object): Item {
  const now = team.now()
  return team.add('contacts', { status: 'open', ...given, teamId: team.name, createdAt: now, updatedAt: now })
}

/** The contact with both addresses, else with the e-mail address, else with the phone number; of several the oldest. */
export function matching(team: TeamModel, { email, phone }: Addresses): Item | undefined {
  const byEmail = team.has.contacts.filter(isAt({ email }))
  const byPhone = team.has.contacts.filter(isAt({ phone }))
  return [...byEmail.filter((contact) => byPhone.includes(contact)), ...byEmail, ...byPhone][0]
}

function isAt({ email, phone }: Addresses): (contact: Item) => boolean {
  return (contact) =>
    email === undefined
      ? phone !== undefined && contact.phone === phone
      : contact.email?.toLowerCase() === email.toLowerCase()
}

function shown(contact: Item): object {
  return { groupIds: [], additionalFields: {}, ...contact }
}

function updated(team: TeamModel, contact: Item, given: object): Item {
  if (Object.keys(given).length > 0) Object.assign(contact, given, { updatedAt: team.now() })
  return contact
}

function deleteContact(team: TeamModel, contact: Item): void {
  const itsOwn = ({ contactId }: Item) => contactId === contact._id
  for (const message of team.has.messages.filter(itsOwn)) team.remove('messages', message)
  for (const conversation of team.has.conversations.filter(itsOwn)) team.remove('conversations', conversation)
  team.remove('contacts', contact)
}
