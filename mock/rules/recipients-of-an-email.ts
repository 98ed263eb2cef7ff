import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import { refuse } from '../replies.ts'
import type { Team } from '../team.ts'
import { target } from './found.ts'
import { isSameEmail } from './matching-a-contact.ts'
import { contactAt } from './resolving-a-contact.ts'
import { checkReachable, disagreeing, type Receiver, receiverIn, receiverWith } from './target-of-a-send.ts'

type Contact = Schemas['Contact']
type Named = Pick<BodyOf<'sendEmailMessage'>, 'conversationId' | 'recipientIds' | 'to'>

/**
 * promise message.needsATarget, message.recipientIdsAloneAreEnough: an e-mail goes into a conversation, or standalone to
 * an address, to contacts, or to both. What is answered is the message of the first.
 */
export async function recipientsOf(named: Named, team: Team, assumed: Assumed): Promise<[Receiver, ...Receiver[]]> {
  const { conversationId } = named
  if (conversationId !== undefined) return [await recipientIn(conversationId, named, team, assumed)]
  const [first, ...others] = await contactsNamed(named, team, assumed)
  if (!first) refuse('a recipient id is required: give conversationId, recipientIds or to')
  for (const contact of [first, ...others]) checkReachable(contact, 'email', assumed)
  const receivers: [Receiver, ...Receiver[]] = [await receiverWith(first, team)]
  const withOwn = others.length > 0 ? severalRecipients[assumed.severalRecipients](others) : []
  for (const contact of withOwn) receivers.push(await receiverWith(contact, team))
  return receivers
}

async function recipientIn(
  conversationId: string,
  { recipientIds = [], to }: Named,
  team: Team,
  assumed: Assumed,
): Promise<Receiver> {
  if (recipientIds.length === 0) emailWithoutRecipientIds[assumed.emailWithoutRecipientIds]()
  const receiver = await receiverIn(conversationId, team, assumed)
  const { _id, email } = receiver.contact
  const isOther = recipientIds.some((id) => id !== _id) || (to !== undefined && !isSameEmail(email, to, assumed))
  if (isOther) disagreeing(assumed)
  checkReachable(receiver.contact, 'email', assumed)
  return receiver
}

const emailWithoutRecipientIds: ByChoice<'emailWithoutRecipientIds', () => void> = {
  contactOfConversation: () => undefined,
  refused: () => refuse('recipientIds is required with conversationId'),
}

/** promise message.recipientIdsMayJoinTo: each of them once, whoever `to` means first. */
async function contactsNamed({ recipientIds = [], to }: Named, team: Team, assumed: Assumed): Promise<Contact[]> {
  const contacts = to === undefined ? [] : [await contactAt({ email: to }, team, assumed)]
  const others = [...new Set(recipientIds)].filter((id) => id !== contacts[0]?._id)
  const joining = to !== undefined && others.length > 0 ? toAndRecipientIds[assumed.toAndRecipientIds](others) : others
  for (const id of joining) contacts.push(target(await team.contacts.get(id), 'recipientIds', assumed))
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
