import type { ConversationRecord, MessageRecord } from '../../../fixtures/records.ts'
import type { ByChoice } from '../../../spec/assumptions.ts'
import type { Turn } from '../../core/turn.ts'
import type { Part } from '../../store/port.ts'

/** The messages of a conversation, of all channels or of one. */
export interface Messages {
  readonly total: number
  readonly read: (part: Part) => Promise<readonly MessageRecord[]>
}

/**
 * The specification does not say whether the service adds messages that nobody sent. They would be chat messages, so
 * the histories of other channels are the same with every choice.
 */
export function addMessages(
  sent: Messages,
  conversation: ConversationRecord,
  channel: string | undefined,
  { assumed }: Turn,
): Messages {
  return channel === undefined || channel === 'chat' ? addedMessages[assumed.addedMessages](sent, conversation) : sent
}

const addedMessages: ByChoice<'addedMessages', (sent: Messages, conversation: ConversationRecord) => Messages> = {
  none: (sent) => sent,
  welcome: (sent, conversation) => startWith(welcomeOf(conversation), sent),
}

function welcomeOf({ _id: conversationId, contactId, createdAt }: ConversationRecord): MessageRecord {
  return {
    _id: `welcome-${conversationId}`,
    channel: 'chat',
    direction: 'outgoing',
    content: 'Welcome',
    status: 'sent',
    conversationId,
    contactId,
    createdAt,
  }
}

function startWith(first: MessageRecord, { total, read }: Messages): Messages {
  return {
    total: total + 1,
    async read({ skip, take, order }) {
      if (order === 'oldestFirst') {
        if (skip > 0) return read({ skip: skip - 1, take, order })
        return [first, ...(await read({ skip, take: take - 1, order }))]
      }
      const last = skip + take > total && skip <= total ? [first] : []
      return [...(await read({ skip, take, order })), ...last]
    },
  }
}
