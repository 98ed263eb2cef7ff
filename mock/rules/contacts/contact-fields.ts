import type { ByChoice } from '../../../spec/assumptions.ts'
import { contactStatuses, isEmailAddress, isPhoneNumber, lifecycleStages } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { type Addresses, findContactsByEmail, findContactsByPhone } from './contact-matching.ts'

/** Checks the fields of a contact and returns them as they are stored. */
export function acceptContactFields<F extends Partial<Schemas['ContactUpsert']>>(fields: F, tx: Transaction): F {
  const { email, phone, lifecycleStage } = fields
  if (email !== undefined && !isEmailAddress(email)) {
    contactEmailForm[tx.assumed.contactEmailForm]()
  }
  if (phone !== undefined && !isPhoneNumber(phone)) {
    contactPhoneForm[tx.assumed.contactPhoneForm]()
  }
  if (lifecycleStage !== undefined && !lifecycleStages.includes(lifecycleStage)) {
    otherLifecycleStage[tx.assumed.otherLifecycleStage]()
  }
  return normalizeEmail(fields, tx)
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
export function normalizeEmail<A extends Addresses>(addresses: A, { assumed }: Transaction): A {
  const { email } = addresses
  if (email === undefined || email === email.toLowerCase()) return addresses
  return { ...addresses, email: emailStored[assumed.emailStored](email) }
}

const emailStored: ByChoice<'emailStored', (email: string) => string> = {
  asSent: (email) => email,
  lowerCase: (email) => email.toLowerCase(),
}

interface WithStatus {
  readonly status?: string
}

/** The specification names three statuses, and does not say which may follow which. */
export function checkContactStatusMove(
  { status: from }: WithStatus,
  { status: to }: WithStatus,
  { assumed }: Transaction,
): void {
  if (from === undefined || to === undefined || from === to) return
  const isBack = contactStatuses.includes(to) && contactStatuses.indexOf(to) < contactStatuses.indexOf(from)
  if (isBack) contactStatusMoves[assumed.contactStatusMoves](from, to)
}

const contactStatusMoves: ByChoice<'contactStatusMoves', (from: string, to: string) => void> = {
  any: () => undefined,
  forwardOnly: (from, to) =>
    refuse(`status cannot go back from ${from} to ${to}`, { assumption: 'contactStatusMoves', field: 'status' }),
}

/** The specification lists the status of an upsert as a string, without the values that other operations have. */
export function checkUpsertStatus({ status }: WithStatus, { assumed }: Transaction): void {
  if (status !== undefined && !contactStatuses.includes(status)) upsertStatus[assumed.upsertStatus]()
}

const upsertStatus: ByChoice<'upsertStatus', () => void> = {
  anyString: () => undefined,
  sameEnum: () =>
    refuse(`status must be one of ${contactStatuses.join(', ')}`, { assumption: 'upsertStatus', field: 'status' }),
}

type Contact = Schemas['Contact']

/** The specification does not say whether two contacts may have the same address. `contact` is undefined when new. */
export async function checkAddressesAreFree(
  { email, phone }: Addresses,
  contact: Contact | undefined,
  tx: Transaction,
): Promise<void> {
  const byEmail = email === undefined || email === contact?.email ? [] : await findContactsByEmail(email, tx)
  const byPhone = phone === undefined || phone === contact?.phone ? [] : await findContactsByPhone(phone, tx)
  const isOther = ({ _id }: Contact) => _id !== contact?._id
  if (byEmail.some(isOther)) sameAddressTwice[tx.assumed.sameAddressTwice]('email')
  if (byPhone.some(isOther)) sameAddressTwice[tx.assumed.sameAddressTwice]('phone')
}

const sameAddressTwice: ByChoice<'sameAddressTwice', (field: keyof Addresses) => void> = {
  accepted: () => undefined,
  refused: (field) =>
    refuse(`${field} is that of another contact of this team; give one that is not taken`, {
      assumption: 'sameAddressTwice',
      field,
    }),
}
