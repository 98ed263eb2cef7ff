import { sends, singleSends } from '../../../spec/operation-groups.ts'
import { operations } from '../../../spec/operations.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import type { OperationId } from '../../../spec/types.ts'
import { type Given, refuse } from '../other-server/replies.ts'
import type { Fields } from '../other-server/team.ts'
import {
  accept,
  answerAsBefore,
  answerUnknown,
  changeBody,
  changeData,
  changeNew,
  changeOperation,
  changePagination,
  changeQuery,
  changeReply,
  type Deviant,
  fill,
  findNone,
  isoOf,
  refuseWhen,
  showOtherPage,
  without,
} from './deviant.ts'
import { contactWithoutAddress } from './contacts.ts'

const hasProviderOfId = ({ providerId }: Fields, { team }: Given) =>
  team.providers.some(({ _id }) => _id === providerId)

/** Only the fields that the operation lists. */
const listed =
  (id: OperationId) =>
  (body: Fields): Fields => {
    const shape = operations[id].body('application/json')
    return Object.fromEntries(Object.entries(body).filter(([field]) => shape?.listed(body).has(field)))
  }

/** A bulk send goes only to some of its addresses. */
const sendOnlyTo = (choose: (addresses: readonly string[], given: Given) => readonly string[]) =>
  changeOperation('sendBulkMessages', (original, given) => {
    const body = given.body as Fields
    const chosen = choose(String(body.to).split(','), given)
    if (chosen.length === 0) return { status: 200, message: 'Queued' }
    return original({ ...given, body: { ...body, to: chosen.join(',') } })
  })

const attachmentsOf = ({ attachments = [] }: Fields) => attachments as readonly Fields[]

const plain = (text: unknown) => String(text).replace(/\s+/g, ' ')

