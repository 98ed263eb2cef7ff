import type { OperationsOf } from '../core/operation.ts'
import { created, done, ok } from '../core/replies.ts'
import { acceptCustomFields } from '../rules/custom-fields.ts'
import { checkContactReferences } from '../rules/contact-references.ts'
import { findContactsToDelete, removeContactData } from '../rules/contacts/contact-deletion.ts'
import { acceptContactFields } from '../rules/contacts/contact-fields.ts'
import { matchContactForUpsert } from '../rules/contacts/contact-matching.ts'
import { checkContactStatusMove, checkUpsertStatus } from '../rules/contacts/contact-status.ts'
import { updateByUpsert } from '../rules/contacts/contact-upsert.ts'
import { showContact } from '../rules/contacts/contact-view.ts'
import { insertContact } from '../rules/contacts/new-contact.ts'
import { checkAddressesAreFree } from '../rules/contacts/taken-addresses.ts'
import { foundForUpdate } from '../rules/found.ts'
import { removeAndRemember, removeRecord } from '../rules/record-deletion.ts'
import { updateRecord } from '../rules/record-update.ts'

export const contacts: OperationsOf<
  'createContact' | 'updateContact' | 'deleteContact' | 'createOrUpdateContact' | 'deleteContactsByEmail'
> = {
  async createContact({ body, turn }) {
    const fields = acceptCustomFields(acceptContactFields(body, turn), turn)
    await checkAddressesAreFree(fields, undefined, turn)
    await checkContactReferences(fields, turn)
    return created('Contact created', showContact(await insertContact(fields, turn), turn))
  },

  async updateContact({ path, body, turn }) {
    const contact = foundForUpdate(await turn.team.contacts.get(path.contactId), path.contactId, turn)
    const fields = acceptCustomFields(acceptContactFields(body, turn), turn)
    checkContactStatusMove(contact, fields, turn)
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
    const fields = acceptCustomFields(acceptContactFields(body, turn), turn)
    checkUpsertStatus(fields, turn)
    const known = await matchContactForUpsert(fields, turn)
    await checkAddressesAreFree(fields, known, turn)
    if (!known) return ok('Contact created', showContact(await insertContact(fields, turn), turn))
    checkContactStatusMove(known, fields, turn)
    return ok('Contact updated', showContact(await updateByUpsert(known, fields, turn), turn))
  },

  async deleteContactsByEmail({ query, turn }) {
    const contacts = await findContactsToDelete(query.email, turn)
    for (const contact of contacts) {
      await removeAndRemember(turn.team.contacts, contact, turn)
      await removeContactData(contact, turn)
    }
    return done(contacts.length === 1 ? '1 contact deleted' : `${contacts.length} contacts deleted`)
  },
}
