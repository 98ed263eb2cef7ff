import type { BulkSend } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { Refusal } from '../../core/refusals.ts'
import type { NewRecord } from '../../core/team.ts'
import type { Transaction } from '../../core/transaction.ts'
import {
  type Addresses,
  normalizeEmail,
  matchContact,
  insertContactWithAddress,
  relyOnNewContact,
} from '../contacts.ts'
import type { DueTime } from './bulk-request.ts'
import {
  hasPlaceholder,
  relyOnMergeFields,
  relyOnPaths,
  renderParameters,
  renderSubject,
  renderText,
} from './merge-fields.ts'
import { makeReceivers, checkVolume } from './message-receivers.ts'
import { insertMessage, isInSession } from './new-message.ts'

type Contact = Schemas['Contact']
type QueuedSend = Omit<NewRecord<'bulkSends'>, 'to' | 'sendAt'>

/** How much one transaction sends. Other requests of the team wait no longer than that takes. */
const maxRecipientsInTurn = 200
const maxCharactersInTurn = 1024 * 1024

/** The largest number of recipients that are looked up to mark the response. Other requests of the team wait meanwhile. */
const maxRecipientsInMarks = 1_000

/** Queues a send in parts, one for each transaction that it takes. */
export async function queueBulkSend(
  recipients: readonly string[],
  send: QueuedSend,
  scheduled: DueTime,
  tx: Transaction,
): Promise<void> {
  checkVolume(recipients.length, send, 'to', isAlikeForAll(send.message) ? 'alike' : 'each')
  await relyOnDelivery(recipients, send, tx)
  const due = bulkDelivery[tx.assumed.bulkDelivery](scheduled, tx)
  if (due !== 'onRelease') tx.scheduleAt(due)
  const time = due === 'onRelease' ? {} : { sendAt: new Date(due).toISOString() }
  const fitting = Math.floor(maxCharactersInTurn / Math.max(1, send.message.content.length))
  const partLength = Math.max(1, Math.min(maxRecipientsInTurn, fitting))
  const parts: NewRecord<'bulkSends'>[] = []
  for (let at = 0; at < recipients.length; at += partLength) {
    parts.push({ ...send, ...time, to: recipients.slice(at, at + partLength) })
  }
  await tx.team.bulkSends.insertAll(parts)
}

const bulkDelivery: ByChoice<'bulkDelivery', (due: DueTime, tx: Transaction) => DueTime> = {
  atOnce: (due) => due,
  afterDelay: (due, { assumed }) => (due === 'onRelease' ? due : due + assumed.amountOf('bulkDelivery')),
  onRelease: () => 'onRelease',
}

/** Whether the message is the same for everyone, so that its messages share one text in memory. */
function isAlikeForAll({ content, subject = '', preheader = '', bodyParameters = [] }: BulkSend['message']): boolean {
  const parameters = bodyParameters.map(({ text = '' }) => text)
  return ![content, subject, preheader, ...parameters].some(hasPlaceholder)
}

/**
 * promise message.bulkReachesEveryone: a bulk send puts one message into the history of each contact on its list. Sends
 * the oldest part that is due, and returns when the next one is. The part is removed in the transaction that sends it, so that it
 * is never sent twice.
 */
export async function sendDuePart(tx: Transaction): Promise<number | undefined> {
  const { bulkSends } = tx.team
  const now = tx.clock.now()
  const part = await nextPart(tx)
  if (!part || timeOf(part) > now) return part && timeOf(part)
  await bulkSends.remove(part._id)
  const recipients = await resolveRecipients(part, tx)
  for (const { address, receiver } of recipients)
    await insertMessage(receiver, renderFor(receiver.contact, part, tx), { to: address }, tx)
  const next = await nextPart(tx)
  return next && timeOf(next)
}

/** The oldest part when it is due, as it is while a long send goes out; else the part that is due first. */
async function nextPart({ team: { bulkSends }, clock }: Transaction): Promise<BulkSend | undefined> {
  const oldest = await bulkSends.first('waitsFor', 'time')
  if (!oldest || timeOf(oldest) <= clock.now()) return oldest
  const parts = await bulkSends.find('waitsFor', 'time')
  return parts.reduce((earliest, part) => (timeOf(part) < timeOf(earliest) ? part : earliest), oldest)
}

const timeOf = ({ sendAt = '' }: BulkSend) => Date.parse(sendAt)

