import { NotFound } from '../../../mock/core/refusals.ts'
import {
  type Break,
  changeNew,
  changeStatus,
  changeUncheckedBody,
  contactWithoutAddress,
  doBefore,
  ignoreComplaint,
  newContactEachTime,
  nothing,
  refuse,
  refuseWhen,
  replaceIn,
} from '../breaks.ts'
import { stampsOf } from '../../../mock/core/team.ts'
import { insertContactWithAddress } from '../../../mock/rules/contacts/new-contact.ts'
import * as sent from '../../../mock/rules/messages/new-message.ts'
import * as shown from '../../../mock/rules/messages/message-view.ts'
import * as providers from '../../../mock/rules/messages/message-provider.ts'
import * as recipients from '../../../mock/rules/messages/email-recipients.ts'
import * as targets from '../../../mock/rules/messages/message-target.ts'
import * as texts from '../../../mock/rules/messages/message-template.ts'
import type { PromiseId } from '../../../spec/promises.ts'

export const messages = {
  'message.goesToTheConversationNamed': replaceIn(
    sent,
    'insertMessage',
    (original) =>
      ({ contact, conversation }, ...given) =>
        original({ contact, conversation: { ...conversation, _id: contact._id } }, ...given),
  ),
  'message.addressAloneIsEnough': replaceIn(targets, 'resolveReceiver', (original) => async (named, tx) => {
    if (named.conversationId ?? named.contactId ?? named.recipientId) return original(named, tx)
    return refuse('a recipient id is required: give conversationId, contactId or recipientId')
  }),
  'message.contactAloneIsEnough': replaceIn(
    targets,
    'resolveReceiver',
    (original) =>
      ({ contactId, ...others }, tx) =>
        original(others, tx),
  ),
  'message.recipientIdMeansContactId': replaceIn(
    targets,
    'resolveReceiver',
    (original) =>
      ({ recipientId, ...others }, tx) =>
        original(others, tx),
  ),
  'message.missingContactIsMade': contactWithoutAddress,
  'message.missingConversationIsMade': replaceIn(targets, 'resolveReceiver', (original) => async (named, tx) => {
    const { contactId = named.recipientId } = named
    const isKnown = contactId === undefined || (await tx.team.conversations.find('contactId', contactId)).length > 0
    if (!isKnown) throw new NotFound(nothing)
    return original(named, tx)
  }),
  'message.knownContactIsReached': newContactEachTime,
  'message.providerById': replaceIn(providers, 'checkProvider', (original) => async (named, channel, tx) => {
    if (await tx.team.providers.get(named)) refuse('providerId names no provider by its address')
    await original(named, channel, tx)
  }),
  'message.providerByAddress': replaceIn(providers, 'checkProvider', (original) => async (named, channel, tx) => {
    if (!(await tx.team.providers.get(named))) refuse('providerId names no provider by its id')
    await original(named, channel, tx)
  }),
  'message.requiredFieldsSuffice': refuseWhen('sendMessage', ({ source }) => source === undefined),
  'message.emailReachesToAndRecipientIds': changeUncheckedBody('sendEmailMessage', ({ recipientIds, ...others }) =>
    others.to === undefined ? { ...others, recipientIds } : others,
  ),
  'message.templateMustBeApproved': replaceIn(
    texts,
    'renderTemplate',
    (original) => (fields, tx) => original(fields, tx, () => undefined),
  ),
  'message.needsATarget': replaceIn(targets, 'resolveReceiver', (original) => async (named, tx) => {
    if (named.conversationId ?? named.contactId ?? named.recipientId ?? named.to) return original(named, tx)
    return targets.makeReceiver(await insertContactWithAddress({}, tx), tx)
  }),
  'message.unknownConversationIsRefused': replaceIn(targets, 'resolveReceiver', (original) => async (named, tx) => {
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
  'message.emailKeepsItsSubject': replaceIn(shown, 'showMessageInHistory', (original) => (record, tx) => {
    const { subject, ...message } = original(record, tx)
    return message
  }),
  'message.onlyEmailHasASubject': changeNew('messages', (message) => ({ subject: 'Hello', ...message })),
  'message.historyHoldsEverySend': replaceIn(recipients, 'resolveEmailReceivers', (original) => async (named, tx) => {
    const [first, ...others] = await original(named, tx)
    return [first, first, ...others]
  }),

  'message.unlistedFieldsAreRefused': ignoreComplaint('sendBulkMessages', 'is not a field of this request'),
  'message.wrongTypesAreRefused': changeUncheckedBody('sendLiveMessage', (body) => ({
    ...body,
    content: String(body.content),
  })),

  'message.liveAnswers200': changeStatus('sendLiveMessage', 201),
  'message.emailAnswers200': changeStatus('sendEmailMessage', 201),
  'message.phoneAnswers200': changeStatus('sendMessage', 201),

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
  'message.recipientIdsAloneAreEnough': replaceIn(
    recipients,
    'resolveEmailReceivers',
    (original) => async (named, tx) => {
      if (named.conversationId === undefined && named.to === undefined) refuse('to is required')
      return original(named, tx)
    },
  ),
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
} satisfies Partial<Record<PromiseId, Break>>
