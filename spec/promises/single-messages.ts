import { sendsByPhone } from '../operation-groups.ts'
import { refuses, requirements, requires, takesOptional } from './wording.ts'

const withAttachments = ['sendLiveMessage', 'sendEmailMessage'] as const

/** Messages to one contact: live chat messages, e-mails, SMS and WhatsApp messages. */
export const singleMessages = [
  requirements('Live chat', ['sendLiveMessage'], {
    'message.liveRequires': requires('Sending a live chat message', 'channel', 'content'),
    'message.liveIsChatOnly': {
      ...refuses(['channel'], 'Sending a live chat message on any channel other than chat'),
      values: ['email', 'sms', 'whatsapp'],
    },
    'message.mergeFieldsAreTaken': {
      words: 'Content with a merge field is accepted.',
      operations: ['sendLiveMessage', 'sendBulkMessages'],
    },
    'message.liveTakesOptionalFields': takesOptional(
      'a live chat message',
      'mediaUrl',
      'mediaType',
      'source',
      'attachments',
    ),
    'message.liveMediaMayBeNull': {
      words: 'The mediaUrl and the mediaType of a live chat message may be null.',
      fields: ['mediaUrl', 'mediaType'],
    },
  }),
  requirements('Live chat', withAttachments, {
    'message.malformedPhoneIsRefused': {
      ...refuses(['to'], 'A send to a phone number that cannot be one'),
      operations: sendsByPhone,
    },
    'message.nationalPhoneIsRefused': {
      ...refuses(['to'], 'A send to a phone number that is not in E.164 format'),
      operations: sendsByPhone,
      reason: 'A service that knows the country of the team may read a national number all the same.',
      assumption: 'nationalPhone',
    },
    'message.attachmentsAreTaken': {
      words: 'An attachment with all its fields is accepted.',
      fields: ['fileName', 'fileSize', 'mimeType', 'mediaUrl', 'mediaType'],
    },
    'message.attachmentTypesAreTaken': {
      words: 'Each media type of an attachment is accepted, and so is the empty string.',
      values: ['image', 'video', 'audio', 'file', ''],
    },
    'message.otherAttachmentTypesAreRefused': refuses(
      ['attachments.mediaType'],
      'An attachment with a media type that is not listed',
    ),
  }),
  requirements('Email', ['sendEmailMessage'], {
    'message.emailRequires': requires('Sending an e-mail', 'channel', 'subject', 'content', 'providerId'),
    'message.emailIsEmailOnly': {
      ...refuses(['channel'], 'Sending an e-mail on any channel other than email'),
      values: ['chat', 'sms', 'whatsapp'],
    },
    'message.malformedEmailIsRefused': refuses(['to'], 'Sending an e-mail to an invalid address'),
    'message.recipientIdsAloneAreEnough': {
      words: 'An e-mail needs no target other than recipientIds.',
      fields: ['recipientIds'],
    },
    'message.recipientIdsMayJoinTo': {
      words: 'An e-mail may have both recipientIds and `to`.',
      fields: ['recipientIds', 'to'],
    },
    'message.emailReachesToAndRecipientIds': {
      words: 'An e-mail with both recipientIds and `to` is in the history of each of these contacts.',
      operations: ['sendEmailMessage', 'listMessages'],
      reason: 'Whether each recipient gets a message in their own conversation is left open.',
      assumption: 'severalRecipients',
    },
    'message.emailTakesOptionalFields': takesOptional('an e-mail', 'mediaUrl', 'mediaType', 'source', 'attachments'),
    'message.emailTakesThreading': {
      words: 'An e-mail can reply to an earlier message, quote an external one and name a thread.',
      fields: ['replyToMessageId', 'quotedMessageId', 'threadId'],
    },
  }),
  requirements('SMS and whatsapp', ['sendMessage'], {
    'message.phoneRequires': requires('Sending an SMS or a WhatsApp message', 'channel', 'content', 'providerId'),
    'message.phoneChannelsAreTaken': {
      words: 'The same operation sends on both channels, sms and whatsapp.',
      values: ['sms', 'whatsapp'],
    },
    'message.otherPhoneChannelsAreRefused': {
      ...refuses(['channel'], 'The operation that sends SMS and WhatsApp messages', 'for any other channel'),
      values: ['chat', 'email'],
    },
    'message.phoneTakesOptionalFields': takesOptional(
      'an SMS or a WhatsApp message',
      'mediaUrl',
      'mediaType',
      'source',
    ),
    'message.whatsappTakesATemplate': {
      words: 'A WhatsApp message can be an approved template with parameters for its header and body.',
      fields: ['templateId', 'headerParameters', 'bodyParameters'],
    },
    'message.templateMustBeApproved': {
      words: 'A WhatsApp message with a template that is not approved is refused.',
      reason:
        'The field is described as the id of an approved template; that another is refused, and not sent as text, is not said.',
      assumption: 'unapprovedInSingleSend',
    },
  }),
] as const
