import type { Assumed } from '../../../spec/assumed.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { foldedEmail, foldedPhone } from '../../store/indexes.ts'

type Contact = Schemas['Contact']
type Contacts = readonly Contact[]

export interface Addresses {
  readonly email?: string
  readonly phone?: string
}

/**
 * promise conversation.emailFindsTheContact, conversation.phoneFindsTheContact: a contact matches when its e-mail address
 * or its phone number does. The specification does not say which contact to use when two match.
 */
export async function matchContact(addresses: Addresses, tx: Transaction): Promise<Contact | undefined> {
  const matches = await findMatches(addresses, tx)
  return matches.byAll.length > 0 ? pickOne(matches.byAll, tx) : pickPartial(matches, tx)
}

/**
 * promise contact.upsertUpdates: an upsert with the e-mail and the phone of a known contact changes that contact. The
 * specification does not say whether one of the two suffices.
 */
export async function matchContactForUpsert(addresses: Addresses, tx: Transaction): Promise<Contact | undefined> {
  const matches = await findMatches(addresses, tx)
  if (matches.byAll.length > 0) return pickOne(matches.byAll, tx)
  if (matches.byEmail.length + matches.byPhone.length === 0) return undefined
  return tx.assumed.upsertMatching === 'either' ? pickPartial(matches, tx) : undefined
}

interface Matches {
  readonly byEmail: Contacts
  readonly byPhone: Contacts
  /** Those with every address that was sent. */
  readonly byAll: Contacts
}

async function findMatches({ email, phone }: Addresses, tx: Transaction): Promise<Matches> {
  const byEmail = email === undefined ? [] : await findContactsByEmail(email, tx)
  const byPhone = phone === undefined ? [] : await findContactsByPhone(phone, tx)
  if (email === undefined) return { byEmail, byPhone, byAll: byPhone }
  if (phone === undefined) return { byEmail, byPhone, byAll: byEmail }
  const ids = new Set(byPhone.map(({ _id }) => _id))
  return { byEmail, byPhone, byAll: byEmail.filter(({ _id }) => ids.has(_id)) }
}

function pickPartial({ byEmail, byPhone }: Matches, tx: Transaction): Contact | undefined {
  if (byEmail.length === 0 || byPhone.length === 0) return pickOne([...byEmail, ...byPhone], tx)
  return pickOne(contactMatching[tx.assumed.contactMatching](byEmail, byPhone), tx)
}

const contactMatching: ByChoice<'contactMatching', (byEmail: Contacts, byPhone: Contacts) => Contacts> = {
  emailThenPhone: (byEmail) => byEmail,
  phoneThenEmail: (_byEmail, byPhone) => byPhone,
  refuse: () =>
    refuse('email and phone are those of different contacts; send only one', {
      assumption: 'contactMatching',
      field: 'email',
    }),
}

function pickOne(contacts: Contacts, { assumed }: Transaction): Contact | undefined {
  return contacts.length > 1 ? severalMatches[assumed.severalMatches](contacts) : contacts[0]
}

const severalMatches: ByChoice<'severalMatches', (contacts: Contacts) => Contact | undefined> = {
  oldest: (contacts) => contacts[0],
  newest: (contacts) => contacts.at(-1),
  refused: () =>
    refuse('several contacts of this team have this address; change it in all but one', {
      assumption: 'severalMatches',
    }),
}

/** Oldest first. */
export async function findContactsByEmail(email: string, tx: Transaction): Promise<Contacts> {
  const candidates = await tx.team.contacts.find('email', foldedEmail(email))
  return candidates.filter((contact) => isSameEmail(contact.email, email, tx))
}

/** Oldest first. */
export async function findContactsByPhone(phone: string, tx: Transaction): Promise<Contacts> {
  const candidates = await tx.team.contacts.find('phone', foldedPhone(phone))
  return candidates.filter((contact) => isSamePhone(contact.phone, phone, tx))
}

export function isSameEmail(one: string | undefined, other: string, { assumed }: Transaction): boolean {
  if (one === undefined || one === other) return one === other
  return foldedEmail(one) === foldedEmail(other) && comparesIgnoringCase(assumed)
}

/** Whether two addresses are the same that differ in upper and lower case only. */
export const comparesIgnoringCase = (assumed: Assumed) => assumed.addressCompare === 'ignoringCase'

export function isSamePhone(one: string | undefined, other: string, { assumed }: Transaction): boolean {
  if (one === undefined || one === other) return one === other
  // Two such numbers have the same digits but different punctuation.
  return foldedPhone(one) === foldedPhone(other) && assumed.phoneCompare === 'ignoringPunctuation'
}
