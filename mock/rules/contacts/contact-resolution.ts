import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { refuse } from '../../core/refusals.ts'
import type { Fields } from '../../core/team.ts'
import type { Turn } from '../../core/turn.ts'
import { normalizeEmail } from './contact-fields.ts'
import { type Addresses, matchContact } from './contact-matching.ts'
import { insertContact, insertContactWithAddress, leadStage } from './new-contact.ts'

type Contact = Schemas['Contact']
type Changes = Partial<Contact>

/**
 * promise conversation.missingContactIsMade, message.missingContactIsMade: an address that no contact has yields a new
 * contact with that address.
 */
export async function resolveContact(sent: Addresses, turn: Turn): Promise<Contact> {
  const addresses = normalizeEmail(sent, turn)
  const known = await matchContact(addresses, turn)
  if (!known) return insertContactWithAddress(addresses, turn)
  return applyChanges(known, findMissingAddresses(known, addresses, turn), turn)
}

/**
 * promise conversation.emailFindsTheContact, conversation.phoneFindsTheContact: creating with the address of a known
 * contact uses that contact. The specification does not say which of the fields that were sent are then written to it.
 */
export async function findOrInsertContact(fields: Fields<'contacts'>, turn: Turn): Promise<Contact> {
  const known = await matchContact(fields, turn)
  if (!known) return insertContact({ ...leadStage, ...fields }, turn)
  const changes = {
    ...findMissingAddresses(known, fields, turn),
    ...findNewNames(known, fields, turn),
    ...findNewGroups(known, fields, turn),
  }
  return applyChanges(known, changes, turn)
}

async function applyChanges(known: Contact, changes: Changes, { team }: Turn): Promise<Contact> {
  return Object.keys(changes).length === 0 ? known : team.contacts.update(known, changes)
}

function findMissingAddresses(known: Contact, { email, phone }: Addresses, { assumed }: Turn): Changes {
  const missing = {
    ...(known.email === undefined && email !== undefined ? { email } : {}),
    ...(known.phone === undefined && phone !== undefined ? { phone } : {}),
  }
  return Object.keys(missing).length === 0 ? {} : addressFilledIn[assumed.addressFilledIn](missing)
}

const addressFilledIn: ByChoice<'addressFilledIn', (missing: Changes) => Changes> = {
  untouched: () => ({}),
  filled: (missing) => missing,
}

function findNewNames(known: Contact, fields: Fields<'contacts'>, { assumed }: Turn): Changes {
  const { firstName, lastName, lifecycleStage = known.lifecycleStage } = fields
  const isSame = known.firstName === firstName && known.lastName === lastName && known.lifecycleStage === lifecycleStage
  if (isSame) return {}
  const given = { firstName, lastName, ...(lifecycleStage === undefined ? {} : { lifecycleStage }) }
  return existingContactOnCreate[assumed.existingContactOnCreate](given)
}

const existingContactOnCreate: ByChoice<'existingContactOnCreate', (given: Changes) => Changes> = {
  untouched: () => ({}),
  updated: (given) => given,
}

function findNewGroups({ groupIds = [] }: Contact, fields: Fields<'contacts'>, { assumed }: Turn): Changes {
  const known = new Set(groupIds)
  const added = (fields.groupIds ?? []).filter((id) => !known.has(id))
  return added.length === 0 ? {} : groupOnReuse[assumed.groupOnReuse]([...groupIds, ...added])
}

const groupOnReuse: ByChoice<'groupOnReuse', (groupIds: string[]) => Changes> = {
  ignored: () => ({}),
  added: (groupIds) => ({ groupIds }),
}

/** The specification does not say what happens when neither address is given. */
export function checkResolvable({ email, phone }: Addresses, { assumed }: Turn): void {
  if (email === undefined && phone === undefined) resolveWithoutAddress[assumed.resolveWithoutAddress]()
}

const resolveWithoutAddress: ByChoice<'resolveWithoutAddress', () => void> = {
  refused: () => refuse('email or phone is required', { assumption: 'resolveWithoutAddress', field: 'email' }),
  createsEmpty: () => undefined,
}
