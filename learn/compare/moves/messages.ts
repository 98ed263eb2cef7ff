import { fieldsOf } from '../../../client/answer.ts'
import type { SingleSend } from '../../../client/operations/messages.ts'
import type { StepInput } from '../walk.ts'
import type { Walker } from '../walker.ts'
import { bulkBody, messageBodies } from './message-bodies.ts'
import { from, type Move, type Moves } from './move.ts'
import { receiverOf } from './receivers.ts'

export const messageMoves = {
  sendLiveMessage: send('sendLiveMessage', 7),
  sendEmailMessage: send('sendEmailMessage', 5),
  sendMessage: send('sendMessage', 6),
  sendBulkMessages: {
    weight: 7,
    input: (walker) => {
      const body = bulkBody(walker)
      const of = body.channel === 'email' ? 'email' : 'phone'
      // Whom a delayed send reaches, nothing else may reach meanwhile.
      const one = () => (isDelayed(walker) ? walker.mint[of]() : walker[of]())
      const to = walker.target.loopback
        ? Array.from({ length: walker.oneOf([1, 1, 2, 3]) }, one).join(',')
        : `«to ${of}»`
      return { body: { to, ...body } }
    },
    pause: ({ bulkPause = 0 }) => bulkPause,
  },
} satisfies Moves

function send(operation: SingleSend, weight: number): Move {
  return {
    weight,
    input: (walker) => ({ body: { ...messageBodies[operation](walker), ...receiverOf(walker, operation) } }),
    after: addMessage,
  }
}

const isDelayed = ({ bulkPause }: Walker) => bulkPause !== 0

function addMessage(walker: Walker, n: number, { body }: StepInput): void {
  const { conversationId } = fieldsOf(body)
  walker.messages.add({ id: from(n, 'data._id') })
  if (conversationId === undefined || walker.chance(20))
    walker.conversations.add({ id: from(n, 'data.conversationId'), person: { id: from(n, 'data.contactId') } })
}
