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
 * promise contact.upsertUpdates: an upsert with the e-mail and the phone of a known contact changes that contact. The
 * specification does not say which contact is meant when none has both.
 */
export async function matchContact({ email, phone }: Addresses, turn: Turn): Promise<Contact | undefined> {
  const byEmail = email === undefined ? [] : await findContactsByEmail(email, turn)
  const byPhone = phone === undefined ? [] : await findContactsByPhone(phone, turn)
  const byEither = [...byEmail, ...byPhone]
  if (byEither.length === 0 || email === undefined || phone === undefined) return pickOne(byEither, turn)
  const idsByPhone = new Set(byPhone.map(({ _id }) => _id))
  const byBoth = byEmail.filter(({ _id }) => idsByPhone.has(_id))
  if (byBoth.length > 0) return pickOne(byBoth, turn)
  return contactMatching[turn.assumed.contactMatching](byEmail, byPhone, turn)
}

type Match = (byEmail: Contacts, byPhone: Contacts, turn: Turn) => Contact | undefined

const contactMatching: ByChoice<'contactMatching', Match> = {
  emailThenPhone: (byEmail, byPhone, turn) => pickOne(byEmail.length > 0 ? byEmail : byPhone, turn),
  phoneThenEmail: (byEmail, byPhone, turn) => pickOne(byPhone.length > 0 ? byPhone : byEmail, turn),
  emailAndPhone: () => undefined,
  refuse: (byEmail, byPhone, turn) => {
    if (byEmail.length > 0 && byPhone.length > 0)
      refuse('email and phone are those of different contacts; send only one')
    return pickOne([...byEmail, ...byPhone], turn)
  },
}

function pickOne(contacts: Contacts, { assumed }: Turn): Contact | undefined {
  return contacts.length > 1 ? severalMatches[assumed.severalMatches](contacts) : contacts[0]
}

const severalMatches: ByChoice<'severalMatches', (contacts: Contacts) => Contact | undefined> = {
  oldest: (contacts) => contacts[0],
  newest: (contacts) => contacts.at(-1),
  refused: () => refuse('several contacts of this team have this address; change it in all but one'),
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
