import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import { contactStatuses } from '../../spec/forms.ts'
import { operations } from '../../spec/operations.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Operations } from '../operation.ts'
import { created, done, NotFound, ok, refuse } from '../replies.ts'
import { checkAddressesOfOthers } from '../rules/addresses-of-others.ts'
import { shownContact } from '../rules/contact-shown.ts'
import { deleted } from '../rules/deletion.ts'
import { deleteDataOf } from '../rules/deletion-of-a-contact.ts'
import { checkHasAddress, contactFields } from '../rules/fields-of-a-contact.ts'
import { found } from '../rules/found.ts'
import { contactsWithEmail, matchingContact } from '../rules/matching-a-contact.ts'
import { newContact } from '../rules/new-contact.ts'
import { checkReferences } from '../rules/contact-references.ts'
import { updated } from '../rules/update-of-a-record.ts'
import type { Team } from '../team.ts'

export const contacts: Pick<
  Operations,
  'createContact' | 'updateContact' | 'deleteContact' | 'createOrUpdateContact' | 'deleteContactsByEmail'
> = {
  async createContact({ body, team, assumed }) {
    const fields = contactFields(body, assumed)
    checkHasAddress(fields, assumed)
    await checkAddressesOfOthers(fields, undefined, team, assumed)
    await checkReferences(fields, team, assumed)
    return created('Contact created', shownContact(await newContact(team, fields, assumed), assumed))
  },

  async updateContact({ path, body, team, assumed }) {
    const contact = found(await team.contacts.get(path.contactId), path.contactId, assumed)
    const fields = contactFields(body, assumed)
    checkStatusMove(contact, fields, assumed)
    await checkAddressesOfOthers(fields, contact, team, assumed)
    await checkReferences(fields, team, assumed)
    return ok('Contact updated', shownContact(await updated(team.contacts, contact, fields, assumed), assumed))
  },

  async deleteContact({ path, team, assumed }) {
    const { record: contact, again } = await deleted(team, team.contacts, path.contactId, assumed)
    if (!again) await deleteDataOf(contact, team, assumed)
    return ok('Contact deleted', shownContact(contact, assumed))
  },

  async createOrUpdateContact({ body, team, assumed }) {
    const fields = contactFields(body, assumed)
    checkHasAddress(fields, assumed)
    checkUpsertStatus(fields, assumed)
    const known = await matchingContact(team, fields, assumed)
    await checkAddressesOfOthers(fields, known, team, assumed)
    if (!known) return ok('Contact created', shownContact(await newContact(team, fields, assumed), assumed))
    checkStatusMove(known, fields, assumed)
    return ok('Contact updated', shownContact(await upserted(known, fields, team, assumed), assumed))
  },

  async deleteContactsByEmail({ query, team, assumed }) {
    const matching = await contactsWithEmail(team, query.email, assumed)
    if (matching.length === 0) noContactWithEmail[assumed.noContactWithEmail]()
    for (const contact of matching) {
      await deleted(team, team.contacts, contact._id, assumed)
      await deleteDataOf(contact, team, assumed)
    }
    return done(matching.length === 1 ? '1 contact deleted' : `${matching.length} contacts deleted`)
  },
}

type Contact = Schemas['Contact']
type Upsert = Schemas['ContactUpsert']

function checkStatusMove({ status: from }: Contact, { status: to }: { status?: string }, assumed: Assumed): void {
  if (from === undefined || to === undefined || from === to) return
  const isBack = contactStatuses.includes(to) && contactStatuses.indexOf(to) < contactStatuses.indexOf(from)
  if (isBack) contactStatusMoves[assumed.contactStatusMoves](from, to)
}

const contactStatusMoves: ByChoice<'contactStatusMoves', (from: string, to: string) => void> = {
  any: () => undefined,
  forwardOnly: (from, to) => refuse(`status cannot go back from ${from} to ${to}`),
}

function checkUpsertStatus({ status }: Upsert, assumed: Assumed): void {
  if (status !== undefined && !contactStatuses.includes(status)) upsertStatus[assumed.upsertStatus]()
}

const upsertStatus: ByChoice<'upsertStatus', () => void> = {
  anyString: () => undefined,
  sameEnum: () => refuse(`status must be one of ${contactStatuses.join(', ')}`),
}

/** promise contact.upsertUpdates: what it does to the fields that it could have sent and did not is not documented. */
async function upserted(known: Contact, fields: Upsert, team: Team, assumed: Assumed): Promise<Contact> {
  const listed = operations.createOrUpdateContact.body('application/json')?.listed(fields) ?? new Set()
  const isUnsent = (field: string) => listed.has(field) && !Object.hasOwn(fields, field)
  const before = Object.keys(known).some(isUnsent)
    ? upsertUnsentFields[assumed.upsertUnsentFields](known, isUnsent)
    : known
  return updated(team.contacts, before, fields, assumed)
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
