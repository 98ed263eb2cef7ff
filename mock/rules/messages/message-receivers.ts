import type { ConversationRecord } from '../../../fixtures/records.ts'
import type { BodyOf, Schemas } from '../../../spec/types.ts'
import { allOf } from '../../../lib/async.ts'
import { mapSlices, slicesOf } from '../../../lib/pause.ts'
import { refuse, type Because } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { isSameEmail, isSamePhone } from '../contacts.ts'
import { ensureConversation, resolveContact } from '../conversations.ts'
import { foundTarget, refuseIf } from '../refuse.ts'
import type { Assumed } from '../../../spec/assumed.ts'

type Contact = Schemas['Contact']

/** The contact that a message reaches, and the conversation that it is added to. */
export interface Receiver {
  readonly contact: Contact
  readonly conversation: ConversationRecord
}

type ReceiverFields = Pick<BodyOf<'sendMessage'>, 'conversationId' | 'contactId' | 'recipientId' | 'to'>

/** Reads what the send needs later, in the round trip of another read. */
type Beside = (contactId: string, tx: Transaction) => Promise<unknown>

/**
 * promise message.needsATarget: a send that names no conversation, contact or address is answered 400. Of several, the
 * first in this order counts: conversationId, contactId, recipientId, to.
 */
export async function resolveReceiver(target: ReceiverFields, tx: Transaction, beside?: Beside): Promise<Receiver> {
  const { conversationId } = target
  if (conversationId !== undefined) {
    const receiver = await findConversationReceiver(conversationId, tx, beside)
    await checkOthers(receiver.contact, target, tx)
    return receiver
  }
  const contact = await resolveTargetContact(target, tx)
  await checkOthers(contact, target, tx)
  const [receiver] = await Promise.all([makeReceiver(contact, tx), beside?.(contact._id, tx)])
  return receiver
}

/** The specification does not say what happens to a send that names several people. */
async function checkOthers(contact: Contact, target: ReceiverFields, tx: Transaction): Promise<void> {
  const { to } = target
  for (const field of ['contactId', 'recipientId'] as const) {
    const id = target[field]
    if (id === undefined || id === contact._id) continue
    foundTarget(await tx.team.contacts.get(id), field, tx)
    refuseOther(field, tx)
  }
  if (to !== undefined && !isSamePhone(contact.phone, to, tx)) refuseOther('to', tx)
}

function refuseOther(field: string, { assumed }: Transaction): void {
  const sentence = `${field} names another contact than the other fields; name one`
  refuseIf(assumed, 'severalTargets', 'refused', sentence, field)
}

/** promise message.goesToTheConversationNamed: a send that names a conversation lands in that conversation. */
async function findConversationReceiver(conversationId: string, tx: Transaction, beside?: Beside): Promise<Receiver> {
  const conversation = await tx.team.conversations.get(conversationId)
  const { contactId } = conversation ?? {}
  const [contact] =
    contactId === undefined ? [] : await Promise.all([tx.team.contacts.get(contactId), beside?.(contactId, tx)])
  return foundTarget(conversation && contact && { contact, conversation }, 'conversationId', tx)
}

/**
 * promise message.knownContactIsReached: a send to a known contact reaches it in the conversation that it has.
 * promise message.missingConversationIsMade: a send to a contact without a conversation makes one for it.
 */
export async function makeReceiver(contact: Contact, tx: Transaction): Promise<Receiver> {
  const { conversation } = await ensureConversation(contact, tx)
  return { contact, conversation }
}

/** The receivers for contacts, which may repeat. The conversations of hundreds are looked up in one round trip. */
export async function makeReceivers(contacts: readonly Contact[], tx: Transaction): Promise<Receiver[]> {
  const receivers: Receiver[] = []
  for (const slice of slicesOf(contacts)) {
    await allOf(slice.map(({ _id }) => tx.team.conversations.find('contactId', _id)))
    for (const contact of slice) receivers.push(await makeReceiver(contact, tx))
  }
  return receivers
}

export const needsATarget: Because = { promise: 'message.needsATarget', field: 'to' }

/** promise message.recipientIdMeansContactId: a send with recipientId reaches the same contact as one with contactId. */
async function resolveTargetContact({ contactId, recipientId, to }: ReceiverFields, tx: Transaction): Promise<Contact> {
  const id = contactId ?? recipientId
  if (id === undefined) {
    if (to === undefined)
      refuse('a recipient id is required: give conversationId, contactId, recipientId or to', needsATarget)
    return resolveContact({ phone: to }, tx)
  }
  const field = contactId === undefined ? 'recipientId' : 'contactId'
  return foundTarget(await tx.team.contacts.get(id), field, tx)
}

