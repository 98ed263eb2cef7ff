import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { NotFound } from '../../core/refusals.ts'
import type { Turn } from '../../core/turn.ts'
import { removeQuotesOf } from '../deals/deal-deletion.ts'
import { removeUnusedText } from '../messages/bulk-texts.ts'
import { removeAndRemember } from '../record-deletion.ts'
import { clearContactReferences } from '../references-after-delete.ts'
import { findContactsByEmail } from './contact-matching.ts'

type Contact = Schemas['Contact']

/**
 * promise contact.deleteTakesTheConversation, contact.deleteTakesTheMessages: the conversation and the messages of a
 * deleted contact are gone. The specification does not say what else is deleted with it.
 */
export async function removeContactData(contact: Contact, turn: Turn): Promise<void> {
  const { conversations, messages, deals: allDeals } = turn.team
  for (const conversation of await conversations.find('contactId', contact._id)) {
    const texts = new Set((await messages.find('conversation', conversation._id)).map(({ textId }) => textId))
    await messages.removeWhere('conversation', conversation._id)
    for (const textId of texts) if (textId !== undefined) await removeUnusedText(textId, turn)
  }
  await conversations.removeWhere('contactId', contact._id)
  const deals = await allDeals.find('contact', contact._id)
  if (deals.length > 0) await deletedWithContact[turn.assumed.deletedWithContact](deals, turn)
  await clearContactReferences(contact._id, turn)
}

type RemoveDeals = (deals: readonly Schemas['Deal'][], turn: Turn) => Promise<void>

const deletedWithContact: ByChoice<'deletedWithContact', RemoveDeals> = {
  conversationAndMessages: async () => undefined,
  alsoDealsAndQuotes: async (deals, turn) => {
    for (const deal of deals) {
      await removeQuotesOf(deal, turn)
      await removeAndRemember(turn.team.deals, deal, turn)
    }
  },
}

/** promise contact.deleteByEmailTakesAll: deleting by e-mail deletes every contact that has the address. */
export async function findContactsToDelete(email: string, turn: Turn): Promise<readonly Contact[]> {
  const contacts = await findContactsByEmail(email, turn)
  if (contacts.length === 0) noContactWithEmail[turn.assumed.noContactWithEmail]()
  return contacts
}

const noContactWithEmail: ByChoice<'noContactWithEmail', () => void> = {
  countsZero: () => undefined,
  notFound: () => {
    throw new NotFound({ assumption: 'noContactWithEmail', field: 'email' })
  },
}
