import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { merge } from '../../core/merge.ts'
import type { Fields } from '../../core/team.ts'
import type { Turn } from '../../core/turn.ts'
import type { Addresses } from './contact-matching.ts'

type Contact = Schemas['Contact']

/** The specification does not say which status and lifecycle stage a contact has that was created without them. */
export function insertContact(fields: Fields<'contacts'>, { assumed, team }: Turn): Promise<Contact> {
  const status = fields.status === undefined ? newContactStatus[assumed.newContactStatus] : {}
  const stage = fields.lifecycleStage === undefined ? newContactLifecycle[assumed.newContactLifecycle] : {}
  return team.contacts.insert(merge(fields, status, stage))
}

const newContactStatus: ByChoice<'newContactStatus', { status?: string }> = {
  open: { status: 'open' },
  absent: {},
}

/** promise conversation.newContactIsALead: a contact created with a conversation is at the stage Lead by default. */
export const leadStage = { lifecycleStage: 'Lead' }

const newContactLifecycle: ByChoice<'newContactLifecycle', { lifecycleStage?: string }> = {
  absent: {},
  lead: leadStage,
}

/** For a contact of which only the address is known. */
export async function insertContactWithAddress(addresses: Addresses, turn: Turn): Promise<Contact> {
  const address = addresses.email ?? addresses.phone
  const firstName = address === undefined ? '' : nameOfNewContact[turn.assumed.nameOfNewContact](address)
  return insertContact({ firstName, lastName: '', ...addresses }, turn)
}

const nameOfNewContact: ByChoice<'nameOfNewContact', (address: string) => string> = {
  addressAsFirstName: (address) => address,
  empty: () => '',
}
