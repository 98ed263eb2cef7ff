import { ok, done, type OperationsOf } from '../core/operation.ts'
import {
  findContactsToDelete,
  readContactData,
  removeContactData,
  removeContacts,
  removeRecord,
} from '../rules/deletion.ts'
import {
  acceptContactFields,
  checkContactPhone,
  checkAddressesAreFree,
  checkUpsertStatus,
  matchContactForUpsert,
  insertContact,
  showContact,
  updateByUpsert,
} from '../rules/contacts.ts'
import { foundForUpdate, refuseUnknownId } from '../rules/refuse.ts'
import { acceptCustomFields, checkContactReferences, checkStatusMove } from '../rules/record-fields.ts'
import { updateRecord } from '../rules/records.ts'

export const contacts: OperationsOf<
  'createContact' | 'updateContact' | 'deleteContact' | 'createOrUpdateContact' | 'deleteContactsByEmail'
> = {
  async createContact({ body, tx }) {
    checkContactPhone(body, tx)
    const fields = acceptCustomFields(acceptContactFields(body, tx), tx)
    await checkAddressesAreFree(fields, undefined, tx)
    await checkContactReferences(fields, tx)
    return ok('Contact created', showContact(await insertContact(fields, tx), tx))
  },

  async updateContact({ path, body, tx }) {
    const contact = foundForUpdate(await tx.team.contacts.get(path.contactId), path.contactId, tx)
    checkContactPhone(body, tx)
    const fields = acceptCustomFields(acceptContactFields(body, tx), tx)
    checkStatusMove(contact, fields, tx)
    await checkAddressesAreFree(fields, contact, tx)
    await checkContactReferences(fields, tx)
    const updated = await updateRecord(tx.team.contacts, contact, fields, tx)
    return ok('Contact updated', showContact(updated, tx))
  },

  async deleteContact({ path, tx }) {
    await readContactData([path.contactId], tx)
    const { record: contact, isRepeat } = await removeRecord(tx.team.contacts, path.contactId, tx)
    if (!isRepeat) await removeContactData([contact], tx)
    if (!contact) return refuseUnknownId(path.contactId, { assumption: 'deleteAgain' }, tx)
    return ok('Contact deleted', showContact(contact, tx))
  },

  async createOrUpdateContact({ body, tx }) {
    checkContactPhone(body, tx)
    const fields = acceptCustomFields(acceptContactFields(body, tx), tx)
    checkUpsertStatus(fields, tx)
    const known = await matchContactForUpsert(fields, tx)
    if (!known) return ok('Contact created', showContact(await insertContact(fields, tx), tx))
    checkStatusMove(known, fields, tx)
    return ok('Contact updated', showContact(await updateByUpsert(known, fields, tx), tx))
  },

  async deleteContactsByEmail({ query, tx }) {
    const contacts = await findContactsToDelete(query.email, tx)
    await removeContacts(contacts, tx)
    return done(contacts.length === 1 ? '1 contact deleted' : `${contacts.length} contacts deleted`)
  },
}