/** The specification does not say what happens when the contact lacks the address that the channel needs. */
export function checkReachable(contact: Contact, address: 'email' | 'phone', { assumed }: Transaction): void {
  const sentence = `the contact has no ${addressWords[address]} to send to; give it one, or name another`
  if (!contact[address]) refuseIf(assumed, 'receiverWithoutAddress', 'refused', sentence)
}

const addressWords = { email: 'e-mail address', phone: 'phone number' }

type ReplyFields = Pick<BodyOf<'sendEmailMessage'>, 'replyToMessageId'>

/**
 * promise message.emailTakesThreading: an e-mail can answer an earlier message. The specification does not say whether
 * that message must exist.
 */
export async function checkReply({ replyToMessageId: id }: ReplyFields, { team, assumed }: Transaction): Promise<void> {
  if (id === undefined || (await team.messages.get(id))) return
  const sentence = 'replyToMessageId names no message of this team'
  refuseIf(assumed, 'replyToUnknown', 'refused', sentence, 'replyToMessageId')
}

type EmailTarget = Pick<BodyOf<'sendEmailMessage'>, 'conversationId' | 'recipientIds' | 'to'>

/**
 * promise message.needsATarget: a send that names no conversation, contact or address is answered 400.
 * promise message.recipientIdsAloneAreEnough: an e-mail needs no more of a target than recipientIds.
 * The answer shows the message to the first receiver.
 */
export async function resolveEmailReceivers(target: EmailTarget, tx: Transaction): Promise<[Receiver, ...Receiver[]]> {
  const { conversationId } = target
  const named = conversationId === undefined ? undefined : await resolveInConversation(conversationId, target, tx)
  const contacts = await resolveEmailContacts(named?.contact, target, tx)
  for (const contact of contacts) checkReachable(contact, 'email', tx)
  const isOne = contacts.length > 1 && tx.assumed.severalRecipients !== 'oneMessageEach'
  const reached = isOne ? contacts.slice(0, 1) : contacts
  const [first, ...others] = named
    ? [named, ...(await makeReceivers(reached.slice(1), tx))]
    : await makeReceivers(reached, tx)
  if (!first) refuse('a recipient id is required: give conversationId, recipientIds or to', needsATarget)
  return [first, ...others]
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
  if (recipientIds.length > 0 && !recipientIds.includes(_id)) refuseOther('recipientIds', tx)
  if (to !== undefined && !isSameEmail(email, to, tx)) refuseOther('to', tx)
  return receiver
}

/**
 * promise message.recipientIdsMayJoinTo, message.emailReachesToAndRecipientIds: an e-mail may give recipientIds and `to`
 * together, and reaches all of them. Each contact once.
 */
async function resolveEmailContacts(
  inConversation: Contact | undefined,
  { recipientIds = [], to }: EmailTarget,
  tx: Transaction,
): Promise<Contact[]> {
  const [first, named] = await Promise.all([
    inConversation || to === undefined ? inConversation : resolveContact({ email: to }, tx),
    tx.team.contacts.getMany(recipientIds),
  ])
  const byId = new Map(await mapSlices(named, (slice) => slice.map((contact) => [contact._id, contact])))
  const ids = [...new Set(recipientIds)]
  const contacts = await mapSlices(ids, (slice) =>
    slice.filter((id) => id !== first?._id).map((id) => foundTarget(byId.get(id), 'recipientIds', tx)),
  )
  return first ? [first, ...contacts] : contacts
}

/** The specification does not say how many people a send may reach. A limit is at least one. */
export function checkRecipientLimit(count: number, field: string, assumed: Assumed): void {
  if (count <= 1 || assumed.bulkRecipientLimit === 'none') return
  const most = assumed.amountOf('bulkRecipientLimit')
  const what = field === 'to' ? 'addresses' : 'ids'
  if (count > most) refuse(`${field} must hold at most ${most} ${what}`, { assumption: 'bulkRecipientLimit', field })
}

const mebibyte = 1024 * 1024

/** The most characters that one request may send: with one text for all recipients, and with a text for each. */
const most = { alike: 1024 * mebibyte, each: 64 * mebibyte }

/** Bounds what one request makes the sandbox keep: a short body can send a long text to thousands. */
export function checkVolume(recipients: number, message: object, field: string, texts: keyof typeof most): void {
  if (recipients <= 1) return
  const { length } = JSON.stringify(message)
  const fitting = Math.floor(most[texts] / length)
  if (recipients > fitting) {
    refuse(
      `${field} must name at most ${Math.max(1, fitting)} recipients of a message of ${length} characters; send a part`,
      { limit: 'volume', field },
    )
  }
}
