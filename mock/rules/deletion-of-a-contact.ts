import type { Assumed } from '../../spec/assumed.ts'
import type { ByChoice } from '../../spec/assumptions.ts'
import type { Schemas } from '../../spec/types.ts'
import type { Team } from '../team.ts'
import { removeAndRemember } from './deletion.ts'
import { deleteQuotesOf } from './deletion-of-a-deal.ts'

/**
 * promise contact.deleteTakesTheConversation, contact.deleteTakesTheMessages: they go with it. What else does is not
 * documented.
 */
export async function deleteDataOf(contact: Schemas['Contact'], team: Team, assumed: Assumed): Promise<void> {
  for (const conversation of await team.conversations.find('contactId', contact._id)) {
    for (const message of await team.messages.find('conversation', conversation._id)) {
      await team.messages.remove(message._id)
    }
    await team.conversations.remove(conversation._id)
  }
  const deals = await team.deals.find('contact', contact._id)
  if (deals.length > 0) await deletedWithContact[assumed.deletedWithContact](deals, team)
  await forgetReferences(contact._id, team, assumed)
}

type Deals = readonly Schemas['Deal'][]

const deletedWithContact: ByChoice<'deletedWithContact', (deals: Deals, team: Team) => Promise<void>> = {
  conversationAndMessages: async () => undefined,
  alsoDealsAndQuotes: async (deals, team) => {
    for (const deal of deals) {
      await deleteQuotesOf(deal, team)
      await removeAndRemember(team, team.deals, deal)
    }
  },
}

async function forgetReferences(contactId: string, team: Team, assumed: Assumed): Promise<void> {
  const companies = await team.companies.find('contact', contactId)
  const deals = await team.deals.find('contact', contactId)
  if (companies.length + deals.length === 0) return
  await referencesAfterDelete[assumed.referencesAfterDelete](contactId, companies, deals, team)
}

type Forget = (contactId: string, companies: readonly Schemas['Company'][], deals: Deals, team: Team) => Promise<void>

const referencesAfterDelete: ByChoice<'referencesAfterDelete', Forget> = {
  kept: async () => undefined,
  cleared: async (contactId, companies, deals, team) => {
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
