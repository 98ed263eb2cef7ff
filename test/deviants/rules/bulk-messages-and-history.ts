import type { Break } from '../broken-copy.ts'
import { readAs, unchecked } from '../checks-of-a-body.ts'

/** A bulk send is refused that ought to be taken. */
const refusing = (condition: string): Break => ({
  file: 'operations/bulk-messages.ts',
  rule: 'checkMedia(body, assumed)',
  instead: `if (${condition}) refuse('this bulk send is not taken')`,
})

export const bulkMessagesAndHistory = {
  'message.historyIsGrouped': {
    file: 'rules/history-of-a-conversation.ts',
    rule: 'new Date(createdAt).toISOString().slice(0, 10)',
    instead: 'new Date(createdAt).toISOString()',
  },
  'message.historyDatesAreDistinct': {
    file: 'rules/history-of-a-conversation.ts',
    rule: 'return [...days].map(([date, messages]) => ({ date, messages }))',
    instead: 'return records.map((message) => ({ date: dayOf(message), messages: [message] }))',
  },
  'message.historyDatesFit': {
    file: 'rules/history-of-a-conversation.ts',
    rule: 'new Date(createdAt).toISOString()',
    instead: 'new Date(Date.parse(createdAt) / 1000).toISOString()',
  },
  'message.historyHoldsMessages': {
    file: 'operations/messages.ts',
    rule: 'messages.map((message) => shownInHistory(message, assumed))',
    instead: 'messages.map(({ conversationId, ...message }) => shownInHistory(message, assumed))',
  },
  'message.historyHasPagination': {
    file: 'operations/messages.ts',
    rule: '{ total, ...countsOf(',
    instead: '{ totalResults: total, ...countsOf(',
  },
  'message.historyTotal': {
    file: 'operations/messages.ts',
    rule: '{ total, ...countsOf(',
    instead: '{ total: data.length, ...countsOf(',
  },
  'message.historyCurrentPage': {
    file: 'rules/page-of-a-list.ts',
    rule: 'currentPage: page,',
    instead: 'currentPage: page - 1,',
  },
  'message.historyTotalPages': {
    file: 'rules/page-of-a-list.ts',
    rule: 'Math.ceil(total / limit)',
    instead: 'Math.floor(total / limit)',
  },
  'message.historyHasMore': {
    file: 'rules/page-of-a-list.ts',
    rule: 'hasMore: page < pages',
    instead: 'hasMore: page <= pages',
  },
  'message.historyIsOfOneConversation': {
    file: 'store/indexes.ts',
    rule: '=> `${conversationId} ${channel}`',
    instead: '=> channel',
  },
  'message.historyPagesAddUp': {
    file: 'rules/page-of-a-list.ts',
    rule: 'skip: (page - 1) * limit',
    instead: 'skip: page * limit',
  },
  'message.historyLimitHolds': {
    file: 'rules/page-of-a-list.ts',
    rule: 'take: limit,',
    instead: 'take: largest,',
  },
  'message.historyFiltersByChannel': {
    file: 'operations/messages.ts',
    rule: 'historyOf(conversation, query.channel,',
    instead: 'historyOf(conversation, undefined,',
  },
  'message.historyAnswers200': {
    file: 'operations/messages.ts',
    rule: "return page('History found', data, { total, ...countsOf(asked, total, assumed) })",
    instead: "return { ...page('History found', data, { total, ...countsOf(asked, total, assumed) }), status: 206 }",
  },

  'message.bulkAnswers200': {
    file: 'operations/bulk-messages.ts',
    rule: "return done(recipients.length === 1 ? '1 message queued' : `${recipients.length} messages queued`)",
    instead: "return { ...done('Messages queued'), status: 202 }",
  },
  'message.bulkRequires': readAs('sendBulkMessages', "(body) => ({ channel: 'email', ...body })"),
  'message.bulkEmailRequiresASubject': unchecked('subject is required'),
  'message.bulkSmsNeedsNoSubject': refusing('body.subject === undefined'),
  'message.bulkChannelsAreTaken': refusing("body.channel === 'whatsapp'"),
  'message.otherBulkChannelsAreRefused': readAs(
    'sendBulkMessages',
    "(body) => (body.channel === 'chat' ? { ...body, channel: 'sms' } : body)",
  ),
  'message.bulkTakesAList': {
    file: 'rules/recipients-of-a-bulk-send.ts',
    rule: "to.split(',')",
    instead: '[to]',
  },
  'message.bulkProviderMatchesTheChannel': {
    file: 'operations/bulk-messages.ts',
    rule: 'if (provider && provider.channel !== channel) refuse(`providerId must name a provider of the channel ${channel}`)',
    instead: '',
  },
  'message.bulkTakesOptionalFields': refusing('body.preheader'),
  'message.bulkSchedulesAreTaken': {
    file: 'rules/schedule-of-a-bulk-send.ts',
    rule: "return scheduleType === 'scheduled'",
    instead: 'return scheduleType !== undefined',
  },
  'message.otherBulkSchedulesAreRefused': unchecked('scheduleType must be one of'),
  'message.bulkTakesATemplate': refusing('body.templateId'),
  'message.bulkReachesEveryone': {
    file: 'rules/delivery-of-a-bulk-send.ts',
    rule: 'for (const address of due.to)',
    instead: 'for (const address of due.to.slice(0, 1))',
  },
  'message.bulkWaitsForItsTime': {
    file: 'rules/schedule-of-a-bulk-send.ts',
    rule: 'return at < now ? scheduleInPast[assumed.scheduleInPast](now) : at',
    instead: 'return now',
  },
} satisfies Record<string, Break>
