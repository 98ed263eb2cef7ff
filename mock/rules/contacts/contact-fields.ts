import type { ByChoice } from '../../../spec/assumptions.ts'
import { isEmailAddress, isPhoneNumber, lifecycleStages } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import type { Addresses } from './contact-matching.ts'

/** Checks the fields of a contact and returns them as they are stored. */
export function acceptContactFields<F extends Schemas['ContactFields']>(fields: F, turn: Turn): F {
  const { email, phone, lifecycleStage } = fields
  if (email !== undefined && !isEmailAddress(email)) {
    contactAddressForm[turn.assumed.contactAddressForm]('email must be an e-mail address, such as ada@example.com')
  }
  if (phone !== undefined && !isPhoneNumber(phone)) {
    contactAddressForm[turn.assumed.contactAddressForm]('phone must be in E.164 form, such as +14155550123')
  }
  if (lifecycleStage !== undefined && !lifecycleStages.includes(lifecycleStage)) {
    otherLifecycleStage[turn.assumed.otherLifecycleStage]()
  }
  return normalizeEmail(fields, turn)
}

const contactAddressForm: ByChoice<'contactAddressForm', (sentence: string) => void> = {
  checked: refuse,
  anyString: () => undefined,
}

const otherLifecycleStage: ByChoice<'otherLifecycleStage', () => void> = {
  accepted: () => undefined,
  refused: () => refuse(`lifecycleStage must be one of ${lifecycleStages.join(', ')}`),
}

/** The specification does not say whether an e-mail address keeps its capitals. */
export function normalizeEmail<A extends Addresses>(addresses: A, { assumed }: Turn): A {
  const { email } = addresses
  if (email === undefined || email === email.toLowerCase()) return addresses
  return { ...addresses, email: emailStored[assumed.emailStored](email) }
}

const emailStored: ByChoice<'emailStored', (email: string) => string> = {
  asSent: (email) => email,
  lowerCase: (email) => email.toLowerCase(),
}

/** The specification does not say whether a contact may have neither e-mail address nor phone number. */
export function checkHasAddress({ email, phone }: Addresses, { assumed }: Turn): void {
  if (email === undefined && phone === undefined) contactWithoutAddress[assumed.contactWithoutAddress]()
}

const contactWithoutAddress: ByChoice<'contactWithoutAddress', () => void> = {
  accepted: () => undefined,
  refused: () => refuse('email or phone is required'),
}
