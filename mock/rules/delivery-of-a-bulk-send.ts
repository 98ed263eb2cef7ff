import type { BulkSend } from '../../fixtures/records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice, Choice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Clock } from '../clock.ts'
import { Refusal } from '../replies.ts'
import type { Fields, Team } from '../team.ts'
import { withKeptEmail } from './fields-of-a-contact.ts'
import { type Addresses, matchingContact } from './matching-a-contact.ts'
import { mergedSubject, mergedText } from './merge-fields.ts'
import { addMessage } from './message-of-a-send.ts'
import { contactOf } from './new-contact.ts'
import { receiverWith } from './target-of-a-send.ts'

type Contact = Schemas['Contact']

/** How much is sent in one turn of the team: whoever comes in between waits no longer than that takes. */
const recipientsInATurn = 200
const charactersInATurn = 1024 * 1024

type Queued = Omit<Fields<'bulkSends'>, 'to'>

/** Queues a send in parts, one for each turn that it will take. */
export async function queue(to: readonly string[], queued: Queued, team: Team, assumed: Assumed): Promise<void> {
  relyOnDelivery(queued, assumed)
  const fitting = Math.floor(charactersInATurn / queued.message.content.length)
  const atATime = Math.max(1, Math.min(recipientsInATurn, fitting))
  for (let at = 0; at < to.length; at += atATime) {
    await team.bulkSends.insert({ ...queued, to: to.slice(at, at + atATime) })
  }
}

/**
 * promise message.bulkReachesEveryone: sends the oldest part that is due, and tells when the next one is. A part is gone
 * in the turn that sends it, so that it never comes twice.
 */
export async function sendDuePart(team: Team, clock: Clock, assumed: Assumed): Promise<number | undefined> {
  const now = new Date(clock.now()).toISOString()
  const parts = await team.bulkSends.find('waitsFor', 'time')
  const due = parts.find(({ sendAt = now }) => sendAt <= now)
  if (due) {
    await team.bulkSends.remove(due._id)
    for (const address of due.to) await sendTo(address, due, team, assumed)
  }
  return earliestOf(parts.flatMap((part) => (part === due ? [] : (part.sendAt ?? []))))
}

/** Whatever waits to be released is due now. */
export async function releaseBulkSends(team: Team, clock: Clock): Promise<number> {
  const parts = await team.bulkSends.find('waitsFor', 'release')
  const sendAt = new Date(clock.now()).toISOString()
  for (const part of parts) await team.bulkSends.update(part, { sendAt })
  return parts.reduce((count, { to }) => count + to.length, 0)
}

async function sendTo(address: string, send: BulkSend, team: Team, assumed: Assumed): Promise<void> {
  const contact = await contactFor(address, send, team, assumed)
  if (!contact) return
  const receiver = await receiverWith(contact, team)
  await addMessage(team, receiver, filledFor(contact, send, assumed), { to: address })
}

/** Nobody is there any more to be told a refusal: whom it concerns is passed over. */
async function contactFor(
  address: string,
  { message: { channel } }: BulkSend,
  team: Team,
  assumed: Assumed,
): Promise<Contact | undefined> {
  const addresses = withKeptEmail(channel === 'email' ? { email: address } : { phone: address }, assumed)
  try {
    const known = await matchingContact(team, addresses, assumed)
    return known ?? (await bulkToStranger[assumed.bulkToStranger](team, addresses, assumed))
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

type Greet = (team: Team, addresses: Addresses, assumed: Assumed) => Promise<Contact | undefined>

const bulkToStranger: ByChoice<'bulkToStranger', Greet> = {
  contactCreated: contactOf,
  skipped: async () => undefined,
}

/** The message as the contact reads it. */
function filledFor(contact: Contact, { message, template }: Queued, assumed: Assumed) {
  const { content, subject, preheader } = message
  const text = mergedText(content, contact, assumed)
  return {
    ...message,
    ...(template === undefined ? text : { ...text, content: template, fallback: text.content }),
    ...(subject === undefined ? {} : { subject: mergedSubject(subject, contact, assumed) }),
    ...(preheader === undefined ? {} : { preheader: mergedSubject(preheader, contact, assumed) }),
  }
}

/**
 * What a send relies on shows only when it is sent, and then there is no answer left to mark. So the texts are tried on
 * somebody made up; and there may be strangers, since to look for them takes as long as to send.
 */
function relyOnDelivery(queued: Queued, assumed: Assumed): Choice<'bulkToStranger'> {
  filledFor(nobody, queued, assumed)
  return assumed.bulkToStranger
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
