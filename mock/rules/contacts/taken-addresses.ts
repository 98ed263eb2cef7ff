import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { type Addresses, contactsWithEmail, contactsWithPhone } from './contact-matching.ts'

type Contact = Schemas['Contact']

/** A contact is given an address that another one has: whether it may be is not documented. */
export async function checkAddressesOfOthers(
  given: Addresses,
  contact: Contact | undefined,
  turn: Turn,
): Promise<void> {
  const { email, phone } = given
  const withEmail = email === undefined || email === contact?.email ? [] : await contactsWithEmail(email, turn)
  const withPhone = phone === undefined || phone === contact?.phone ? [] : await contactsWithPhone(phone, turn)
  const isOther = ({ _id }: Contact) => _id !== contact?._id
  if (withEmail.some(isOther)) sameAddressTwice[turn.assumed.sameAddressTwice]('email')
  if (withPhone.some(isOther)) sameAddressTwice[turn.assumed.sameAddressTwice]('phone')
}

const sameAddressTwice: ByChoice<'sameAddressTwice', (field: keyof Addresses) => void> = {
  accepted: () => undefined,
  refused: (field) => refuse(`${field} is that of another contact of this team; give one that is not taken`),
}
