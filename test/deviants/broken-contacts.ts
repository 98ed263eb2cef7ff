import { normalizeEmail } from '../../mock/rules/contacts/contact-fields.ts'
import * as newContacts from '../../mock/rules/contacts/new-contact.ts'
import * as resolving from '../../mock/rules/contacts/contact-resolution.ts'
import { replaceIn } from './broken-places.ts'

// Operations on conversations and sends resolve the contact of an address by the same rules.

/** A contact that is created for an address does not get the address. */
export const contactWithoutAddress = replaceIn(
  newContacts,
  'insertContactWithAddress',
  () =>
    ({ email, phone }, turn) =>
      newContacts.insertContact({ firstName: email ?? phone ?? '', lastName: '' }, turn),
)

/** No contact is found by its address; each time a new one is created. */
export const newContactEachTime = replaceIn(
  resolving,
  'resolveContact',
  () => async (sent, turn) => newContacts.insertContactWithAddress(normalizeEmail(sent, turn), turn),
)
