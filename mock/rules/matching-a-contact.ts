import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import { refuse } from '../replies.ts'
import { foldedEmail, foldedPhone } from '../store/indexes.ts'
import type { Team } from '../team.ts'

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
export async function matchingContact(
  team: Team,
  { email, phone }: Addresses,
  assumed: Assumed,
): Promise<Contact | undefined> {
  const byEmail = email === undefined ? [] : await contactsWithEmail(team, email, assumed)
  const byPhone = phone === undefined ? [] : await contactsWithPhone(team, phone, assumed)
  const known = [...byEmail, ...byPhone]
  if (known.length === 0 || email === undefined || phone === undefined) return theOne(known, assumed)
  const withBoth = byEmail.filter((contact) => byPhone.some(({ _id }) => _id === contact._id))
  if (withBoth.length > 0) return theOne(withBoth, assumed)
  return contactMatching[assumed.contactMatching](byEmail, byPhone, assumed)
}

type Match = (byEmail: Contacts, byPhone: Contacts, assumed: Assumed) => Contact | undefined

const contactMatching: ByChoice<'contactMatching', Match> = {
  emailThenPhone: (byEmail, byPhone, assumed) => theOne(byEmail.length > 0 ? byEmail : byPhone, assumed),
  phoneThenEmail: (byEmail, byPhone, assumed) => theOne(byPhone.length > 0 ? byPhone : byEmail, assumed),
  emailAndPhone: () => undefined,
  refuse: (byEmail, byPhone, assumed) => {
    if (byEmail.length > 0 && byPhone.length > 0)
      refuse('email and phone are those of different contacts; send only one')
    return theOne([...byEmail, ...byPhone], assumed)
  },
}

function theOne(contacts: Contacts, assumed: Assumed): Contact | undefined {
  return contacts.length > 1 ? severalMatches[assumed.severalMatches](contacts) : contacts[0]
}

const severalMatches: ByChoice<'severalMatches', (contacts: Contacts) => Contact | undefined> = {
  oldest: (contacts) => contacts[0],
  newest: (contacts) => contacts.at(-1),
  refused: () => refuse('several contacts of this team have this address; change it in all but one'),
}

/** All that have the address, oldest first. */
export async function contactsWithEmail(team: Team, email: string, assumed: Assumed): Promise<Contacts> {
  const alike = await team.contacts.find('email', foldedEmail(email))
  return alike.filter((contact) => isSameEmail(contact.email, email, assumed))
}

export async function contactsWithPhone(team: Team, phone: string, assumed: Assumed): Promise<Contacts> {
  const alike = await team.contacts.find('phone', foldedPhone(phone))
  return alike.filter((contact) => isSamePhone(contact.phone, phone, assumed))
}

export function isSameEmail(one: string | undefined, other: string, assumed: Assumed): boolean {
  if (one === undefined || one === other) return one === other
  return foldedEmail(one) === foldedEmail(other) && addressCompare[assumed.addressCompare]
}

/** Of two that are the same but for upper and lower case. */
const addressCompare: ByChoice<'addressCompare', boolean> = { ignoringCase: true, exact: false }

export function isSamePhone(one: string | undefined, other: string, assumed: Assumed): boolean {
  if (one === undefined || one === other) return one === other
  return foldedPhone(one) === foldedPhone(other) && phoneCompare[assumed.phoneCompare]
}

/** Of two that have the same digits. */
const phoneCompare: ByChoice<'phoneCompare', boolean> = { exact: false, ignoringPunctuation: true }
