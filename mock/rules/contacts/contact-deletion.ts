import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Turn } from '../../core/turn.ts'
import { deleteQuotesOf } from '../deals/deal-deletion.ts'
import { removeAndRemember } from '../record-deletion.ts'

/**
 * promise contact.deleteTakesTheConversation, contact.deleteTakesTheMessages: they go with it. What else does is not
 * documented.
 */
export async function deleteDataOf(contact: Schemas['Contact'], turn: Turn): Promise<void> {
  for (const conversation of await turn.team.conversations.find('contactId', contact._id)) {
    for (const message of await turn.team.messages.find('conversation', conversation._id)) {
      await turn.team.messages.remove(message._id)
    }
    await turn.team.conversations.remove(conversation._id)
  }
  const deals = await turn.team.deals.find('contact', contact._id)
  if (deals.length > 0) await deletedWithContact[turn.assumed.deletedWithContact](deals, turn)
  await forgetReferences(contact._id, turn)
}

type Deals = readonly Schemas['Deal'][]

const deletedWithContact: ByChoice<'deletedWithContact', (deals: Deals, turn: Turn) => Promise<void>> = {
  conversationAndMessages: async () => undefined,
  alsoDealsAndQuotes: async (deals, turn) => {
    for (const deal of deals) {
      await deleteQuotesOf(deal, turn)
      await removeAndRemember(turn.team.deals, deal, turn)
    }
  },
}

async function forgetReferences(contactId: string, turn: Turn): Promise<void> {
  const companies = await turn.team.companies.find('contact', contactId)
  const deals = await turn.team.deals.find('contact', contactId)
  if (companies.length + deals.length === 0) return
  await referencesAfterDelete[turn.assumed.referencesAfterDelete](contactId, companies, deals, turn)
}

type Forget = (contactId: string, companies: readonly Schemas['Company'][], deals: Deals, turn: Turn) => Promise<void>

const referencesAfterDelete: ByChoice<'referencesAfterDelete', Forget> = {
  kept: async () => undefined,
  cleared: async (contactId, companies, deals, { team }) => {
    for (const company of companies) await team.companies.replace(company, without(contactId, company))
    for (const deal of deals) {
      const { contactId: sole, ...others } = without(contactId, deal)
      await team.deals.replace(deal, sole === undefined || sole === contactId ? others : { ...others, contactId: sole })
    }
  },
}

function without<Record extends { contacts?: string[] }>(contactId: string, record: Record): Record {
  return record.contacts ? { ...record, contacts: record.contacts.filter((id) => id !== contactId) } : record
}
