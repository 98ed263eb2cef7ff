import type { ByChoice } from '../../../spec/assumptions.ts'
import type { BodyOf, Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { isSameEmail } from '../contacts/contact-matching.ts'
import { contactAt } from '../contacts/contact-resolution.ts'
import { target } from '../found.ts'
import { checkReachable, disagreeing, type Receiver, receiverIn, receiverWith } from './message-target.ts'

type Contact = Schemas['Contact']
type Named = Pick<BodyOf<'sendEmailMessage'>, 'conversationId' | 'recipientIds' | 'to'>

/**
 * promise message.needsATarget, message.recipientIdsAloneAreEnough: an e-mail goes into a conversation, or standalone to
 * an address, to contacts, or to both. What is answered is the message of the first.
 */
export async function recipientsOf(named: Named, turn: Turn): Promise<[Receiver, ...Receiver[]]> {
  const { conversationId } = named
  if (conversationId !== undefined) return [await recipientIn(conversationId, named, turn)]
  const [first, ...others] = await contactsNamed(named, turn)
  if (!first) refuse('a recipient id is required: give conversationId, recipientIds or to')
  for (const contact of [first, ...others]) checkReachable(contact, 'email', turn)
  const receivers: [Receiver, ...Receiver[]] = [await receiverWith(first, turn)]
  const withOwn = others.length > 0 ? severalRecipients[turn.assumed.severalRecipients](others) : []
  for (const contact of withOwn) receivers.push(await receiverWith(contact, turn))
  return receivers
}

async function recipientIn(conversationId: string, { recipientIds = [], to }: Named, turn: Turn): Promise<Receiver> {
  if (recipientIds.length === 0) emailWithoutRecipientIds[turn.assumed.emailWithoutRecipientIds]()
  const receiver = await receiverIn(conversationId, turn)
  const { _id, email } = receiver.contact
  const isOther = recipientIds.some((id) => id !== _id) || (to !== undefined && !isSameEmail(email, to, turn))
  if (isOther) disagreeing(turn)
  checkReachable(receiver.contact, 'email', turn)
  return receiver
}

const emailWithoutRecipientIds: ByChoice<'emailWithoutRecipientIds', () => void> = {
  contactOfConversation: () => undefined,
  refused: () => refuse('recipientIds is required with conversationId'),
}

/** promise message.recipientIdsMayJoinTo: each of them once, whoever `to` means first. */
async function contactsNamed({ recipientIds = [], to }: Named, turn: Turn): Promise<Contact[]> {
  const contacts = to === undefined ? [] : [await contactAt({ email: to }, turn)]
  const others = [...new Set(recipientIds)].filter((id) => id !== contacts[0]?._id)
  const joining =
    to !== undefined && others.length > 0 ? toAndRecipientIds[turn.assumed.toAndRecipientIds](others) : others
  for (const id of joining) contacts.push(target(await turn.team.contacts.get(id), 'recipientIds', turn))
  return contacts
}

const toAndRecipientIds: ByChoice<'toAndRecipientIds', (ids: readonly string[]) => readonly string[]> = {
  both: (ids) => ids,
  toOnly: () => [],
}

/** Who gets a message of their own beside the first. */
const severalRecipients: ByChoice<'severalRecipients', (others: readonly Contact[]) => readonly Contact[]> = {
  oneMessageEach: (others) => others,
  oneMessage: () => [],
}
