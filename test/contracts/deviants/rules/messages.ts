import * as sent from '../../../../mock/rules/messages/new-message.ts'
import * as shown from '../../../../mock/rules/messages/message-view.ts'
import * as providers from '../../../../mock/rules/messages/message-fields.ts'
import * as receivers from '../../../../mock/rules/messages/message-receivers.ts'
import * as texts from '../../../../mock/rules/messages/message-template.ts'
import * as delivery from '../../../../mock/rules/messages/bulk-delivery.ts'
import * as histories from '../../../../mock/rules/messages/message-history.ts'
import * as bulkRequests from '../../../../mock/rules/messages/bulk-request.ts'
import * as pages from '../../../../mock/rules/pagination.ts'
import * as indexing from '../../../../mock/store/indexes.ts'
import { NotFound } from '../../../../mock/core/refusals.ts'
import {
  type Break,
  changeBody,
  changeCounts,
  changeNew,
  changeReply,
  changeUncheckedBody,
  contactWithoutAddress,
  doBefore,
  ignoreComplaint,
  newContactEachTime,
  nothing,
  oneMorePage,
  pagesFromZero,
  refuse,
  refuseWhen,
  replaceIn,
  wrap,
  together,
} from '../breaks.ts'
import { stampsOf } from '../../../../mock/core/team.ts'
import { insertContactWithAddress } from '../../../../mock/rules/contacts.ts'
import type { PromiseId } from '../../../../spec/promises.ts'
import type { Schemas } from '../../../../spec/types.ts'

