import type { BodyOf, Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { isSameEmail } from '../contacts/contact-matching.ts'
import { resolveContact } from '../contacts/contact-resolution.ts'
import { foundTarget } from '../found.ts'
import { refuseIf } from '../refuse-if.ts'
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
export async function resolveEmailReceivers(target: EmailTarget, tx: Transaction): Promise<[Receiver, ...Receiver[]]> {
  const { conversationId } = target
  if (conversationId !== undefined) return [await resolveInConversation(conversationId, target, tx)]
  const [first, ...others] = await resolveEmailContacts(target, tx)
  if (!first) refuse('a recipient id is required: give conversationId, recipientIds or to', needsATarget)
  for (const contact of [first, ...others]) checkReachable(contact, 'email', tx)
  const receivers: [Receiver, ...Receiver[]] = [await makeReceiver(first, tx)]
  if (others.length > 0 && tx.assumed.severalRecipients === 'oneMessageEach')
    for (const contact of others) receivers.push(await makeReceiver(contact, tx))
  return receivers
}

async function resolveInConversation(
  conversationId: string,
  { recipientIds = [], to }: EmailTarget,
  tx: Transaction,
): Promise<Receiver> {
  if (recipientIds.length === 0) {
    const sentence = 'recipientIds is required with conversationId'
    refuseIf(tx.assumed, 'emailWithoutRecipientIds', 'refused', sentence, 'recipientIds')
  }
  const receiver = await findConversationReceiver(conversationId, tx)
  const { _id, email } = receiver.contact
  const agree = recipientIds.every((id) => id === _id) && (to === undefined || isSameEmail(email, to, tx))
  checkTargetsAgree(agree, tx)
  checkReachable(receiver.contact, 'email', tx)
  return receiver
}

/**
 * promise message.recipientIdsMayJoinTo, message.emailReachesToAndRecipientIds: an e-mail may give recipientIds and `to`
 * together, and reaches all of them. Each contact once.
 */
async function resolveEmailContacts({ recipientIds = [], to }: EmailTarget, tx: Transaction): Promise<Contact[]> {
  const contacts = to === undefined ? [] : [await resolveContact({ email: to }, tx)]
  const others = [...new Set(recipientIds)].filter((id) => id !== contacts[0]?._id)
  for (const id of others) contacts.push(foundTarget(await tx.team.contacts.get(id), 'recipientIds', tx))
  return contacts
}
