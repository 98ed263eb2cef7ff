import type { ByChoice } from '../../../spec/assumptions.ts'
import { isEmailAddress, isPhoneNumber, lifecycleStages } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import type { Addresses } from './contact-matching.ts'

/** The fields of a contact as they are kept, once they pass for what is not documented of them. */
export function contactFields<Fields extends Schemas['ContactFields']>(fields: Fields, turn: Turn): Fields {
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
  return withKeptEmail(fields, turn)
}

const contactAddressForm: ByChoice<'contactAddressForm', (sentence: string) => void> = {
  checked: refuse,
  anyString: () => undefined,
}

const otherLifecycleStage: ByChoice<'otherLifecycleStage', () => void> = {
  accepted: () => undefined,
  refused: () => refuse(`lifecycleStage must be one of ${lifecycleStages.join(', ')}`),
}

/** The same with its e-mail address as it is kept: what becomes of capitals is not documented. */
export function withKeptEmail<Fields extends Addresses>(fields: Fields, { assumed }: Turn): Fields {
  const { email } = fields
  if (email === undefined || email === email.toLowerCase()) return fields
  return { ...fields, email: emailStored[assumed.emailStored](email) }
}

const emailStored: ByChoice<'emailStored', (email: string) => string> = {
  asSent: (email) => email,
  lowerCase: (email) => email.toLowerCase(),
}

/** A contact is created with neither address: whether it may be is not documented. */
export function checkHasAddress({ email, phone }: Addresses, { assumed }: Turn): void {
  if (email === undefined && phone === undefined) contactWithoutAddress[assumed.contactWithoutAddress]()
}

const contactWithoutAddress: ByChoice<'contactWithoutAddress', () => void> = {
  accepted: () => undefined,
  refused: () => refuse('email or phone is required'),
}
