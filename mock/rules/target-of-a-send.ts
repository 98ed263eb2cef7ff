import type { ConversationRecord } from '../../fixtures/records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import { refuse } from '../replies.ts'
import type { Team } from '../team.ts'
import { target } from './found.ts'
import { isSamePhone } from './matching-a-contact.ts'
import { conversationWith } from './one-conversation-per-contact.ts'
import { contactAt } from './resolving-a-contact.ts'

type Contact = Schemas['Contact']

/** Whom a message is for, and where it lands. */
export interface Receiver {
  readonly contact: Contact
  readonly conversation: ConversationRecord
}

type Named = Pick<BodyOf<'sendMessage'>, 'conversationId' | 'contactId' | 'recipientId' | 'to'>

/** promise message.needsATarget: a chat, an SMS or a WhatsApp message names a conversation, a contact or a number. */
export async function receiverOf(named: Named, team: Team, assumed: Assumed): Promise<Receiver> {
  const { conversationId, contactId, recipientId, to } = named
  if (conversationId === undefined) return receiverWith(await contactNamed(named, team, assumed), team)
  const receiver = await receiverIn(conversationId, team, assumed)
  if (meansOther(receiver.contact, [contactId, recipientId], to, assumed)) disagreeing(assumed)
  return receiver
}

/** promise message.goesToTheConversationNamed: it lands there, and reaches the contact of it. */
export async function receiverIn(conversationId: string, team: Team, assumed: Assumed): Promise<Receiver> {
  const conversation = await team.conversations.get(conversationId)
  const contact = conversation && (await team.contacts.get(conversation.contactId))
  return target(contact && { contact, conversation }, 'conversationId', assumed)
}

/** promise message.missingConversationIsMade, message.knownContactIsReached: in the one conversation of the contact. */
export async function receiverWith(contact: Contact, team: Team): Promise<Receiver> {
  const { conversation } = await conversationWith(contact, team)
  return { contact, conversation }
}

/** promise message.recipientIdMeansContactId: they are two names of one field. */
async function contactNamed({ contactId, recipientId, to }: Named, team: Team, assumed: Assumed): Promise<Contact> {
  const id = contactId ?? recipientId
  if (id === undefined) {
    if (to === undefined) refuse('a recipient id is required: give conversationId, contactId, recipientId or to')
    return contactAt({ phone: to }, team, assumed)
  }
  const field = contactId === undefined ? 'recipientId' : 'contactId'
  const contact = target(await team.contacts.get(id), field, assumed)
  if (meansOther(contact, [recipientId], to, assumed)) disagreeingReceivers[assumed.disagreeingReceivers]()
  return contact
}

type Ids = readonly (string | undefined)[]

function meansOther({ _id, phone }: Contact, ids: Ids, to: string | undefined, assumed: Assumed): boolean {
  return ids.some((id) => id !== undefined && id !== _id) || (to !== undefined && !isSamePhone(phone, to, assumed))
}

const disagreeingReceivers: ByChoice<'disagreeingReceivers', () => void> = {
  contactIdWins: () => undefined,
  refused: () => refuse('contactId, recipientId and to must mean the same contact; give one of them'),
}

/** A conversation is named, and also somebody who is not the contact of it. */
export function disagreeing(assumed: Assumed): void {
  disagreeingTargets[assumed.disagreeingTargets]()
}

const disagreeingTargets: ByChoice<'disagreeingTargets', () => void> = {
  conversationWins: () => undefined,
  refused: () => refuse('conversationId is not that of the person named; give one of the two'),
}

/** Whoever is sent an e-mail, an SMS or a WhatsApp message may lack the address for it. */
export function checkReachable(contact: Contact, address: 'email' | 'phone', assumed: Assumed): void {
  if (!contact[address]) receiverWithoutAddress[assumed.receiverWithoutAddress](wordsFor[address])
}

const wordsFor = { email: 'e-mail address', phone: 'phone number' }

const receiverWithoutAddress: ByChoice<'receiverWithoutAddress', (words: string) => void> = {
  refused: (words) => refuse(`the contact has no ${words} to send to; give it one, or name another`),
  accepted: () => undefined,
}