/** Makes every send due that waits to be released. Returns the number of recipients. */
export async function releaseBulkSends(tx: Transaction): Promise<number> {
  const { team, clock } = tx
  const parts = await team.bulkSends.find('waitsFor', 'release')
  const now = clock.now()
  const sendAt = new Date(now).toISOString()
  for (const part of parts) await team.bulkSends.update(part, { sendAt })
  if (parts.length > 0) tx.scheduleAt(now)
  return parts.reduce((count, { to }) => count + to.length, 0)
}

/** Makes a part due now. Answers whether there is one of this id. */
export async function releasePart(id: string, tx: Transaction): Promise<boolean> {
  const { team, clock } = tx
  const part = await team.bulkSends.get(id)
  if (!part) return false
  const now = clock.now()
  await team.bulkSends.update(part, { sendAt: new Date(now).toISOString() })
  tx.scheduleAt(now)
  return true
}

/** Removes a part that waits. Answers whether there is one of this id. */
export async function dropPart(id: string, { team }: Transaction): Promise<boolean> {
  if (!(await team.bulkSends.get(id))) return false
  await team.bulkSends.remove(id)
  return true
}

/**
 * promise message.bulkMakesMissingContacts: an address that no contact has gets a contact. Reads the records of all recipients
 * in a few round trips; the loop then finds them in the transaction.
 */
async function resolveRecipients(send: BulkSend, tx: Transaction) {
  await lookUp(send.to, send, tx)
  const [addresses, contacts]: [string[], Contact[]] = [[], []]
  for (const address of send.to) {
    const { known, sent } = await findRecipient(address, send, tx)
    if (known === 'refused') continue
    addresses.push(address)
    contacts.push(known ?? (await insertContactWithAddress(sent, tx)))
  }
  const receivers = await makeReceivers(contacts, tx)
  if (send.message.channel === 'whatsapp' && send.template === undefined)
    await Promise.all(contacts.map(({ _id }) => isInSession(_id, tx)))
  return receivers.map((receiver, at) => ({ receiver, address: addresses[at] }))
}

const lookUp = (addresses: readonly string[], send: QueuedSend, tx: Transaction) =>
  Promise.all(addresses.map((address) => findRecipient(address, send, tx)))

interface Recipient {
  /** Undefined when no contact has the address. A recipient that is refused gets no message: the request was answered. */
  readonly known: Contact | 'refused' | undefined
  readonly sent: Addresses
}

async function findRecipient(address: string, { message }: QueuedSend, tx: Transaction): Promise<Recipient> {
  const sent = normalizeEmail(message.channel === 'email' ? { email: address } : { phone: address }, tx)
  try {
    return { known: await matchContact(sent, tx), sent }
  } catch (error) {
    if (error instanceof Refusal) return { known: 'refused', sent }
    throw error
  }
}

function renderFor(contact: Contact, { message, template }: QueuedSend, tx: Transaction) {
  const { content, subject, preheader } = message
  const text = renderText(content, contact, tx)
  return {
    ...message,
    ...(template === undefined
      ? text
      : { ...text, content: renderParameters(template, message, contact, tx), fallback: text.content }),
    ...(subject === undefined ? {} : { subject: renderSubject(subject, contact, tx) }),
    ...(preheader === undefined ? {} : { preheader: renderSubject(preheader, contact, tx) }),
  }
}

/**
 * Marks the response with the assumptions of the delivery, which follows the response: those about the merge fields of the
 * texts, and those about the contacts of the first recipients.
 */
async function relyOnDelivery(recipients: readonly string[], send: QueuedSend, tx: Transaction): Promise<void> {
  relyOnRendering(send, tx)
  const first = await lookUp(recipients.slice(0, maxRecipientsInMarks), send, tx)
  if (first.some(({ known }) => known === undefined)) relyOnNewContact(tx)
}

function relyOnRendering({ message, template }: QueuedSend, tx: Transaction): void {
  const { content, subject = '', preheader = '', bodyParameters = [] } = message
  relyOnMergeFields('mergeFields', content, tx)
  relyOnMergeFields('mergeFieldsInSubject', subject, tx)
  relyOnMergeFields('mergeFieldsInSubject', preheader, tx)
  const hasMergeFields = bodyParameters.some(({ text = '' }) => hasPlaceholder(text))
  if (template !== undefined && hasMergeFields) relyOnPaths(template, tx.assumed)
}