export const messages = {
  'message.goesToTheConversationNamed': changeNew('message', (one) => ({ ...one, conversationId: one.contactId })),
  'message.addressAloneIsEnough': refuseWhen(
    singleSends,
    ({ conversationId, contactId, recipientId, recipientIds }) =>
      (conversationId ?? contactId ?? recipientId ?? recipientIds) === undefined,
  ),
  'message.contactAloneIsEnough': changeBody(singleSends, without('contactId')),
  'message.recipientIdMeansContactId': changeBody(singleSends, without('recipientId')),
  'message.missingContactIsMade': contactWithoutAddress,
  'message.missingConversationIsMade': refuseWhen(
    singleSends,
    ({ contactId: id, recipientId = id }, { team }) =>
      recipientId !== undefined && !team.find('conversation', ({ contactId }) => contactId === recipientId),
    404,
  ),
  'message.knownContactIsReached': findNone('contact'),
  'message.providerById': refuseWhen(singleSends, hasProviderOfId),
  'message.providerByAddress': refuseWhen(
    ['sendMessage', 'sendEmailMessage'],
    (body, given) => !hasProviderOfId(body, given),
  ),
  'message.requiredFieldsSuffice': refuseWhen('sendMessage', ({ source }) => source === undefined),
  'message.emailReachesToAndRecipientIds': changeBody('sendEmailMessage', (body) =>
    body.to === undefined ? body : without('recipientIds')(body),
  ),
  'message.templateMustBeApproved': changeBody('sendMessage', (body, { team }) => {
    const template = team.shelf('template').get(String(body.templateId))
    if (template) team.update('template', template, { status: 'approved' })
    return body
  }),
  'message.needsATarget': changeBody('sendLiveMessage', (body, { team }) => ({
    ...(['conversationId', 'contactId', 'recipientId', 'to'].some((name) => name in body)
      ? {}
      : { contactId: team.insert('contact', {})._id }),
    ...body,
  })),
  'message.unknownConversationIsRefused': [
    changeBody(singleSends, (body, { team }) =>
      team.shelf('conversation').get(String(body.conversationId)) ? body : without('conversationId')(body),
    ),
    answerUnknown('sendMessage', ({ switches }) => refuse(switches, 500)),
  ],

  'message.answersWithTheMessage': changeData(singleSends, without('contactId')),
  'message.keepsItsChannel': changeNew('message', (one) =>
    one.channel === 'whatsapp' ? { ...one, channel: 'sms' } : one,
  ),
  'message.keepsItsContent': changeNew('message', (one) => ({
    ...one,
    content: String(one.content).replace(/<[^>]*>/g, ''),
  })),
  'message.keepsItsLineBreaks': changeNew('message', (one) => ({ ...one, content: plain(one.content) })),
  'message.isOutgoing': changeNew('message', (one) => ({ ...one, direction: 'outbound' })),
  'message.isSent': changeNew('message', (one) => ({ ...one, status: 'queued' })),
  'message.contactIsAnId': changeData(singleSends, (one) => ({ ...one, contactId: { _id: one.contactId } })),
  'message.createdAtIsIso': changeData(singleSends, (one) => ({
    ...one,
    createdAt: isoOf(one.createdAt).replace('T', ' '),
  })),
  'message.emailKeepsItsSubject': changeMessages(without('subject')),
  'message.onlyEmailHasASubject': changeNew('message', (one) => ({ subject: 'Hello', ...one })),
  'message.historyHoldsEverySend': [
    changeOperation(singleSends, (original, given) => {
      original(given)
      return original(given)
    }),
    answerAsBefore(singleSends, () => ''),
    answerAsBefore(['listMessages'], ({ url }) => url),
    changeReply('sendEmailMessage', (reply, { team }) => {
      const { _id, ...fields } = { ...team.shelf('message').get(String((reply.data as Fields)._id)) }
      team.insert('message', fields)
      return reply
    }),
    changeData('sendMessage', (one) => ({ ...one, createdAt: '2026-03-01T09:00:00.000Z' })),
  ],

  'message.unlistedFieldsAreRefused': sends.map((id) => changeBody(id, listed(id))),
  'message.wrongTypesAreRefused': changeBody('sendLiveMessage', (body) => ({ ...body, content: String(body.content) })),

  'message.liveRequires': fill('sendLiveMessage', { channel: 'chat' }),
  'message.liveIsChatOnly': accept('sendLiveMessage', { channel: 'chat' }),
  'message.mergeFieldsAreTaken': refuseWhen('sendLiveMessage', ({ content }) => String(content).includes('{{')),
  'message.liveTakesOptionalFields': refuseWhen('sendLiveMessage', ({ attachments }) => attachments !== undefined),
  'message.liveMediaMayBeNull': refuseWhen('sendLiveMessage', ({ mediaUrl }) => mediaUrl === null),
  'message.malformedPhoneIsRefused': accept('sendMessage', { to: '+14155550131' }),
  'message.nationalPhoneIsRefused': accept('sendMessage', { to: '+14155550131' }),
  'message.attachmentsAreTaken': refuseWhen('sendLiveMessage', (body) =>
    attachmentsOf(body).some(({ fileSize }) => typeof fileSize === 'string'),
  ),
  'message.attachmentTypesAreTaken': refuseWhen('sendEmailMessage', (body) =>
    attachmentsOf(body).some(({ mediaType }) => mediaType === ''),
  ),
  'message.otherAttachmentTypesAreRefused': accept('sendEmailMessage', { attachments: [] }),

  'message.emailRequires': fill('sendEmailMessage', { subject: '(no subject)' }),
  'message.emailIsEmailOnly': accept('sendEmailMessage', { channel: 'email' }),
  'message.malformedEmailIsRefused': accept('sendEmailMessage', { to: 'ada@example.com' }),
  'message.recipientIdsAloneAreEnough': refuseWhen(
    'sendEmailMessage',
    ({ conversationId, to }) => (conversationId ?? to) === undefined,
  ),
  'message.recipientIdsMayJoinTo': refuseWhen(
    'sendEmailMessage',
    ({ recipientIds, to }) => recipientIds !== undefined && to !== undefined,
  ),
  'message.emailTakesOptionalFields': refuseWhen('sendEmailMessage', ({ mediaUrl }) => mediaUrl !== undefined),
  'message.emailTakesThreading': refuseWhen('sendEmailMessage', ({ replyToMessageId: id }) => id !== undefined),

  'message.phoneRequires': fill('sendMessage', { channel: 'sms' }),
  'message.phoneChannelsAreTaken': refuseWhen('sendMessage', ({ channel }) => channel === 'whatsapp'),
  'message.otherPhoneChannelsAreRefused': accept('sendMessage', { channel: 'sms' }),
  'message.phoneTakesOptionalFields': refuseWhen('sendMessage', ({ mediaUrl }) => mediaUrl !== undefined),
  'message.whatsappTakesATemplate': refuseWhen('sendMessage', ({ templateId }) => templateId !== undefined),
} satisfies Partial<Record<PromiseId, Deviant | readonly Deviant[]>>

interface Day {
  readonly date: string
  readonly messages: readonly Fields[]
}

/** The history is grouped differently. */
function changeDays(change: (days: readonly Day[], given: Given) => readonly object[]): Deviant {
  return changeReply('listMessages', (reply, given) => ({
    ...reply,
    data: change(reply.data as unknown as readonly Day[], given),
  }))
}

/** The history shows its messages differently. */
function changeMessages(change: (message: Fields) => Fields): Deviant {
  return changeDays((days) => days.map(({ date, messages }) => ({ date, messages: messages.map(change) })))
}

const twoDaysBefore = (date: string) => isoOf(Date.parse(date) - 2 * 24 * 3_600_000).slice(0, 10)

