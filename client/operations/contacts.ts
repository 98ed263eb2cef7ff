import { anything, outcomeAlone, type Rows, type ShapePromises, time } from './row.ts'

const shape: ShapePromises = [
  [time, 'contact.timesAreIso'],
  [anything, 'contact.answersWithTheContact'],
]

export const contacts = {
  createContact: {
    request: (_, { some }) => ({ body: some.contact() }),
    shape,
  },
  updateContact: {
    request: async ({ at }) => ({ ...(await at('contact')), body: { firstName: 'Augusta' } }),
    shape,
  },
  createOrUpdateContact: {
    request: (_, { some }) => ({ body: some.upsert() }),
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
