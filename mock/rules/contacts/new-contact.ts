import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Schemas } from '../../../spec/types.ts'
import { merged } from '../../core/merged.ts'
import type { Fields } from '../../core/team.ts'
import type { Turn } from '../../core/turn.ts'
import type { Addresses } from './contact-matching.ts'

type Contact = Schemas['Contact']

/** A contact as it is created, with what it is given when its status and its stage are left out. */
export function newContact(fields: Fields<'contacts'>, { assumed, team }: Turn): Promise<Contact> {
  const status = fields.status === undefined ? newContactStatus[assumed.newContactStatus] : {}
  const stage = fields.lifecycleStage === undefined ? newContactLifecycle[assumed.newContactLifecycle] : {}
  return team.contacts.insert(merged(fields, status, stage))
}

const newContactStatus: ByChoice<'newContactStatus', { status?: string }> = {
  open: { status: 'open' },
  absent: {},
}

/** promise conversation.newContactIsALead: so says the one operation that has a default. */
export const lead = { lifecycleStage: 'Lead' }

const newContactLifecycle: ByChoice<'newContactLifecycle', { lifecycleStage?: string }> = { absent: {}, lead }

/** One of whom only an address is known, as the resolution of a conversation and a send make them. */
export async function contactOf(addresses: Addresses, turn: Turn): Promise<Contact> {
  const address = addresses.email ?? addresses.phone
  const firstName = address === undefined ? '' : nameOfNewContact[turn.assumed.nameOfNewContact](address)
  return newContact({ firstName, lastName: '', ...addresses }, turn)
}

const nameOfNewContact: ByChoice<'nameOfNewContact', (address: string) => string> = {
  addressAsFirstName: (address) => address,
  empty: () => '',
}
