import type { Schemas } from '../../../spec/types.ts'
import { NotFound } from '../../core/refusals.ts'
import type { Transaction } from '../../core/transaction.ts'
import { removeQuotesOf } from '../deals/deal-deletion.ts'
import { removeAndRemember } from '../record-deletion.ts'
import { clearContactReferences } from '../references.ts'
import { findContactsByEmail } from './contact-matching.ts'

type Contact = Schemas['Contact']

/**
 * promise contact.deleteTakesTheConversation, contact.deleteTakesTheMessages: the conversation and the messages of a
 * deleted contact are gone. The specification does not say what else is deleted with it.
 */
export async function removeContactData(contact: Contact, tx: Transaction): Promise<void> {
  const { conversations, messages, deals: allDeals } = tx.team
  for (const conversation of await conversations.find('contactId', contact._id)) {
    await messages.removeWhere('conversation', conversation._id)
  }
  await conversations.removeWhere('contactId', contact._id)
  const deals = await allDeals.find('contact', contact._id)
  if (deals.length > 0 && tx.assumed.deletedWithContact === 'alsoDealsAndQuotes') {
    for (const deal of deals) {
      await removeQuotesOf(deal, tx)
      await removeAndRemember(allDeals, deal, tx)
    }
  }
  await clearContactReferences(contact._id, tx)
}

/** promise contact.deleteByEmailTakesAll: deleting by e-mail deletes every contact that has the address. */
export async function findContactsToDelete(email: string, tx: Transaction): Promise<readonly Contact[]> {
  const contacts = await findContactsByEmail(email, tx)
  if (contacts.length === 0 && tx.assumed.noContactWithEmail === 'notFound')
    throw new NotFound({ assumption: 'noContactWithEmail', field: 'email' })
  return contacts
}
