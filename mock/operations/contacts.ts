import type { ByChoice } from '../../spec/assumptions.ts'
import { contactStatuses } from '../../spec/forms.ts'
import { operations } from '../../spec/operations.ts'
import type { Schemas } from '../../spec/types.ts'
import type { OperationsOf } from '../core/operation.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import { created, done, ok } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { checkReferences } from '../rules/contact-references.ts'
import { checkAddressesOfOthers } from '../rules/contacts/taken-addresses.ts'
import { shownContact } from '../rules/contacts/contact-view.ts'
import { deleteDataOf } from '../rules/contacts/contact-deletion.ts'
import { checkHasAddress, contactFields } from '../rules/contacts/contact-fields.ts'
import { contactsWithEmail, matchingContact } from '../rules/contacts/contact-matching.ts'
import { newContact } from '../rules/contacts/new-contact.ts'
import { deleted } from '../rules/record-deletion.ts'
import { found } from '../rules/found.ts'
import { updated } from '../rules/record-update.ts'

export const contacts: OperationsOf<
  'createContact' | 'updateContact' | 'deleteContact' | 'createOrUpdateContact' | 'deleteContactsByEmail'
> = {
  async createContact({ body, turn }) {
    const fields = contactFields(body, turn)
    checkHasAddress(fields, turn)
    await checkAddressesOfOthers(fields, undefined, turn)
    await checkReferences(fields, turn)
    return created('Contact created', shownContact(await newContact(fields, turn), turn))
  },

  async updateContact({ path, body, turn }) {
    const contact = found(await turn.team.contacts.get(path.contactId), path.contactId, turn)
    const fields = contactFields(body, turn)
    checkStatusMove(contact, fields, turn)
    await checkAddressesOfOthers(fields, contact, turn)
    await checkReferences(fields, turn)
    return ok('Contact updated', shownContact(await updated(turn.team.contacts, contact, fields, turn), turn))
  },

  async deleteContact({ path, turn }) {
    const { record: contact, again } = await deleted(turn.team.contacts, path.contactId, turn)
    if (!again) await deleteDataOf(contact, turn)
    return ok('Contact deleted', shownContact(contact, turn))
  },

  async createOrUpdateContact({ body, turn }) {
    const fields = contactFields(body, turn)
    checkHasAddress(fields, turn)
    checkUpsertStatus(fields, turn)
    const known = await matchingContact(fields, turn)
    await checkAddressesOfOthers(fields, known, turn)
    if (!known) return ok('Contact created', shownContact(await newContact(fields, turn), turn))
    checkStatusMove(known, fields, turn)
    return ok('Contact updated', shownContact(await upserted(known, fields, turn), turn))
  },

  async deleteContactsByEmail({ query, turn }) {
    const matching = await contactsWithEmail(query.email, turn)
    if (matching.length === 0) noContactWithEmail[turn.assumed.noContactWithEmail]()
    for (const contact of matching) {
      await deleted(turn.team.contacts, contact._id, turn)
      await deleteDataOf(contact, turn)
    }
    return done(matching.length === 1 ? '1 contact deleted' : `${matching.length} contacts deleted`)
  },
}

type Contact = Schemas['Contact']
type Upsert = Schemas['ContactUpsert']

function checkStatusMove({ status: from }: Contact, { status: to }: { status?: string }, { assumed }: Turn): void {
  if (from === undefined || to === undefined || from === to) return
  const isBack = contactStatuses.includes(to) && contactStatuses.indexOf(to) < contactStatuses.indexOf(from)
  if (isBack) contactStatusMoves[assumed.contactStatusMoves](from, to)
}

const contactStatusMoves: ByChoice<'contactStatusMoves', (from: string, to: string) => void> = {
  any: () => undefined,
  forwardOnly: (from, to) => refuse(`status cannot go back from ${from} to ${to}`),
}

function checkUpsertStatus({ status }: Upsert, { assumed }: Turn): void {
  if (status !== undefined && !contactStatuses.includes(status)) upsertStatus[assumed.upsertStatus]()
}

const upsertStatus: ByChoice<'upsertStatus', () => void> = {
  anyString: () => undefined,
  sameEnum: () => refuse(`status must be one of ${contactStatuses.join(', ')}`),
}

/** promise contact.upsertUpdates: what it does to the fields that it could have sent and did not is not documented. */
async function upserted(known: Contact, fields: Upsert, turn: Turn): Promise<Contact> {
  const listed = operations.createOrUpdateContact.body('application/json')?.listed(fields) ?? new Set()
  const isUnsent = (field: string) => listed.has(field) && !Object.hasOwn(fields, field)
  const before = Object.keys(known).some(isUnsent)
    ? upsertUnsentFields[turn.assumed.upsertUnsentFields](known, isUnsent)
    : known
  return updated(turn.team.contacts, before, fields, turn)
}

type Clear = (known: Contact, isUnsent: (field: string) => boolean) => Contact

const upsertUnsentFields: ByChoice<'upsertUnsentFields', Clear> = {
  kept: (known) => known,
  // The names are always sent, so that a contact is left.
  cleared: (known, isUnsent) =>
    Object.fromEntries(Object.entries(known).filter(([field]) => !isUnsent(field))) as Contact,
}

const noContactWithEmail: ByChoice<'noContactWithEmail', () => void> = {
  countsZero: () => undefined,
  notFound: () => {
    throw new NotFound()
  },
}
