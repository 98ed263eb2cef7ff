import type { Mint } from '../../client/mint.ts'
import type { BodyOf, Schemas } from '../../spec/types.ts'
import { Inconclusive } from '../judge/outcome.ts'

export type Conversation = Schemas['Conversation']
export type Addresses = BodyOf<'findOrCreateConversation'>

export const at = ({ _id }: Pick<Conversation, '_id'>) => ({ conversationId: _id })

/** The contact of a conversation. Without it no promise can be judged, except that it is shown. */
export function contactOf({ contactId }: { readonly contactId: unknown }): Conversation['contactId'] {
  if (typeof contactId !== 'object' || contactId === null) throw new Inconclusive('a conversation shows no contact')
  return contactId as Conversation['contactId']
}

/** The fields by which two answers show the same conversation with the same contact. */
export const identity = (conversation: Conversation) => ({
  _id: conversation._id,
  contactId: { _id: contactOf(conversation)._id },
})

/** Addresses that no contact has. */
export const addresses = (mint: Mint) => ({ email: mint.email(), phone: mint.phone() })

export const grace = { firstName: 'Grace', lastName: 'Hopper' }

/** The bodies of the operations that resolve a conversation from addresses. */
export const resolving = {
  findOrCreateConversation: (sent: Addresses, _: Mint) => ({ body: sent }),
  createContactWithConversation: (sent: Addresses, mint: Mint) => ({
    body: { ...grace, lastName: mint.surname('Hopper'), ...sent },
  }),
} as const
