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
 * promise contact.upsertUpdates: who has both the e-mail address and the phone number is the one that is meant. Who is
 * meant when nobody has both is not documented.
 */
export async function matchingContact({ email, phone }: Addresses, turn: Turn): Promise<Contact | undefined> {
  const byEmail = email === undefined ? [] : await contactsWithEmail(email, turn)
  const byPhone = phone === undefined ? [] : await contactsWithPhone(phone, turn)
  const known = [...byEmail, ...byPhone]
  if (known.length === 0 || email === undefined || phone === undefined) return theOne(known, turn)
  const withBoth = byEmail.filter((contact) => byPhone.some(({ _id }) => _id === contact._id))
  if (withBoth.length > 0) return theOne(withBoth, turn)
  return contactMatching[turn.assumed.contactMatching](byEmail, byPhone, turn)
}

type Match = (byEmail: Contacts, byPhone: Contacts, turn: Turn) => Contact | undefined

const contactMatching: ByChoice<'contactMatching', Match> = {
  emailThenPhone: (byEmail, byPhone, turn) => theOne(byEmail.length > 0 ? byEmail : byPhone, turn),
  phoneThenEmail: (byEmail, byPhone, turn) => theOne(byPhone.length > 0 ? byPhone : byEmail, turn),
  emailAndPhone: () => undefined,
  refuse: (byEmail, byPhone, turn) => {
    if (byEmail.length > 0 && byPhone.length > 0)
      refuse('email and phone are those of different contacts; send only one')
    return theOne([...byEmail, ...byPhone], turn)
  },
}

function theOne(contacts: Contacts, { assumed }: Turn): Contact | undefined {
  return contacts.length > 1 ? severalMatches[assumed.severalMatches](contacts) : contacts[0]
}

const severalMatches: ByChoice<'severalMatches', (contacts: Contacts) => Contact | undefined> = {
  oldest: (contacts) => contacts[0],
  newest: (contacts) => contacts.at(-1),
  refused: () => refuse('several contacts of this team have this address; change it in all but one'),
}

/** All that have the address, oldest first. */
export async function contactsWithEmail(email: string, turn: Turn): Promise<Contacts> {
  const alike = await turn.team.contacts.find('email', foldedEmail(email))
  return alike.filter((contact) => isSameEmail(contact.email, email, turn))
}

export async function contactsWithPhone(phone: string, turn: Turn): Promise<Contacts> {
  const alike = await turn.team.contacts.find('phone', foldedPhone(phone))
  return alike.filter((contact) => isSamePhone(contact.phone, phone, turn))
}

export function isSameEmail(one: string | undefined, other: string, { assumed }: Turn): boolean {
  if (one === undefined || one === other) return one === other
  return foldedEmail(one) === foldedEmail(other) && addressCompare[assumed.addressCompare]
}

/** Of two that are the same but for upper and lower case. */
const addressCompare: ByChoice<'addressCompare', boolean> = { ignoringCase: true, exact: false }

export function isSamePhone(one: string | undefined, other: string, { assumed }: Turn): boolean {
  if (one === undefined || one === other) return one === other
  return foldedPhone(one) === foldedPhone(other) && phoneCompare[assumed.phoneCompare]
}

/** Of two that have the same digits. */
const phoneCompare: ByChoice<'phoneCompare', boolean> = { exact: false, ignoringPunctuation: true }