export const messages = {
  'message.goesToTheConversationNamed': wrap(sent, 'insertMessage', (original, { contact, conversation }, ...given) =>
    original({ contact, conversation: { ...conversation, _id: contact._id } }, ...given),
  ),
  'message.addressAloneIsEnough': wrap(receivers, 'resolveReceiver', async (original, named, tx) => {
    if (named.conversationId ?? named.contactId ?? named.recipientId) return original(named, tx)
    return refuse('a recipient id is required: give conversationId, contactId or recipientId')
  }),
  'message.contactAloneIsEnough': wrap(receivers, 'resolveReceiver', (original, { contactId, ...others }, tx) =>
    original(others, tx),
  ),
  'message.recipientIdMeansContactId': wrap(receivers, 'resolveReceiver', (original, { recipientId, ...others }, tx) =>
    original(others, tx),
  ),
  'message.missingContactIsMade': contactWithoutAddress,
  'message.missingConversationIsMade': wrap(receivers, 'resolveReceiver', async (original, named, tx) => {
    const { contactId = named.recipientId } = named
    const isKnown = contactId === undefined || (await tx.team.conversations.find('contactId', contactId)).length > 0
    if (!isKnown) throw new NotFound(nothing)
    return original(named, tx)
  }),
  'message.knownContactIsReached': newContactEachTime,
  'message.providerById': wrap(providers, 'checkProvider', async (original, named, channel, tx) => {
    if (await tx.team.providers.get(named)) refuse('providerId names no provider by its address')
    await original(named, channel, tx)
  }),
  'message.providerByAddress': wrap(providers, 'checkProvider', async (original, named, channel, tx) => {
    if (!(await tx.team.providers.get(named))) refuse('providerId names no provider by its id')
    await original(named, channel, tx)
  }),
  'message.requiredFieldsSuffice': refuseWhen('sendMessage', ({ source }) => source === undefined),
  'message.emailReachesToAndRecipientIds': changeUncheckedBody('sendEmailMessage', ({ recipientIds, ...others }) =>
    others.to === undefined ? { ...others, recipientIds } : others,
  ),
  'message.templateMustBeApproved': wrap(texts, 'renderTemplate', (original, fields, tx) =>
    original(fields, tx, () => undefined),
  ),
  'message.needsATarget': wrap(receivers, 'resolveReceiver', async (original, named, tx) => {
    if (named.conversationId ?? named.contactId ?? named.recipientId ?? named.to) return original(named, tx)
    return receivers.makeReceiver(await insertContactWithAddress({}, tx), tx)
  }),
  'message.unknownConversationIsRefused': wrap(receivers, 'resolveReceiver', async (original, named, tx) => {
    const { conversationId = '', ...others } = named
    return original((await tx.team.conversations.get(conversationId)) ? named : others, tx)
  }),

  'message.answersWithTheMessage': changeNew('messages', ({ contactId, ...message }) => message),
  'message.keepsItsChannel': changeNew('messages', (message) =>
    message.channel === 'whatsapp' ? { ...message, channel: 'sms' } : message,
  ),
  'message.keepsItsContent': changeNew('messages', (message) => ({
    ...message,
    content: message.content.replace(/<[^>]*>/g, ''),
  })),
  'message.keepsItsLineBreaks': changeNew('messages', (message) => ({
    ...message,
    content: message.content.replace(/\s+/g, ' '),
  })),
  'message.isOutgoing': changeNew('messages', (message) => ({ ...message, direction: 'outbound' })),
  'message.isSent': changeNew('messages', (message) => ({ ...message, status: 'queued' })),
  'message.contactIsAnId': changeNew('messages', (message) => ({
    ...message,
    contactId: { _id: message.contactId },
  })),
  'message.createdAtIsIso': replaceIn(stampsOf, 'messages', () => (_teamId, createdAt) => ({
    createdAt: createdAt?.replace('T', ' '),
  })),
  'message.emailKeepsItsSubject': wrap(shown, 'showMessageInHistory', (original, record, tx) => {
    const { subject, ...message } = original(record, tx)
    return message
  }),
  'message.onlyEmailHasASubject': changeNew('messages', (message) => ({ subject: 'Hello', ...message })),
  'message.historyHoldsEverySend': [
    wrap(receivers, 'resolveEmailReceivers', async (original, named, tx) => {
      const [first, ...others] = await original(named, tx)
      return [first, first, ...others] as Awaited<ReturnType<typeof original>>
    }),
    changeReply('sendMessage', (reply) => ({
      ...reply,
      data: { ...reply.data, createdAt: '2026-03-01T09:00:00.000Z' },
    })),
  ],

  'message.unlistedFieldsAreRefused': ignoreComplaint('sendBulkMessages', 'is not a field of this request'),
  'message.wrongTypesAreRefused': changeUncheckedBody('sendLiveMessage', (body) => ({
    ...body,
    content: String(body.content),
  })),

  'message.liveRequires': changeUncheckedBody('sendLiveMessage', (body) => ({ channel: 'chat', ...body })),
  'message.liveIsChatOnly': ignoreComplaint('sendLiveMessage', 'channel must be chat'),
  'message.mergeFieldsAreTaken': refuseWhen('sendLiveMessage', ({ content }) => content.includes('{{')),
  'message.liveTakesOptionalFields': refuseWhen('sendLiveMessage', ({ attachments }) => attachments !== undefined),
  'message.liveMediaMayBeNull': refuseWhen('sendLiveMessage', ({ mediaUrl }) => mediaUrl === null),
  'message.malformedPhoneIsRefused': ignoreComplaint('sendMessage', 'to must be in E.164 form'),
  'message.nationalPhoneIsRefused': ignoreComplaint('sendMessage', 'to must be in E.164 form'),
  'message.attachmentsAreTaken': refuseWhen('sendLiveMessage', ({ attachments = [] }) =>
    attachments.some(({ fileSize }) => typeof fileSize === 'string'),
  ),
  'message.attachmentTypesAreTaken': refuseWhen('sendEmailMessage', ({ attachments = [] }) =>
    attachments.some(({ mediaType }) => mediaType === ''),
  ),
  'message.otherAttachmentTypesAreRefused': ignoreComplaint('sendEmailMessage', 'mediaType must be one of'),

  'message.emailRequires': changeUncheckedBody('sendEmailMessage', (body) => ({ subject: '(no subject)', ...body })),
  'message.emailIsEmailOnly': ignoreComplaint('sendEmailMessage', 'channel must be email'),
  'message.malformedEmailIsRefused': ignoreComplaint('sendEmailMessage', 'to must be an e-mail address'),
  'message.recipientIdsAloneAreEnough': wrap(receivers, 'resolveEmailReceivers', async (original, named, tx) => {
    if (named.conversationId === undefined && named.to === undefined) refuse('to is required')
    return original(named, tx)
  }),
  'message.recipientIdsMayJoinTo': refuseWhen(
    'sendEmailMessage',
    ({ recipientIds, to }) => recipientIds !== undefined && to !== undefined,
  ),
  'message.emailTakesOptionalFields': refuseWhen('sendEmailMessage', ({ mediaUrl }) => mediaUrl !== undefined),
  'message.emailTakesThreading': refuseWhen(
    'sendEmailMessage',
    async ({ replyToMessageId: id }, { tx: { team } }) => id !== undefined && !(await team.contacts.get(id)),
  ),

  'message.phoneRequires': changeUncheckedBody('sendMessage', (body) => ({ channel: 'sms', ...body })),
  'message.phoneChannelsAreTaken': refuseWhen('sendMessage', ({ channel }) => channel === 'whatsapp'),
  'message.otherPhoneChannelsAreRefused': ignoreComplaint('sendMessage', 'channel must be one of sms, whatsapp'),
  'message.phoneTakesOptionalFields': refuseWhen('sendMessage', ({ mediaUrl }) => mediaUrl !== undefined),
  'message.whatsappTakesATemplate': doBefore('sendMessage', async ({ body, tx }) => {
    texts.checkNoTemplate(body, tx)
  }),
} satisfies Partial<Record<PromiseId, Break | readonly Break[]>>

