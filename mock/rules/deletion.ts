import type { Deleted, Kind, Kinds } from '../../fixtures/records.ts'
import { allOf } from '../../lib/async.ts'
import { slicesOf } from '../../lib/pause.ts'
import { NotFound } from '../core/refusals.ts'
import { looksLikeAnId } from '../core/ids.ts'
import type { Stamped } from '../core/team.ts'
import type { Transaction } from '../core/transaction.ts'
import { keepLatest, readEnds } from '../store/retention.ts'
import { refuseUnknownId } from './refuse.ts'
import type { Schemas } from '../../spec/types.ts'
import { findContactsByEmail } from './contacts.ts'

type Contact = Schemas['Contact']

/**
 * promise template.deletedIsGone: a template that was deleted can no longer be read, and is on no list.
 * promise contact.deletedIsGone, company.deletedIsGone, product.deletedIsGone, deal.deletedIsGone, quote.deletedIsGone: a
 * record that was deleted can no longer be updated.
 * The specification does not say how the service responds to a delete of an unknown record. The sandbox keeps a copy of the
 * latest deleted contacts, since the response contains the contact.
 */
export async function removeRecord<K extends Kind>(
  records: Stamped<K>,
  id: string,
  tx: Transaction,
): Promise<Removed<Kinds[K]>> {
  const record = await records.get(id)
  if (record === undefined) return { ...(await findDeletedCopy(records, id, tx)), isRepeat: true }
  await records.remove(id)
  if (records.kind === 'contacts') await keepCopies([record], tx)
  return { record, isRepeat: false }
}

type Removed<R> = { readonly record: R; readonly isRepeat: false } | { readonly record?: R; readonly isRepeat: true }

async function keepCopies(contacts: readonly { readonly _id: string }[], { team }: Transaction): Promise<void> {
  const copies = contacts.map((record) => ({ _id: deletionIdOf(team.contacts, record._id), record }))
  // With a seed, an earlier run may have deleted a record of the same id.
  for (const { _id } of copies) await team.deleted.remove(_id)
  team.keptBytes.set(
    team.onFile._id,
    'deleted',
    await keepLatest<Deleted>(team.deleted, copies, team.keptBytes.mostOfTeam),
  )
}

/** Records of two kinds may have the same id. */
const deletionIdOf = <K extends Kind>({ kind }: Stamped<K>, id: string) => `${kind} ${id}`

async function findDeletedCopy<K extends Kind>(
  records: Stamped<K>,
  id: string,
  tx: Transaction,
): Promise<{ readonly record?: Kinds[K] }> {
  if (!looksLikeAnId(id) || tx.assumed.deleteAgain === 'notFound')
    return refuseUnknownId(id, { assumption: 'deleteAgain' }, tx)
  const deletion = await tx.team.deleted.get(deletionIdOf(records, id))
  return deletion ? { record: deletion.record as Kinds[K] } : {}
}

type Deal = Schemas['Deal']

/** A deal is deleted with its "associated data". The specification does not say whether that includes its quotes. */
export async function removeDealData(deal: Deal, tx: Transaction): Promise<void> {
  const quotes = await tx.team.quotes.find('dealId', deal._id)
  if (quotes.length > 0 && tx.assumed.quotesOfDeletedDeal === 'deleted') await removeQuotesOf(deal, tx)
}

async function removeQuotesOf(deal: Deal, tx: Transaction): Promise<void> {
  for (const quote of await tx.team.quotes.find('dealId', deal._id)) {
    await tx.team.quotes.remove(quote._id)
  }
}

/**
 * promise contact.deleteTakesTheConversation, contact.deleteTakesTheMessages: the conversation and the messages of a
 * deleted contact are gone. The specification does not say what else is deleted with it.
 */
export async function removeContactData(contacts: readonly Contact[], tx: Transaction): Promise<void> {
  const { conversations, messages } = tx.team
  const found = await allOf(contacts.map(({ _id }) => conversations.find('contactId', _id)))
  await Promise.all(found.flat().map(({ _id }) => messages.removeWhere('conversation', _id)))
  for (const { _id } of found.flat()) await conversations.remove(_id)
  for (const [at, { _id }] of contacts.entries()) await removeDealsOf(_id, found[at]?.length !== 0, tx)
  await clearContactReferences(new Set(contacts.map(({ _id }) => _id)), tx)
}