export const bulkMessagesAndHistory = {
  'message.historyIsGrouped': changeDays((days) =>
    days.flatMap(({ messages }) => messages.map((one) => ({ date: isoOf(one.createdAt), messages: [one] }))),
  ),
  'message.historyDatesAreDistinct': changeDays((days) =>
    days.flatMap(({ date, messages }) => messages.map((one) => ({ date, messages: [one] }))),
  ),
  'message.historyDatesFit': changeDays((days) => days.map((day) => ({ ...day, date: twoDaysBefore(day.date) }))),
  'message.historyHoldsMessages': changeMessages(without('conversationId')),
  'message.historyHasPagination': changePagination('listMessages', ({ total, ...others }) => ({
    ...others,
    totalResults: total,
  })),
  'message.historyTotal': changePagination('listMessages', (counts, { data = [] }) => ({
    ...counts,
    total: (data as Fields[]).length,
  })),
  'message.historyTotalIsACount': [
    changePagination('listMessages', ({ total, ...counts }) => ({ ...counts, total: total + 1 })),
    changePagination('listMessages', ({ total, ...counts }) => ({
      ...counts,
      total: counts.currentPage > 1 && counts.currentPage === counts.totalPages ? 1 : total,
    })),
  ],
  'message.historyCurrentPage': changePagination('listMessages', ({ currentPage, ...counts }) => ({
    ...counts,
    currentPage: currentPage - 1,
  })),
  'message.historyTotalPages': changePagination('listMessages', ({ totalPages, ...counts }) => ({
    ...counts,
    totalPages: totalPages + 1,
  })),
  'message.historyHasMore': changePagination('listMessages', (counts) => ({
    ...counts,
    hasMore: counts.currentPage <= counts.totalPages,
  })),
  'message.historyIsOfOneConversation': changeDays((days, { team, path }) => {
    const foreign = team.find('message', ({ conversationId }) => conversationId !== path[0])
    return foreign ? [...days, { date: isoOf(foreign.createdAt).slice(0, 10), messages: [foreign] }] : days
  }),
  'message.historyPagesAddUp': showOtherPage('listMessages', (query) =>
    query.set('page', String(Number(query.get('page') ?? 1) + 1)),
  ),
  'message.historyLimitHolds': showOtherPage('listMessages', (query) => query.set('limit', '100')),
  'message.historyFiltersByChannel': changeQuery('listMessages', (query) => query.delete('channel')),

  'message.bulkRequires': fill('sendBulkMessages', { channel: 'email' }),
  'message.bulkEmailRequiresASubject': fill('sendBulkMessages', { subject: '(no subject)' }),
  'message.bulkSmsNeedsNoSubject': refuseWhen('sendBulkMessages', (body) => !('subject' in body)),
  'message.bulkChannelsAreTaken': refuseWhen('sendBulkMessages', ({ channel }) => channel === 'whatsapp'),
  'message.otherBulkChannelsAreRefused': changeBody('sendBulkMessages', (body) =>
    body.channel === 'chat' ? { ...body, channel: 'sms' } : body,
  ),
  'message.bulkHasNoData': [
    changeReply('sendBulkMessages', (reply) => ({ ...reply, data: { queued: 2 } })),
    changeReply('sendBulkMessages', (reply) => ({ ...reply, data: [] })),
  ],
  'message.bulkTakesAList': refuseWhen('sendBulkMessages', ({ to }) => String(to).includes(',')),
  'message.bulkProviderMatchesTheChannel': changeBody('sendBulkMessages', (body) => ({
    ...body,
    providerId: `${String(body.channel)}-provider`,
  })),
  'message.bulkTakesOptionalFields': refuseWhen('sendBulkMessages', (body) => 'preheader' in body),
  'message.bulkSchedulesAreTaken': accept('sendBulkMessages', { scheduleType: 'scheduled' }),
  'message.otherBulkSchedulesAreRefused': accept('sendBulkMessages', { scheduleType: 'now' }),
  'message.bulkTakesATemplate': refuseWhen('sendBulkMessages', ({ templateId }) => templateId !== undefined),
  'message.bulkReachesEveryone': [
    sendOnlyTo((addresses) => addresses.slice(0, 1)),
    sendOnlyTo((addresses) => addresses.slice(0, 10)),
  ],
  'message.bulkForNowIsSentAtOnce': changeOperation('sendBulkMessages', () => ({ status: 200, message: 'Queued' })),
  'message.bulkKeepsItsLineBreaks': changeBody('sendBulkMessages', ({ content, ...body }) => ({
    ...body,
    content: plain(content),
  })),
  'message.bulkMakesMissingContacts': sendOnlyTo((addresses, { team }) =>
    addresses.filter((address) => team.find('contact', ({ email, phone }) => [email, phone].includes(address))),
  ),
  'message.bulkWaitsForItsTime': [
    changeBody('sendBulkMessages', without('scheduleType', 'scheduleTime')),
    changeBody('sendBulkMessages', (body) =>
      String((body.scheduleTime as Fields | undefined)?.date).includes('/')
        ? without('scheduleType', 'scheduleTime')(body)
        : body,
    ),
  ],
} satisfies Partial<Record<PromiseId, Deviant | readonly Deviant[]>>
