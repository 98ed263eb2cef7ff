import { contactStatuses, isEmailAddress, isPhoneNumber, lifecycleStages } from '../../../spec/forms.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Transaction } from '../../core/transaction.ts'
import { refuseIf } from '../refuse-if.ts'
import { type Addresses, findContactsByEmail, findContactsByPhone } from './contact-matching.ts'

/** Checks the fields of a contact and returns them as they are stored. */
export function acceptContactFields<F extends Partial<Schemas['ContactUpsert']>>(fields: F, tx: Transaction): F {
  const { email, phone, lifecycleStage: stage } = fields
  const { assumed } = tx
  if (email !== undefined && !isEmailAddress(email)) {
    const sentence = 'email must be an e-mail address, such as ada@example.com'
    refuseIf(assumed, 'contactEmailForm', 'checked', sentence, 'email')
  }
  if (phone !== undefined && !isPhoneNumber(phone))
    refuseIf(assumed, 'contactPhoneForm', 'checked', 'phone must be in E.164 form, such as +14155550123', 'phone')
  if (stage !== undefined && !lifecycleStages.includes(stage)) {
    const sentence = `lifecycleStage must be one of ${lifecycleStages.join(', ')}`
    refuseIf(assumed, 'otherLifecycleStage', 'refused', sentence, 'lifecycleStage')
  }
  return normalizeEmail(fields, tx)
}

/** The specification does not say whether an e-mail address keeps its capitals. */
export function normalizeEmail<A extends Addresses>(addresses: A, { assumed }: Transaction): A {
  const { email } = addresses
  if (email === undefined || email === email.toLowerCase() || assumed.emailStored === 'asSent') return addresses
  return { ...addresses, email: email.toLowerCase() }
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
  if (isBack)
    refuseIf(assumed, 'contactStatusMoves', 'forwardOnly', `status cannot go back from ${from} to ${to}`, 'status')
}

/** The specification lists the status of an upsert as a string, without the values that other operations have. */
export function checkUpsertStatus({ status }: WithStatus, { assumed }: Transaction): void {
  if (status === undefined || contactStatuses.includes(status)) return
  refuseIf(assumed, 'upsertStatus', 'sameEnum', `status must be one of ${contactStatuses.join(', ')}`, 'status')
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
  for (const [field, contacts] of Object.entries({ email: byEmail, phone: byPhone })) {
    const sentence = `${field} is that of another contact of this team; give one that is not taken`
    if (contacts.some(isOther)) refuseIf(tx.assumed, 'sameAddressTwice', 'refused', sentence, field)
  }
}
