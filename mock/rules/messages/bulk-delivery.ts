import type { BulkSend } from '../../../fixtures/records.ts'
import type { ByChoice, Choice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { Refusal } from '../../core/refusals.ts'
import type { Fields } from '../../core/team.ts'
import type { Turn } from '../../core/turn.ts'
import { withKeptEmail } from '../contacts/contact-fields.ts'
import { type Addresses, matchingContact } from '../contacts/contact-matching.ts'
import { contactOf } from '../contacts/new-contact.ts'
import { mergedSubject, mergedText } from './merge-fields.ts'
import { addMessage } from './new-message.ts'
import { receiverWith } from './message-target.ts'

type Contact = Schemas['Contact']

/** How much is sent in one turn of the team: whoever comes in between waits no longer than that takes. */
const recipientsInATurn = 200
const charactersInATurn = 1024 * 1024

type Queued = Omit<Fields<'bulkSends'>, 'to'>

/** Queues a send in parts, one for each turn that it will take. */
export async function queue(to: readonly string[], queued: Queued, turn: Turn): Promise<void> {
  relyOnDelivery(queued, turn)
  if (queued.sendAt !== undefined) turn.later(Date.parse(queued.sendAt))
  const fitting = Math.floor(charactersInATurn / queued.message.content.length)
  const atATime = Math.max(1, Math.min(recipientsInATurn, fitting))
  for (let at = 0; at < to.length; at += atATime) {
    await turn.team.bulkSends.insert({ ...queued, to: to.slice(at, at + atATime) })
  }
}

/**
 * promise message.bulkReachesEveryone: sends the oldest part that is due, and tells when the next one is. A part is gone
 * in the turn that sends it, so that it never comes twice.
 */
export async function sendDuePart(turn: Turn): Promise<number | undefined> {
  const now = new Date(turn.clock.now()).toISOString()
  const parts = await turn.team.bulkSends.find('waitsFor', 'time')
  const due = parts.find(({ sendAt = now }) => sendAt <= now)
  if (due) {
    await turn.team.bulkSends.remove(due._id)
    for (const address of due.to) await sendTo(address, due, turn)
  }
  return earliestOf(parts.flatMap((part) => (part === due ? [] : (part.sendAt ?? []))))
}

/** Whatever waits to be released is due now. */
export async function releaseBulkSends({ team, clock, later }: Turn): Promise<number> {
  const parts = await team.bulkSends.find('waitsFor', 'release')
  const now = clock.now()
  const sendAt = new Date(now).toISOString()
  for (const part of parts) await team.bulkSends.update(part, { sendAt })
  if (parts.length > 0) later(now)
  return parts.reduce((count, { to }) => count + to.length, 0)
}

async function sendTo(address: string, send: BulkSend, turn: Turn): Promise<void> {
  const contact = await contactFor(address, send, turn)
  if (!contact) return
  const receiver = await receiverWith(contact, turn)
  await addMessage(receiver, filledFor(contact, send, turn), { to: address }, turn)
}

/** Nobody is there any more to be told a refusal: whom it concerns is passed over. */
async function contactFor(
  address: string,
  { message: { channel } }: BulkSend,
  turn: Turn,
): Promise<Contact | undefined> {
  const addresses = withKeptEmail(channel === 'email' ? { email: address } : { phone: address }, turn)
  try {
    const known = await matchingContact(addresses, turn)
    return known ?? (await bulkToStranger[turn.assumed.bulkToStranger](addresses, turn))
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

type Greet = (addresses: Addresses, turn: Turn) => Promise<Contact | undefined>

const bulkToStranger: ByChoice<'bulkToStranger', Greet> = {
  contactCreated: contactOf,
  skipped: async () => undefined,
}

/** The message as the contact reads it. */
function filledFor(contact: Contact, { message, template }: Queued, turn: Turn) {
  const { content, subject, preheader } = message
  const text = mergedText(content, contact, turn)
  return {
    ...message,
    ...(template === undefined ? text : { ...text, content: template, fallback: text.content }),
    ...(subject === undefined ? {} : { subject: mergedSubject(subject, contact, turn) }),
    ...(preheader === undefined ? {} : { preheader: mergedSubject(preheader, contact, turn) }),
  }
}

/**
 * What a send relies on shows only when it is sent, and then there is no answer left to mark. So the texts are tried on
 * somebody made up; and there may be strangers, since to look for them takes as long as to send.
 */
function relyOnDelivery(queued: Queued, turn: Turn): Choice<'bulkToStranger'> {
  filledFor(nobody, queued, turn)
  return turn.assumed.bulkToStranger
}

const nobody: Contact = {
  _id: '',
  teamId: '',
  createdAt: '',
  updatedAt: '',
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  status: '',
  source: '',
  lifecycleStage: '',
}

function earliestOf(times: readonly string[]): number | undefined {
  const [first, ...others] = times
  return first === undefined ? undefined : Date.parse(others.reduce((one, other) => (other < one ? other : one), first))
}