async function removeDealsOf(contactId: string, hasConversation: boolean, tx: Transaction): Promise<void> {
  const deals = await tx.team.deals.find('contact', contactId)
  if (!hasConversation && deals.length === 0) return
  if (tx.assumed.deletedWithContact !== 'alsoDealsAndQuotes') return
  for (const deal of deals) {
    await removeQuotesOf(deal, tx)
    await tx.team.deals.remove(deal._id)
  }
}

/** Reads at once what the removal of contacts needs, so that a database needs few round trips. */
export async function readContactData(ids: readonly string[], { team }: Transaction): Promise<void> {
  const [deals] = await Promise.all([
    allOf(ids.map((id) => team.deals.find('contact', id))),
    allOf(ids.map((id) => team.contacts.get(id))),
    allOf(ids.map((id) => team.conversations.find('contactId', id))),
    allOf(ids.map((id) => team.companies.find('contact', id))),
    allOf(ids.map((id) => team.deleted.get(deletionIdOf(team.contacts, id)))),
    readEnds(team.deleted),
  ])
  await allOf(deals.flat().map(({ _id }) => team.quotes.find('dealId', _id)))
}

export async function removeContacts(contacts: readonly Contact[], tx: Transaction): Promise<void> {
  for (const slice of slicesOf(contacts)) {
    const ids = slice.map(({ _id }) => _id)
    await readContactData(ids, tx)
    for (const id of ids) await tx.team.contacts.remove(id)
    await keepCopies(slice, tx)
    await removeContactData(slice, tx)
  }
}

/** promise contact.deleteByEmailTakesAll: deleting by e-mail deletes every contact that has the address. */
export async function findContactsToDelete(email: string, tx: Transaction): Promise<readonly Contact[]> {
  const contacts = await findContactsByEmail(email, tx)
  if (contacts.length === 0 && tx.assumed.noContactWithEmail === 'notFound')
    throw new NotFound({ assumption: 'noContactWithEmail', field: 'email' })
  return contacts
}

// The specification does not say whether other records keep the id of a contact or a company that was deleted.

/** A company may name them all, so each record is replaced once. */
async function clearContactReferences(contactIds: ReadonlySet<string>, { team, assumed }: Transaction): Promise<void> {
  const ids = [...contactIds]
  const companies = distinct(await allOf(ids.map((id) => team.companies.find('contact', id))))
  const deals = distinct(await allOf(ids.map((id) => team.deals.find('contact', id))))
  if (companies.length + deals.length === 0) return
  if (assumed.referencesAfterDelete === 'kept') return
  for (const company of companies) await team.companies.replace(company, without(contactIds, company, ['contacts']))
  for (const deal of deals) await team.deals.replace(deal, without(contactIds, deal, ['contactId', 'contacts']))
}

function distinct<R extends { readonly _id: string }>(found: readonly (readonly R[])[]): readonly R[] {
  return [...new Map(found.flat().map((record) => [record._id, record])).values()]
}

export async function clearCompanyReferences(companyId: string, { team, assumed }: Transaction): Promise<void> {
  const [contacts, deals] = await Promise.all([
    team.contacts.find('company', companyId),
    team.deals.find('company', companyId),
  ])
  if (contacts.length + deals.length === 0) return
  if (assumed.referencesAfterDelete === 'kept') return
  const ids = new Set([companyId])
  for (const contact of contacts) await team.contacts.replace(contact, without(ids, contact, ['company']))
  for (const deal of deals) await team.deals.replace(deal, without(ids, deal, ['company', 'companyId']))
}

/** The record, with the ids taken out of these fields: a field may hold one id or a list of them. */
function without<R extends object>(ids: ReadonlySet<unknown>, record: R, fields: readonly (keyof R & string)[]): R {
  const cleared: Partial<R> = { ...record }
  for (const field of fields) {
    const value: unknown = record[field]
    if (Array.isArray(value)) cleared[field] = value.filter((id) => !ids.has(id)) as R[typeof field]
    else if (ids.has(value)) Reflect.deleteProperty(cleared, field)
  }
  return cleared as R
}
