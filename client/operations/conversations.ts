import { anything, type Rows, type ShapePromises, time } from './row.ts'

const shape: ShapePromises = [
  [/^data must/, 'conversation.answersWithOne'],
  [/\.contactId\b/, 'conversation.contactIsPopulated'],
  [time, 'conversation.createdAtIsIso'],
  [anything, 'conversation.hasIdTeamAndTime'],
]

export const conversations = {
  findOrCreateConversation: {
    request: (_, { mint }) => ({ body: { email: mint.email(), phone: mint.phone() } }),
    shape,
  },
  createContactWithConversation: {
    request: (_, { mint }) => ({
      body: { firstName: 'Ada', lastName: 'Lovelace', email: mint.email(), phone: mint.phone() },
    }),
    shape,
  },
  // What it makes goes with its contact.
  createConversation: {
    request: async ({ id }) => ({ body: { contactId: await id('contact') } }),
    shape,
  },
  getConversation: {
    request: ({ at }) => at('conversation'),
    shape,
  },
  listConversationsOfContact: {
    request: ({ at }) => at('contact'),
    shape: [[/^data must/, 'conversation.listHoldsTheConversation'], ...shape],
  },
} satisfies Rows
