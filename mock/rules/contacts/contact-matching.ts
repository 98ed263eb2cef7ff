import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { foldedEmail, foldedPhone } from '../../store/indexes.ts'

type Contact = Schemas['Contact']
type Contacts = readonly Contact[]

export interface Addresses {
  readonly email?: string
  readonly phone?: string
}

/**
 * promise conversation.emailFindsTheContact, conversation.phoneFindsTheContact: a contact matches when its e-mail address
 * or its phone number does. The specification does not say which one is meant when two do.
 */
export async function matchContact(addresses: Addresses, turn: Turn): Promise<Contact | undefined> {
  const matches = await findMatches(addresses, turn)
  return matches.byAll.length > 0 ? pickOne(matches.byAll, turn) : pickPartial(matches, turn)
}

/**
 * promise contact.upsertUpdates: an upsert with the e-mail and the phone of a known contact changes that contact. The
 * specification does not say whether one of the two suffices.
 */
export async function matchContactForUpsert(addresses: Addresses, turn: Turn): Promise<Contact | undefined> {
  const matches = await findMatches(addresses, turn)
  if (matches.byAll.length > 0) return pickOne(matches.byAll, turn)
  if (matches.byEmail.length + matches.byPhone.length === 0) return undefined
  return upsertMatching[turn.assumed.upsertMatching](() => pickPartial(matches, turn))
}

type Match = Contact | undefined

const upsertMatching: ByChoice<'upsertMatching', (match: () => Match) => Match> = {
  either: (match) => match(),
  both: () => undefined,
}

interface Matches {
  readonly byEmail: Contacts
  readonly byPhone: Contacts
  /** Those with every address that was sent. */
  readonly byAll: Contacts
}

async function findMatches({ email, phone }: Addresses, turn: Turn): Promise<Matches> {
  const byEmail = email === undefined ? [] : await findContactsByEmail(email, turn)
  const byPhone = phone === undefined ? [] : await findContactsByPhone(phone, turn)
  if (email === undefined) return { byEmail, byPhone, byAll: byPhone }
  if (phone === undefined) return { byEmail, byPhone, byAll: byEmail }
  const ids = new Set(byPhone.map(({ _id }) => _id))
  return { byEmail, byPhone, byAll: byEmail.filter(({ _id }) => ids.has(_id)) }
}

function pickPartial({ byEmail, byPhone }: Matches, turn: Turn): Match {
  if (byEmail.length === 0 || byPhone.length === 0) return pickOne([...byEmail, ...byPhone], turn)
  return pickOne(contactMatching[turn.assumed.contactMatching](byEmail, byPhone), turn)
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

function pickOne(contacts: Contacts, { assumed }: Turn): Contact | undefined {
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
export async function findContactsByEmail(email: string, turn: Turn): Promise<Contacts> {
  const candidates = await turn.team.contacts.find('email', foldedEmail(email))
  return candidates.filter((contact) => isSameEmail(contact.email, email, turn))
}

/** Oldest first. */
export async function findContactsByPhone(phone: string, turn: Turn): Promise<Contacts> {
  const candidates = await turn.team.contacts.find('phone', foldedPhone(phone))
  return candidates.filter((contact) => isSamePhone(contact.phone, phone, turn))
}

export function isSameEmail(one: string | undefined, other: string, { assumed }: Turn): boolean {
  if (one === undefined || one === other) return one === other
  return foldedEmail(one) === foldedEmail(other) && addressCompare[assumed.addressCompare]
}

/** Whether two addresses are the same that differ in upper and lower case only. */
const addressCompare: ByChoice<'addressCompare', boolean> = { ignoringCase: true, exact: false }

export function isSamePhone(one: string | undefined, other: string, { assumed }: Turn): boolean {
  if (one === undefined || one === other) return one === other
  return foldedPhone(one) === foldedPhone(other) && phoneCompare[assumed.phoneCompare]
}

/** Whether two numbers are the same that have the same digits but different punctuation. */
const phoneCompare: ByChoice<'phoneCompare', boolean> = { exact: false, ignoringPunctuation: true }
