import {
  type Break,
  changeBody,
  changeCounts,
  changeReply,
  changeStatus,
  changeUncheckedBody,
  ignoreComplaint,
  oneMorePage,
  pagesFromZero,
  refuse,
  refuseWhen,
  replaceIn,
  together,
} from '../breaks.ts'
import * as delivery from '../../../mock/rules/messages/bulk-delivery.ts'
import * as histories from '../../../mock/rules/messages/message-history.ts'
import * as shown from '../../../mock/rules/messages/message-view.ts'
import * as providers from '../../../mock/rules/messages/message-provider.ts'
import * as recipients from '../../../mock/rules/messages/bulk-recipients.ts'
import * as schedules from '../../../mock/rules/messages/bulk-schedule.ts'
import * as pages from '../../../mock/rules/pagination.ts'
import * as indexing from '../../../mock/store/indexes.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { Schemas } from '../../../spec/types.ts'

type Days = Awaited<ReturnType<typeof histories.readHistory>>['days']

/** The history is grouped differently. */
function changeDays(change: (days: Days) => Days): Break {
  return replaceIn(histories, 'readHistory', (original) => async (...asked) => {
    const { total, days } = await original(...asked)
    return { total, days: change(days) }
  })
}

export const bulkMessagesAndHistory = {
  'message.historyIsGrouped': changeDays((days) =>
    days.flatMap(({ messages }) => messages.map((message) => ({ date: message.createdAt, messages: [message] }))),
  ),
  'message.historyDatesAreDistinct': changeDays((days) =>
    days.flatMap(({ date, messages }) => messages.map((message) => ({ date, messages: [message] }))),
  ),
  'message.historyDatesFit': changeDays((days) => days.map((day) => ({ ...day, date: twoDaysBefore(day.date) }))),
  'message.historyHoldsMessages': replaceIn(shown, 'showMessageInHistory', (original) => (record, tx) => {
    const { conversationId, ...message } = original(record, tx)
    return message as Schemas['Message']
  }),
  'message.historyHasPagination': changeReply('listMessages', ({ pagination: { total, ...others }, ...reply }) => ({
    ...reply,
    pagination: { totalResults: total, ...others },
  })),
  'message.historyTotal': changeReply('listMessages', (reply) => ({
    ...reply,
    pagination: { ...reply.pagination, total: reply.data.length },
  })),
  'message.historyTotalIsACount': changeReply('listMessages', (reply) => ({
    ...reply,
    pagination: { ...reply.pagination, total: reply.pagination.total + 1 },
  })),
  'message.historyCurrentPage': pagesFromZero,
  'message.historyTotalPages': changeCounts((_counts, { limit }, total) => ({
    totalPages: Math.floor(total / limit),
  })),
  'message.historyHasMore': oneMorePage,
  'message.historyIsOfOneConversation': together(
    replaceIn(indexing, 'channelOfConversation', () => (_conversationId, channel) => channel),
    replaceIn(indexing.indexes.messages.channelOfConversation, 'valuesOf', () => ({ channel }) => [channel]),
  ),
  'message.historyPagesAddUp': replaceIn(pages, 'toSkipAndTake', () => ({ page, limit }) => ({
    skip: page * limit,
    take: limit,
  })),
  'message.historyLimitHolds': replaceIn(pages, 'toSkipAndTake', (original) => (asked) => ({
    ...original(asked),
    take: 100,
  })),
  'message.historyFiltersByChannel': replaceIn(
    histories,
    'readHistory',
    (original) => (conversation, _channel, asked, tx) => original(conversation, undefined, asked, tx),
  ),
  'message.historyAnswers200': changeStatus('listMessages', 206),

  'message.bulkAnswers200': changeStatus('sendBulkMessages', 202),
  'message.bulkRequires': changeUncheckedBody('sendBulkMessages', (body) => ({ channel: 'email', ...body })),
  'message.bulkEmailRequiresASubject': ignoreComplaint('sendBulkMessages', 'subject is required'),
  'message.bulkSmsNeedsNoSubject': refuseWhen('sendBulkMessages', (body) => !('subject' in body)),
  'message.bulkChannelsAreTaken': refuseWhen('sendBulkMessages', ({ channel }) => channel === 'whatsapp'),
  'message.otherBulkChannelsAreRefused': changeUncheckedBody('sendBulkMessages', (body) =>
    body.channel === 'chat' ? { ...body, channel: 'sms' } : body,
  ),
  'message.bulkTakesAList': replaceIn(
    recipients,
    'parseRecipients',
    (original) => async (named, assumed) =>
      named.to.includes(',') ? refuse('to must be one address') : original(named, assumed),
  ),
  'message.bulkProviderMatchesTheChannel': replaceIn(
    providers,
    'checkBulkProvider',
    (original) => async (providerId, channel, tx) => {
      const provider = await tx.team.providers.get(providerId)
      await original(providerId, provider?.channel ?? channel, tx)
    },
  ),
  'message.bulkTakesOptionalFields': refuseWhen('sendBulkMessages', (body) => 'preheader' in body),
  'message.bulkSchedulesAreTaken': replaceIn(
    schedules,
    'resolveSendTime',
    (original) => (schedule, tx) =>
      original(schedule.scheduleType === undefined ? schedule : { ...schedule, scheduleType: 'scheduled' }, tx),
  ),
  'message.otherBulkSchedulesAreRefused': ignoreComplaint('sendBulkMessages', 'scheduleType must be one of'),
  'message.bulkTakesATemplate': refuseWhen('sendBulkMessages', ({ templateId }) => templateId !== undefined),
  'message.bulkReachesEveryone': replaceIn(
    delivery,
    'queueBulkSend',
    (original) => (to, queued, tx) => original(to.slice(0, 1), queued, tx),
  ),
  'message.bulkKeepsItsLineBreaks': changeBody('sendBulkMessages', (body) => ({
    ...body,
    content: body.content.replace(/\s+/g, ' '),
  })),
  'message.bulkMakesMissingContacts': replaceIn(recipients, 'parseRecipients', (original) => async (named, assumed) => {
    await original(named, assumed)
    return []
  }),
  'message.bulkWaitsForItsTime': replaceIn(schedules, 'resolveSendTime', (original) => (schedule, tx) => {
    original(schedule, tx)
    return original({}, tx)
  }),
} satisfies Partial<Record<PromiseId, Break>>

const twoDaysBefore = (date: string) => new Date(Date.parse(date) - 2 * 24 * 3_600_000).toISOString().slice(0, 10)
