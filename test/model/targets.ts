import fc from 'fast-check'
import { matching } from './contacts.ts'
import { contactAt } from './conversations.ts'
import { email, fields, phone, ref } from './pools.ts'
import type { Item, TeamModel } from './team-model.ts'

const conversationId = ref('conversations')
const contactId = ref('contacts')

/** Mostly one field that names the receiver; sometimes several, or none. */
export const target = fc.oneof(
  { weight: 4, arbitrary: fields({ conversationId }) },
  { weight: 4, arbitrary: fields({ contactId }) },
  { weight: 2, arbitrary: fields({ recipientId: contactId }) },
  { weight: 6, arbitrary: fields({ to: phone }) },
  { weight: 3, arbitrary: fields({}, { conversationId, contactId, recipientId: contactId, to: phone }) },
)

const recipientIds = fc.array(contactId, { maxLength: 3 })
export const targetOfEmail = fc.oneof(
  { weight: 4, arbitrary: fields({ conversationId }) },
  { weight: 3, arbitrary: fields({ recipientIds }) },
  { weight: 6, arbitrary: fields({ to: email }) },
  { weight: 4, arbitrary: fields({}, { conversationId, recipientIds, to: email }) },
)

interface Target {
  readonly conversationId?: string
  readonly contactId?: string
  readonly recipientId?: string
  readonly to?: string
}

export function wrongTarget(team: TeamModel, target: Target): { 400: boolean; 404: boolean } {
  const { conversationId, contactId, recipientId, to } = target
  const id = conversationId ?? contactId ?? recipientId
  return { 400: id === undefined && to === undefined, 404: id !== undefined && !known(team, target) }
}

/** The contact that the conversation or an id names; the conversation wins. */
export function known(team: TeamModel, { conversationId, contactId, recipientId }: Target): Item | undefined {
  if (conversationId === undefined) return team.get('contacts', contactId ?? recipientId)
  const conversation = team.get('conversations', conversationId)
  return team.has.contacts.find(({ _id }) => _id === conversation?.contactId)
}

export const receiver = (team: TeamModel, target: Target): Item =>
  known(team, target) ?? contactAt(team, { phone: target.to })

/** The contacts of recipientIds, after the contact of `to`. */
export function readers(team: TeamModel, to: string | undefined, ids: readonly string[]): (Item | undefined)[] {
  const first = to === undefined ? undefined : matching(team, { email: to })
  return [...new Set(ids)].map((id) => team.get('contacts', id)).filter((contact) => !contact || contact !== first)
}
