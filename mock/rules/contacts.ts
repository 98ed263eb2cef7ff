import { contactStatuses, isEmailAddress, isPhoneNumber, lifecycleStages } from '../../spec/forms.ts'
import { type Awaitable, bothOf, andThen } from '../../lib/async.ts'
import { mapSlices } from '../../lib/pause.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Transaction } from '../core/transaction.ts'
import { refuseIf } from './refuse.ts'
import { operations } from '../../spec/operations.ts'
import { merge } from '../../lib/json.ts'
import type { NewRecord } from '../core/team.ts'
import { updateRecord } from './records.ts'
import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { refuse } from '../core/refusals.ts'
import { foldedEmail, foldedPhone } from '../store/indexes.ts'

/** Checks the fields of a contact and returns them as they are stored. */
export function acceptContactFields<F extends Partial<Schemas['ContactUpsert']>>(fields: F, tx: Transaction): F {
  const { email, lifecycleStage: stage } = fields
  const { assumed } = tx
  if (email !== undefined && !isEmailAddress(email)) {
    const sentence = 'email must be an e-mail address, such as ada@example.com'
    refuseIf(assumed, 'contactEmailForm', 'checked', sentence, 'email')
  }
  if (stage !== undefined && !lifecycleStages.includes(stage)) {
    const sentence = `lifecycleStage must be one of ${lifecycleStages.join(', ')}`
    refuseIf(assumed, 'otherLifecycleStage', 'refused', sentence, 'lifecycleStage')
  }
  return normalizeEmail(fields, tx)
}

