import { withKeptEmail } from '../../mock/rules/contacts/fields-of-a-contact.ts'
import * as newContacts from '../../mock/rules/contacts/new-contact.ts'
import * as resolving from '../../mock/rules/contacts/resolving-a-contact.ts'
import { replaceIn } from './broken-places.ts'

// A conversation and a message may both be for somebody of whom only an address is known.

/** A contact that is made for an address does not get it. */
export const contactWithoutAddress = replaceIn(
  newContacts,
  'contactOf',
  () =>
    ({ email, phone }, turn) =>
      newContacts.newContact({ firstName: email ?? phone ?? '', lastName: '' }, turn),
)

/** Nobody is known by an address. */
export const newContactEachTime = replaceIn(
  resolving,
  'contactAt',
  () => async (sent, turn) => newContacts.contactOf(withKeptEmail(sent, turn), turn),
)
