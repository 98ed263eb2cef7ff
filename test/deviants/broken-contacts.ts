import { normalizeEmail } from '../../mock/rules/contacts/contact-fields.ts'
import * as newContacts from '../../mock/rules/contacts/new-contact.ts'
import * as resolving from '../../mock/rules/contacts/contact-resolution.ts'
import { replaceIn } from './broken-places.ts'

// A conversation and a message may both be for somebody of whom only an address is known.

/** A contact that is made for an address does not get it. */
export const contactWithoutAddress = replaceIn(
  newContacts,
  'insertContactWithAddress',
  () =>
    ({ email, phone }, turn) =>
      newContacts.insertContact({ firstName: email ?? phone ?? '', lastName: '' }, turn),
)

/** Nobody is known by an address. */
export const newContactEachTime = replaceIn(
  resolving,
  'resolveContact',
  () => async (sent, turn) => newContacts.insertContactWithAddress(normalizeEmail(sent, turn), turn),
)
