import type { SingleSend } from '../../../client/operations/messages.ts'
import type { Walker } from '../walker.ts'

/** Whom a message is for. */
export function receiverOf(walker: Walker, operation: SingleSend): object {
  return operation === 'sendEmailMessage' ? emailReceiver(walker) : receiver(walker, operation)
}

/** Each way to name whom a message is for; by an address where nothing is known yet. */
function receiver(walker: Walker, operation: SingleSend): object {
  if (!walker.target.loopback) return { to: '«to phone»' }
  const [person, conversation] = [walker.people.pickAny(), walker.conversations.pickAny()]
  switch (walker.deal(`receivers of ${operation}`, waysToReceive)) {
    case 'conversation':
      return conversation ? { conversationId: conversation.id } : { to: walker.phone() }
    case 'contact':
      return person ? { contactId: person.id } : { to: walker.phone() }
    case 'recipient':
      return person ? { recipientId: person.id } : { to: walker.phone() }
    default:
      return { to: walker.phone() }
  }
}

const waysToReceive = ['conversation', 'contact', 'conversation', 'recipient', 'to'] as const

function emailReceiver(walker: Walker): object {
  if (!walker.target.loopback) return { to: '«to email»' }
  const [person, other, conversation] = [walker.people.pickAny(), walker.people.pick(), walker.conversations.pickAny()]
  switch (walker.deal('receivers of email', waysToReceiveEmails)) {
    case 'recipient in a conversation':
      return conversation?.person
        ? { conversationId: conversation.id, recipientIds: [conversation.person.id] }
        : { to: walker.email() }
    case 'conversation':
      return conversation ? { conversationId: conversation.id } : { to: walker.email() }
    case 'recipient':
      return person ? { recipientIds: [person.id] } : { to: walker.email() }
    case 'recipients':
      return person && other ? { recipientIds: [person.id, other.id] } : { to: walker.email() }
    default:
      return { to: walker.email() }
  }
}

const waysToReceiveEmails = ['recipient in a conversation', 'recipient', 'conversation', 'recipients', 'to'] as const
