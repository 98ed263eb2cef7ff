import type { ByChoice } from '../../../spec/assumptions.ts'
import { isEmailAddress, isPhoneNumber, lifecycleStages } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import type { Addresses } from './contact-matching.ts'

/** Checks the fields of a contact and returns them as they are stored. */
export function acceptContactFields<F extends Partial<Schemas['ContactUpsert']>>(fields: F, turn: Turn): F {
  const { email, phone, lifecycleStage } = fields
  if (email !== undefined && !isEmailAddress(email)) {
    contactEmailForm[turn.assumed.contactEmailForm]()
  }
  if (phone !== undefined && !isPhoneNumber(phone)) {
    contactPhoneForm[turn.assumed.contactPhoneForm]()
  }
  if (lifecycleStage !== undefined && !lifecycleStages.includes(lifecycleStage)) {
    otherLifecycleStage[turn.assumed.otherLifecycleStage]()
  }
  return normalizeEmail(fields, turn)
}

const contactEmailForm: ByChoice<'contactEmailForm', () => void> = {
  checked: () =>
    refuse('email must be an e-mail address, such as ada@example.com', {
      assumption: 'contactEmailForm',
      field: 'email',
    }),
  anyString: () => undefined,
}

const contactPhoneForm: ByChoice<'contactPhoneForm', () => void> = {
  anyString: () => undefined,
  checked: () =>
    refuse('phone must be in E.164 form, such as +14155550123', { assumption: 'contactPhoneForm', field: 'phone' }),
}

const otherLifecycleStage: ByChoice<'otherLifecycleStage', () => void> = {
  accepted: () => undefined,
  refused: () =>
    refuse(`lifecycleStage must be one of ${lifecycleStages.join(', ')}`, {
      assumption: 'otherLifecycleStage',
      field: 'lifecycleStage',
    }),
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
