import type { ByChoice } from '../../spec/assumptions.ts'
import { contactStatuses } from '../../spec/forms.ts'
import { operations } from '../../spec/operations.ts'
import type { Schemas } from '../../spec/types.ts'
import type { OperationsOf } from '../core/operation.ts'
import { NotFound, refuse } from '../core/refusals.ts'
import { created, done, ok } from '../core/replies.ts'
import type { Turn } from '../core/turn.ts'
import { checkContactReferences } from '../rules/contact-references.ts'
import { removeContactData } from '../rules/contacts/contact-deletion.ts'
import { acceptContactFields, checkHasAddress } from '../rules/contacts/contact-fields.ts'
import { findContactsByEmail, matchContact } from '../rules/contacts/contact-matching.ts'
import { showContact } from '../rules/contacts/contact-view.ts'
import { insertContact } from '../rules/contacts/new-contact.ts'
import { checkAddressesAreFree } from '../rules/contacts/taken-addresses.ts'
import { found } from '../rules/found.ts'
import { removeAndRemember, removeRecord } from '../rules/record-deletion.ts'
import { updateRecord } from '../rules/record-update.ts'

export const contacts: OperationsOf<
  'createContact' | 'updateContact' | 'deleteContact' | 'createOrUpdateContact' | 'deleteContactsByEmail'
> = {
  async createContact({ body, turn }) {
    const fields = acceptContactFields(body, turn)
    checkHasAddress(fields, turn)
    await checkAddressesAreFree(fields, undefined, turn)
    await checkContactReferences(fields, turn)
    return created('Contact created', showContact(await insertContact(fields, turn), turn))
  },

  async updateContact({ path, body, turn }) {
    const contact = found(await turn.team.contacts.get(path.contactId), path.contactId, turn)
    const fields = acceptContactFields(body, turn)
    checkStatusMove(contact, fields, turn)
    await checkAddressesAreFree(fields, contact, turn)
    await checkContactReferences(fields, turn)
    const updated = await updateRecord(turn.team.contacts, contact, fields, turn)
    return ok('Contact updated', showContact(updated, turn))
  },

  async deleteContact({ path, turn }) {
    const { record: contact, isRepeat } = await removeRecord(turn.team.contacts, path.contactId, turn)
    if (!isRepeat) await removeContactData(contact, turn)
    return ok('Contact deleted', showContact(contact, turn))
  },

  async createOrUpdateContact({ body, turn }) {
    const fields = acceptContactFields(body, turn)
    checkHasAddress(fields, turn)
    checkUpsertStatus(fields, turn)
    const known = await matchContact(fields, turn)
    await checkAddressesAreFree(fields, known, turn)
    if (!known) return ok('Contact created', showContact(await insertContact(fields, turn), turn))
    checkStatusMove(known, fields, turn)
    return ok('Contact updated', showContact(await upsertContact(known, fields, turn), turn))
  },

  async deleteContactsByEmail({ query, turn }) {
    const matching = await findContactsByEmail(query.email, turn)
    if (matching.length === 0) noContactWithEmail[turn.assumed.noContactWithEmail]()
    for (const contact of matching) {
      await removeAndRemember(turn.team.contacts, contact, turn)
      await removeContactData(contact, turn)
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

/**
 * promise contact.upsertUpdates: an upsert changes the contact that it matches. The specification does not say what it
 * does to the fields that it could have sent and did not.
 */
async function upsertContact(known: Contact, fields: Upsert, turn: Turn): Promise<Contact> {
  const listed = operations.createOrUpdateContact.body('application/json')?.listed(fields) ?? new Set()
  const isUnsent = (field: string) => listed.has(field) && !Object.hasOwn(fields, field)
  const contact = Object.keys(known).some(isUnsent)
    ? upsertUnsentFields[turn.assumed.upsertUnsentFields](known, isUnsent)
    : known
  return updateRecord(turn.team.contacts, contact, fields, turn)
}

type ClearUnsent = (known: Contact, isUnsent: (field: string) => boolean) => Contact

const upsertUnsentFields: ByChoice<'upsertUnsentFields', ClearUnsent> = {
  kept: (known) => known,
  // What remains is a contact: an upsert always sends the names, which are required.
  cleared: (known, isUnsent) =>
    Object.fromEntries(Object.entries(known).filter(([field]) => !isUnsent(field))) as Contact,
}

const noContactWithEmail: ByChoice<'noContactWithEmail', () => void> = {
  countsZero: () => undefined,
  notFound: () => {
    throw new NotFound()
  },
}
