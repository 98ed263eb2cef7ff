import { fieldsOf } from '../../../client/answer.ts'
import type { StepInput } from '../walk.ts'
import type { Walker } from '../walker.ts'
import { pageOf } from '../pages.ts'
import { firstName, lastName } from '../values.ts'
import { textOr } from './contacts.ts'
import { from, type Move, type Moves, path } from './move.ts'

export const conversationMoves = {
  findOrCreateConversation: {
    weight: 5,
    input: (walker) => {
      const known = walker.people.pick()
      const [email, phone] =
        known && walker.chance(60) ? [known.email, known.phone] : [walker.mint.email(), walker.phone()]
      const body = { email: walker.chance(75) ? email : undefined, phone: walker.chance(70) ? phone : undefined }
      return { body: body.email === undefined && body.phone === undefined ? { email: walker.mint.email() } : body }
    },
    after: addBoth,
  },
  createContactWithConversation: {
    weight: 5,
    input: (walker) => ({
      body: {
        firstName: firstName(walker),
        lastName: lastName(walker),
        email: walker.email(),
        ...walker.someOf({
          phone: () => walker.phone(),
          lifecycleStage: () => walker.oneOf(['Customer', 'Lead']),
          groupId: () => walker.mint.unknownId(),
        }),
      },
    }),
    after: addBoth,
  },
  createConversation: {
    weight: 5,
    input: (walker) => {
      const person = walker.people.pickAny()
      return person && { body: { contactId: person.id } }
    },
    after: (walker, n, { body }) => {
      const { contactId } = fieldsOf(body)
      walker.conversations.add({ id: from(n, 'data._id'), person: { id: String(contactId) } })
    },
  },
  getConversation: conversationRead({}),
  listConversationsOfContact: {
    weight: 4,
    input: (walker) => {
      const person = walker.people.pickAny()
      return person && path('contactId', person.id)
    },
  },
  listMessages: {
    weight: 8,
    input: (walker) => {
      const conversation = walker.conversations.pickAny()
      return conversation && { ...path('conversationId', conversation.id), query: queryOf(walker) }
    },
  },
} satisfies Moves

function conversationRead(more: Partial<StepInput>): Move {
  return {
    weight: 4,
    input: (walker) => {
      const conversation = walker.conversations.pickAny()
      return conversation && { ...path('conversationId', conversation.id), ...more }
    },
  }
}

function queryOf(walker: Walker): NonNullable<StepInput['query']> {
  const channel = walker.chance(15) ? { channel: walker.oneOf(['chat', 'email', 'sms', 'whatsapp']) } : {}
  return walker.chance(15) ? channel : { ...pageOf(walker), ...channel }
}

function addBoth(walker: Walker, n: number, { body }: StepInput): void {
  const { email, phone } = fieldsOf(body)
  const person = { id: from(n, 'data.contactId._id'), email: textOr(email), phone: textOr(phone) }
  walker.people.add(person)
  walker.conversations.add({ id: from(n, 'data._id'), person })
}