/** The specification recommends E.164 for the number of a contact, where a resolution requires it. */
export function checkContactPhone({ phone }: Partial<Schemas['ContactUpsert']>, { assumed }: Transaction): void {
  if (phone === undefined || isPhoneNumber(phone)) return
  refuseIf(assumed, 'contactPhoneForm', 'checked', 'phone must be in E.164 form, such as +14155550123', 'phone')
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

/** The specification lists the status of an upsert as a string, without the values that other operations have. */
export function checkUpsertStatus({ status }: WithStatus, { assumed }: Transaction): void {
  if (status === undefined || contactStatuses.includes(status)) return
  refuseIf(assumed, 'upsertStatus', 'sameEnum', `status must be one of ${contactStatuses.join(', ')}`, 'status')
}

type Contact = Schemas['Contact']

/** `contact` is undefined when new. */
export function checkAddressesAreFree(
  { email, phone }: Addresses,
  contact: Contact | undefined,
  tx: Transaction,
): Awaitable<void> {
  const isEmailTaken = email && email !== contact?.email ? isTaken('email', email, contact, tx) : false
  const isPhoneTaken = phone && phone !== contact?.phone ? isTaken('phone', phone, contact, tx) : false
  return andThen(bothOf(isEmailTaken, isPhoneTaken), (taken) => refuseTaken(taken, tx))
}

/** Mostly the first record of the index answers it. Thousands of contacts may have one address. */
function isTaken(
  field: 'email' | 'phone',
  address: string,
  contact: Contact | undefined,
  tx: Transaction,
): Awaitable<boolean> {
  return andThen(tx.team.contacts.first(field, folded[field](address)), (oldest) => {
    if (oldest === undefined) return false
    if (oldest[field] === address && oldest._id !== contact?._id) return true
    return andThen(findContactsBy(field, address, tx), (found) => hasOther(found, contact))
  })
}

const hasOther = (found: Contacts, contact: Contact | undefined) => found.some(({ _id }) => _id !== contact?._id)

/** The specification does not say whether two contacts may have the same address. */
function refuseTaken(taken: readonly [email: boolean, phone: boolean], { assumed }: Transaction): void {
  for (const [at, field] of (['email', 'phone'] as const).entries()) {
    const sentence = `${field} is that of another contact of this team; give one that is not taken`
    if (taken[at]) refuseIf(assumed, 'sameAddressTwice', 'refused', sentence, field)
  }
}

/** The specification does not say which status and lifecycle stage a contact has that was created without them. */
export function insertContact(fields: NewRecord<'contacts'>, tx: Transaction): Awaitable<Contact> {
  return tx.team.contacts.insert(withDefaults(fields, tx))
}

function withDefaults(fields: NewRecord<'contacts'>, { assumed }: Transaction): NewRecord<'contacts'> {
  const isOpen = fields.status === undefined && assumed.newContactStatus === 'open'
  const isLead = fields.lifecycleStage === undefined && assumed.newContactLifecycle === 'lead'
  return isOpen || isLead ? merge(fields, isOpen ? { status: 'open' } : {}, isLead ? leadStage : {}) : fields
}

/** promise conversation.newContactIsALead: a contact created with a conversation is at the stage Lead by default. */
export const leadStage = { lifecycleStage: 'Lead' }

/** For a contact of which only the address is known. */
export function insertContactWithAddress(addresses: Addresses, tx: Transaction): Awaitable<Contact> {
  return insertContact(nameByAddress(addresses, tx), tx)
}

/** For a response before `insertContactWithAddress`. */
export function relyOnNewContact({ assumed }: Transaction): void {
  assumed.relyOn('nameOfNewContact')
  assumed.relyOn('newContactStatus')
  assumed.relyOn('newContactLifecycle')
}

function nameByAddress(addresses: Addresses, { assumed }: Transaction): NewRecord<'contacts'> {
  const address = addresses.email ?? addresses.phone
  const isNamed = address !== undefined && assumed.nameOfNewContact === 'addressAsFirstName'
  return { firstName: isNamed ? address : '', lastName: '', ...addresses }
}

/**
 * promise contact.upsertUpdates: an upsert with the e-mail and the phone of a known contact changes that contact. The
 * specification does not say what it does to the fields that it could have sent and did not.
 */
export async function updateByUpsert(
  known: Contact,
  fields: Schemas['ContactUpsert'],
  tx: Transaction,
): Promise<Contact> {
  const listed = operations.createOrUpdateContact.body('application/json')?.listed(fields) ?? new Set()
  const isUnsent = (field: string) => listed.has(field) && !Object.hasOwn(fields, field)
  const isCleared = Object.keys(known).some(isUnsent) && tx.assumed.upsertUnsentFields === 'cleared'
  // `updateRecord` removes a field that is undefined.
  const cleared = isCleared
    ? Object.fromEntries(Object.keys(known).flatMap((field) => (isUnsent(field) ? [[field, undefined]] : [])))
    : {}
  return updateRecord(tx.team.contacts, known, merge(cleared, fields), tx)
}

/**
 * promise contact.answersWithTheContact: an answer about a contact shows its id, names, team and times. The specification
 * does not say what `groupIds` and `additionalFields` show when they were not given.
 */
export function showContact(contact: Contact, { assumed }: Transaction): Contact {
  if (contact.groupIds && contact.additionalFields) return contact
  // `_id` stays the first field of the answer.
  const notGiven = assumed.fieldsNotGiven === 'empty' ? { groupIds: [], additionalFields: {} } : {}
  return merge({ _id: contact._id, ...notGiven }, contact)
}

type Contacts = readonly Contact[]

export interface Addresses {
  readonly email?: string
  readonly phone?: string
}

/**
 * promise conversation.emailFindsTheContact, conversation.phoneFindsTheContact: a contact matches when its e-mail address
 * or its phone number does. The specification does not say which contact to use when two match.
 */
export async function matchContact(addresses: Addresses, tx: Transaction): Promise<Contact | undefined> {
  const matches = await findMatches(addresses, tx)
  return matches.byAll.length > 0 ? pickOne(matches.byAll, tx) : pickPartial(matches, tx)
}

/** The contact that an upsert changes. Its other address must be free. */
export async function matchContactForUpsert(addresses: Addresses, tx: Transaction): Promise<Contact | undefined> {
  const matches = await findMatches(addresses, tx)
  const contact = await pickForUpsert(addresses, matches, tx)
  const isEmailTaken = addresses.email !== contact?.email && hasOther(matches.byEmail, contact)
  const isPhoneTaken = addresses.phone !== contact?.phone && hasOther(matches.byPhone, contact)
  refuseTaken([isEmailTaken, isPhoneTaken], tx)
  return contact
}

/**
 * promise contact.upsertUpdates: an upsert with the e-mail and the phone of a known contact changes that contact. The
 * specification does not say whether one of the two suffices.
 */
async function pickForUpsert(sent: Addresses, matches: Matches, tx: Transaction): Promise<Contact | undefined> {
  const { byAll, byEmail, byPhone } = matches
  if (byEmail.length + byPhone.length === 0) return undefined
  const withoutOther = await mapSlices(byAll, (slice) => slice.filter((contact) => hasNoOther(contact, sent)))
  const matchesWhole = withoutOther.length > 0 && withoutOther.length === byAll.length
  if (matchesWhole || tx.assumed.upsertMatching === 'both') return pickOne(withoutOther, tx)
  return byAll.length > 0 ? pickOne(byAll, tx) : pickPartial(matches, tx)
}

/** Whether the contact has no address of a kind that was not sent. */
const hasNoOther = (contact: Contact, sent: Addresses) =>
  (!contact.email || Boolean(sent.email)) && (!contact.phone || Boolean(sent.phone))

interface Matches {
  readonly byEmail: Contacts
  readonly byPhone: Contacts
  /** The contacts with every address that was sent. */
  readonly byAll: Contacts
}

/** An empty text is no address. */
async function findMatches(sent: Addresses, tx: Transaction): Promise<Matches> {
  const [email, phone] = [sent.email, sent.phone].map((address) => (address === '' ? undefined : address))
  const [byEmail, byPhone] = await bothOf(
    email === undefined ? [] : findContactsBy('email', email, tx),
    phone === undefined ? [] : findContactsBy('phone', phone, tx),
  )
  if (email === undefined) return { byEmail, byPhone, byAll: byPhone }
  if (phone === undefined) return { byEmail, byPhone, byAll: byEmail }
  const ids = new Set(await mapSlices(byPhone, (slice) => slice.map(({ _id }) => _id)))
  return { byEmail, byPhone, byAll: await mapSlices(byEmail, (slice) => slice.filter(({ _id }) => ids.has(_id))) }
}

function pickPartial({ byEmail, byPhone }: Matches, tx: Transaction): Contact | undefined {
  if (byEmail.length === 0 || byPhone.length === 0) return pickOne([...byEmail, ...byPhone], tx)
  return pickOne(contactMatching[tx.assumed.contactMatching](byEmail, byPhone), tx)
}

const contactMatching: ByChoice<'contactMatching', (byEmail: Contacts, byPhone: Contacts) => Contacts> = {
  emailThenPhone: (byEmail) => byEmail,
  phoneThenEmail: (_byEmail, byPhone) => byPhone,
  refuse: () =>
    refuse('email and phone are those of different contacts; send only one', {
      assumption: 'contactMatching',
      field: 'email',
    }),
}

function pickOne(contacts: Contacts, { assumed }: Transaction): Contact | undefined {
  return contacts.length > 1 ? severalMatches[assumed.severalMatches](contacts) : contacts[0]
}

const severalMatches: ByChoice<'severalMatches', (contacts: Contacts) => Contact | undefined> = {
  oldest: (contacts) => contacts[0],
  newest: (contacts) => contacts.at(-1),
  refused: () =>
    refuse('several contacts of this team have this address; change it in all but one', {
      assumption: 'severalMatches',
    }),
}

/** Oldest first. */
export const findContactsByEmail = (email: string, tx: Transaction) => findContactsBy('email', email, tx)

function findContactsBy(field: 'email' | 'phone', address: string, tx: Transaction): Awaitable<Contacts> {
  return andThen(tx.team.contacts.find(field, folded[field](address)), (candidates) =>
    mapSlices(candidates, (slice) => slice.filter((contact) => isSame[field](contact[field], address, tx))),
  )
}

const folded = { email: foldedEmail, phone: foldedPhone }

export function isSameEmail(one: string | undefined, other: string, { assumed }: Transaction): boolean {
  if (one === undefined || one === other) return one === other
  return foldedEmail(one) === foldedEmail(other) && comparesIgnoringCase(assumed)
}

/** Whether two addresses are the same that differ in upper and lower case only. */
export const comparesIgnoringCase = (assumed: Assumed) => assumed.addressCompare === 'ignoringCase'

export function isSamePhone(one: string | undefined, other: string, { assumed }: Transaction): boolean {
  if (one === undefined || one === other) return one === other
  // Two such numbers have the same digits but different punctuation.
  return foldedPhone(one) === foldedPhone(other) && assumed.phoneCompare === 'ignoringPunctuation'
}

const isSame = { email: isSameEmail, phone: isSamePhone }
