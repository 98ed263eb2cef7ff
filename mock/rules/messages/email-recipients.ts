import type { ByChoice } from '../../../spec/assumptions.ts'
import type { BodyOf, Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { isSameEmail } from '../contacts/contact-matching.ts'
import { resolveContact } from '../contacts/contact-resolution.ts'
import { foundTarget } from '../found.ts'
import {
  checkReachable,
  checkTargetsAgree,
  findConversationReceiver,
  makeReceiver,
  needsATarget,
  type Receiver,
} from './message-target.ts'

type Contact = Schemas['Contact']
type EmailTarget = Pick<BodyOf<'sendEmailMessage'>, 'conversationId' | 'recipientIds' | 'to'>

/**
 * promise message.needsATarget: a send that names no conversation, contact or address is answered 400.
 * promise message.recipientIdsAloneAreEnough: an e-mail needs no more of a target than recipientIds.
 * The answer shows the message to the first receiver.
 */
export async function resolveEmailReceivers(target: EmailTarget, turn: Turn): Promise<[Receiver, ...Receiver[]]> {
  const { conversationId } = target
  if (conversationId !== undefined) return [await resolveInConversation(conversationId, target, turn)]
  const [first, ...others] = await resolveEmailContacts(target, turn)
  if (!first) refuse('a recipient id is required: give conversationId, recipientIds or to', needsATarget)
  for (const contact of [first, ...others]) checkReachable(contact, 'email', turn)
  const receivers: [Receiver, ...Receiver[]] = [await makeReceiver(first, turn)]
  const alsoReached = others.length > 0 ? severalRecipients[turn.assumed.severalRecipients](others) : []
  for (const contact of alsoReached) receivers.push(await makeReceiver(contact, turn))
  return receivers
}

async function resolveInConversation(
  conversationId: string,
  { recipientIds = [], to }: EmailTarget,
  turn: Turn,
): Promise<Receiver> {
  if (recipientIds.length === 0) emailWithoutRecipientIds[turn.assumed.emailWithoutRecipientIds]()
  const receiver = await findConversationReceiver(conversationId, turn)
  const { _id, email } = receiver.contact
  const agree = recipientIds.every((id) => id === _id) && (to === undefined || isSameEmail(email, to, turn))
  checkTargetsAgree(agree, turn)
  checkReachable(receiver.contact, 'email', turn)
  return receiver
}

const emailWithoutRecipientIds: ByChoice<'emailWithoutRecipientIds', () => void> = {
  contactOfConversation: () => undefined,
  refused: () =>
    refuse('recipientIds is required with conversationId', {
      assumption: 'emailWithoutRecipientIds',
      field: 'recipientIds',
    }),
}

/**
 * promise message.recipientIdsMayJoinTo, message.emailReachesToAndRecipientIds: an e-mail may give recipientIds and `to`
 * together, and reaches all of them. Each contact once.
 */
async function resolveEmailContacts({ recipientIds = [], to }: EmailTarget, turn: Turn): Promise<Contact[]> {
  const contacts = to === undefined ? [] : [await resolveContact({ email: to }, turn)]
  const others = [...new Set(recipientIds)].filter((id) => id !== contacts[0]?._id)
  for (const id of others) contacts.push(foundTarget(await turn.team.contacts.get(id), 'recipientIds', turn))
  return contacts
}

/** Which contacts get a message of their own beside the first. */
const severalRecipients: ByChoice<'severalRecipients', (others: readonly Contact[]) => readonly Contact[]> = {
  oneMessageEach: (others) => others,
  oneMessage: () => [],
}
