import type { ConversationRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { BodyOf, Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { isSamePhone } from '../contacts/contact-matching.ts'
import { contactAt } from '../contacts/contact-resolution.ts'
import { conversationWith } from '../conversations/one-conversation-per-contact.ts'
import { target } from '../found.ts'

type Contact = Schemas['Contact']

/** Whom a message is for, and where it lands. */
export interface Receiver {
  readonly contact: Contact
  readonly conversation: ConversationRecord
}

type Named = Pick<BodyOf<'sendMessage'>, 'conversationId' | 'contactId' | 'recipientId' | 'to'>

/** promise message.needsATarget: a chat, an SMS or a WhatsApp message names a conversation, a contact or a number. */
export async function receiverOf(named: Named, turn: Turn): Promise<Receiver> {
  const { conversationId, contactId, recipientId, to } = named
  if (conversationId === undefined) return receiverWith(await contactNamed(named, turn), turn)
  const receiver = await receiverIn(conversationId, turn)
  if (meansOther(receiver.contact, [contactId, recipientId], to, turn)) disagreeing(turn)
  return receiver
}

/** promise message.goesToTheConversationNamed: it lands there, and reaches the contact of it. */
export async function receiverIn(conversationId: string, turn: Turn): Promise<Receiver> {
  const conversation = await turn.team.conversations.get(conversationId)
  const contact = conversation && (await turn.team.contacts.get(conversation.contactId))
  return target(contact && { contact, conversation }, 'conversationId', turn)
}

/** promise message.missingConversationIsMade, message.knownContactIsReached: in the one conversation of the contact. */
export async function receiverWith(contact: Contact, turn: Turn): Promise<Receiver> {
  const { conversation } = await conversationWith(contact, turn)
  return { contact, conversation }
}

/** promise message.recipientIdMeansContactId: they are two names of one field. */
async function contactNamed({ contactId, recipientId, to }: Named, turn: Turn): Promise<Contact> {
  const id = contactId ?? recipientId
  if (id === undefined) {
    if (to === undefined) refuse('a recipient id is required: give conversationId, contactId, recipientId or to')
    return contactAt({ phone: to }, turn)
  }
  const field = contactId === undefined ? 'recipientId' : 'contactId'
  const contact = target(await turn.team.contacts.get(id), field, turn)
  if (meansOther(contact, [recipientId], to, turn)) disagreeingReceivers[turn.assumed.disagreeingReceivers]()
  return contact
}

type Ids = readonly (string | undefined)[]

function meansOther({ _id, phone }: Contact, ids: Ids, to: string | undefined, turn: Turn): boolean {
  return ids.some((id) => id !== undefined && id !== _id) || (to !== undefined && !isSamePhone(phone, to, turn))
}

const disagreeingReceivers: ByChoice<'disagreeingReceivers', () => void> = {
  contactIdWins: () => undefined,
  refused: () => refuse('contactId, recipientId and to must mean the same contact; give one of them'),
}

/** A conversation is named, and also somebody who is not the contact of it. */
export function disagreeing({ assumed }: Turn): void {
  disagreeingTargets[assumed.disagreeingTargets]()
}

const disagreeingTargets: ByChoice<'disagreeingTargets', () => void> = {
  conversationWins: () => undefined,
  refused: () => refuse('conversationId is not that of the person named; give one of the two'),
}

/** Whoever is sent an e-mail, an SMS or a WhatsApp message may lack the address for it. */
export function checkReachable(contact: Contact, address: 'email' | 'phone', { assumed }: Turn): void {
  if (!contact[address]) receiverWithoutAddress[assumed.receiverWithoutAddress](wordsFor[address])
}

const wordsFor = { email: 'e-mail address', phone: 'phone number' }

const receiverWithoutAddress: ByChoice<'receiverWithoutAddress', (words: string) => void> = {
  refused: (words) => refuse(`the contact has no ${words} to send to; give it one, or name another`),
  accepted: () => undefined,
}
