import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { type Addresses, findContactsByEmail, findContactsByPhone } from './contact-matching.ts'

type Contact = Schemas['Contact']

/** The specification does not say whether two contacts may have the same address. `contact` is undefined when new. */
export async function checkAddressesAreFree(
  { email, phone }: Addresses,
  contact: Contact | undefined,
  turn: Turn,
): Promise<void> {
  const byEmail = email === undefined || email === contact?.email ? [] : await findContactsByEmail(email, turn)
  const byPhone = phone === undefined || phone === contact?.phone ? [] : await findContactsByPhone(phone, turn)
  const isOther = ({ _id }: Contact) => _id !== contact?._id
  if (byEmail.some(isOther)) sameAddressTwice[turn.assumed.sameAddressTwice]('email')
  if (byPhone.some(isOther)) sameAddressTwice[turn.assumed.sameAddressTwice]('phone')
}

const sameAddressTwice: ByChoice<'sameAddressTwice', (field: keyof Addresses) => void> = {
  accepted: () => undefined,
  refused: (field) =>
    refuse(`${field} is that of another contact of this team; give one that is not taken`, {
      assumption: 'sameAddressTwice',
      field,
    }),
}
