import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import type { Fields } from '../../core/team.ts'
import type { Turn } from '../../core/turn.ts'
import { withKeptEmail } from './contact-fields.ts'
import { type Addresses, matchingContact } from './contact-matching.ts'
import { contactOf, lead, newContact } from './new-contact.ts'

type Contact = Schemas['Contact']
type Changes = Partial<Contact>

/**
 * promise conversation.missingContactIsMade, message.missingContactIsMade: whoever has the address, or a new contact
 * with it.
 */
export async function contactAt(sent: Addresses, turn: Turn): Promise<Contact> {
  const addresses = withKeptEmail(sent, turn)
  const known = await matchingContact(addresses, turn)
  if (!known) return contactOf(addresses, turn)
  return changed(known, filledIn(known, addresses, turn), turn)
}

/** promise conversation.emailFindsTheContact, conversation.phoneFindsTheContact: a known contact is used as it is. */
export async function contactDescribedBy(fields: Fields<'contacts'>, turn: Turn): Promise<Contact> {
  const known = await matchingContact(fields, turn)
  if (!known) return newContact({ ...lead, ...fields }, turn)
  const filled = filledIn(known, fields, turn)
  return changed(known, { ...filled, ...described(known, fields, turn), ...joined(known, fields, turn) }, turn)
}

async function changed(known: Contact, changes: Changes, { team }: Turn): Promise<Contact> {
  return Object.keys(changes).length === 0 ? known : team.contacts.update(known, changes)
}

function filledIn(known: Contact, { email, phone }: Addresses, { assumed }: Turn): Changes {
  const lacking = {
    ...(known.email === undefined && email !== undefined ? { email } : {}),
    ...(known.phone === undefined && phone !== undefined ? { phone } : {}),
  }
  return Object.keys(lacking).length === 0 ? {} : addressFilledIn[assumed.addressFilledIn](lacking)
}

const addressFilledIn: ByChoice<'addressFilledIn', (lacking: Changes) => Changes> = {
  untouched: () => ({}),
  filled: (lacking) => lacking,
}

function described(known: Contact, fields: Fields<'contacts'>, { assumed }: Turn): Changes {
  const { firstName, lastName, lifecycleStage = known.lifecycleStage } = fields
  const isKnown =
    known.firstName === firstName && known.lastName === lastName && known.lifecycleStage === lifecycleStage
  if (isKnown) return {}
  const given = { firstName, lastName, ...(lifecycleStage === undefined ? {} : { lifecycleStage }) }
  return existingContactOnCreate[assumed.existingContactOnCreate](given)
}

const existingContactOnCreate: ByChoice<'existingContactOnCreate', (given: Changes) => Changes> = {
  untouched: () => ({}),
  updated: (given) => given,
}

function joined({ groupIds = [] }: Contact, fields: Fields<'contacts'>, { assumed }: Turn): Changes {
  const others = (fields.groupIds ?? []).filter((id) => !groupIds.includes(id))
  return others.length === 0 ? {} : groupOnReuse[assumed.groupOnReuse]([...groupIds, ...others])
}

const groupOnReuse: ByChoice<'groupOnReuse', (groupIds: string[]) => Changes> = {
  ignored: () => ({}),
  added: (groupIds) => ({ groupIds }),
}
