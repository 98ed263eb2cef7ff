import { singleSends } from '../operation-groups.ts'
import { requirements } from './wording.ts'

/** The history of a conversation. */
export const messageHistory = [
  requirements('Message history', ['listMessages'], {
    'message.historyIsGrouped': {
      words: 'The data of a message history is a list of groups, each with a date as YYYY-MM-DD and its messages.',
      fields: ['date', 'messages'],
    },
    'message.historyDatesAreDistinct': 'A page of a history never has two groups with the same date.',
    'message.historyDatesFit':
      'A message is in the group of the date on which it was created, in the time zone of some place on earth.',
    'message.historyHoldsMessages': {
      words: 'Each item of a history group has every field of a message.',
      fields: ['_id', 'channel', 'direction', 'content', 'status', 'conversationId', 'contactId', 'createdAt'],
    },
    'message.historyHasPagination': {
      words: 'The pagination of a history has total, currentPage and totalPages as integers, and hasMore as a boolean.',
      fields: ['total', 'currentPage', 'totalPages', 'hasMore'],
    },
    'message.historyTotal': {
      words: 'The total of a history is its number of messages.',
      reason: 'Whether messages or groups are counted is left open.',
      assumption: 'historyCounts',
    },
    'message.historyTotalIsACount': 'The total of a history is its number of messages or its number of groups.',
    'message.historyCurrentPage': 'The currentPage of a history is the requested page.',
    'message.historyTotalPages': 'The totalPages of a history is the number of pages needed to read all of it.',
    'message.historyHasMore': 'The hasMore of a history is true on every page before the last, and false on the last.',
  }),
  requirements('Conversations', ['listMessages'], {
    'message.historyHoldsEverySend': {
      words:
        'A message that was sent is in the history of its conversation, once and as it was returned, except for its status.',
      operations: [...singleSends, 'listMessages'],
      fields: ['_id', 'channel', 'direction', 'content', 'conversationId', 'contactId'],
    },
    'message.historyIsOfOneConversation': 'A history contains no message of another conversation.',
    'message.historyPagesAddUp': 'The pages of a history together contain each message once.',
    'message.historyLimitHolds': {
      words: 'A page of a history contains no more messages than the limit.',
      reason: 'Whether a limit counts messages or groups is left open.',
      assumption: 'historyCounts',
    },
    'message.historyFiltersByChannel': {
      words: 'A history filtered by channel contains all messages of that channel and no others.',
      fields: ['channel'],
      values: ['chat', 'email', 'sms', 'whatsapp'],
    },
  }),
] as const