type Days = Awaited<ReturnType<typeof histories.readHistory>>['days']

/** The history is grouped differently. */
function changeDays(change: (days: Days) => Days): Break {
  return wrap(histories, 'readHistory', async (original, ...asked) => {
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
  'message.historyHoldsMessages': wrap(shown, 'showMessageInHistory', (original, record, tx) => {
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
    replaceIn(indexing.indexes.messages, 'channelOfConversation', () => ({ channel }) => [channel]),
  ),
  'message.historyPagesAddUp': replaceIn(pages, 'toSkipAndTake', () => ({ page, limit }) => ({
    skip: page * limit,
    take: limit,
  })),
  'message.historyLimitHolds': wrap(pages, 'toSkipAndTake', (original, asked) => ({
    ...original(asked),
    take: 100,
  })),
  'message.historyFiltersByChannel': wrap(histories, 'readHistory', (original, conversation, _channel, asked, tx) =>
    original(conversation, undefined, asked, tx),
  ),

  'message.bulkRequires': changeUncheckedBody('sendBulkMessages', (body) => ({ channel: 'email', ...body })),
  'message.bulkEmailRequiresASubject': ignoreComplaint('sendBulkMessages', 'subject is required'),
  'message.bulkSmsNeedsNoSubject': refuseWhen('sendBulkMessages', (body) => !('subject' in body)),
  'message.bulkChannelsAreTaken': refuseWhen('sendBulkMessages', ({ channel }) => channel === 'whatsapp'),
  'message.otherBulkChannelsAreRefused': changeUncheckedBody('sendBulkMessages', (body) =>
    body.channel === 'chat' ? { ...body, channel: 'sms' } : body,
  ),
  'message.bulkTakesAList': wrap(bulkRequests, 'parseRecipients', async (original, named, assumed) =>
    named.to.includes(',') ? refuse('to must be one address') : original(named, assumed),
  ),
  'message.bulkProviderMatchesTheChannel': wrap(
    providers,
    'checkBulkProvider',
    async (original, providerId, channel, tx) => {
      const provider = await tx.team.providers.get(providerId)
      await original(providerId, provider?.channel ?? channel, tx)
    },
  ),
  'message.bulkTakesOptionalFields': refuseWhen('sendBulkMessages', (body) => 'preheader' in body),
  'message.bulkSchedulesAreTaken': wrap(bulkRequests, 'resolveSendTime', (original, schedule, tx) =>
    original(schedule.scheduleType === undefined ? schedule : { ...schedule, scheduleType: 'scheduled' }, tx),
  ),
  'message.otherBulkSchedulesAreRefused': ignoreComplaint('sendBulkMessages', 'scheduleType must be one of'),
  'message.bulkTakesATemplate': refuseWhen('sendBulkMessages', ({ templateId }) => templateId !== undefined),
  'message.bulkReachesEveryone': wrap(delivery, 'queueBulkSend', (original, to, queued, tx) =>
    original(to.slice(0, 1), queued, tx),
  ),
  'message.bulkKeepsItsLineBreaks': changeBody('sendBulkMessages', (body) => ({
    ...body,
    content: body.content.replace(/\s+/g, ' '),
  })),
  'message.bulkMakesMissingContacts': wrap(bulkRequests, 'parseRecipients', async (original, named, assumed) => {
    await original(named, assumed)
    return []
  }),
  'message.bulkWaitsForItsTime': wrap(bulkRequests, 'resolveSendTime', (original, schedule, tx) => {
    original(schedule, tx)
    return original({}, tx)
  }),
} satisfies Partial<Record<PromiseId, Break>>

const twoDaysBefore = (date: string) => new Date(Date.parse(date) - 2 * 24 * 3_600_000).toISOString().slice(0, 10)
