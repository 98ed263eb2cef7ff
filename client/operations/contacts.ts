import type { Mint } from '../mint.ts'
import type { BodyOf } from '../../spec/types.ts'
import type { Ground } from '../tools.ts'
import { anything, type KindRow, outcomeAlone, ownId, type Rows, type ShapePromises, time } from './row.ts'

export const contact = {
  createdBy: 'createContact',
  seenBy: 'updateContact',
  deletedBy: 'deleteContact',
} as const satisfies KindRow

/** Whether the address is not one of the run, so that only the name can show whose the contact is. */
const isNamedByOperator = ({ email, phone }: Partial<BodyOf<'createContact'>>, mint: Mint) =>
  [email, phone].some((address) => typeof address === 'string' && !mint.marks(address))

export const contactBodies = ({ mint }: Ground) => ({
  contact: (fields: Partial<BodyOf<'createContact'>> = {}): BodyOf<'createContact'> => ({
    firstName: 'Ada',
    lastName: isNamedByOperator(fields, mint) ? mint.name('Lovelace') : 'Lovelace',
    email: mint.email(),
    phone: mint.phone(),
    source: mint.name('contract'),
    ...fields,
  }),
  upsert: (fields: Partial<BodyOf<'createOrUpdateContact'>> = {}): BodyOf<'createOrUpdateContact'> => ({
    firstName: 'Grace',
    lastName: 'Hopper',
    email: mint.email(),
    phone: mint.phone(),
    source: mint.name('contract'),
    ...fields,
  }),
})

const shape: ShapePromises = [
  [time, 'contact.timesAreIso'],
  [anything, 'contact.answersWithTheContact'],
]

export const contacts = {
  createContact: {
    request: (_, { some }) => ({ body: some.contact() }),
    makes: { kind: 'contact', idIn: ownId },
    shape,
  },
  updateContact: {
    request: async ({ at }) => ({ ...(await at('contact')), body: { firstName: 'Augusta' } }),
    shape,
  },
  createOrUpdateContact: {
    request: (_, { some }) => ({ body: some.upsert() }),
    makes: { kind: 'contact', idIn: ownId },
    shape,
  },
  deleteContact: {
    request: ({ at }) => at('contact'),
    shape,
  },
  deleteContactsByEmail: {
    request: async ({ email }) => ({ query: { email: await email() } }),
    shape: outcomeAlone,
  },
} satisfies Rows
