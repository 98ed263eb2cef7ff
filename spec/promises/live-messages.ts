import { sendsByPhone } from '../operation-groups.ts'
import { requirements, requires, takesOptional } from './wording.ts'

const withAttachments = ['sendLiveMessage', 'sendEmailMessage'] as const

/** Live chat messages, and what they share with SMS, WhatsApp messages or e-mails. */
export const liveMessages = [
  requirements('Live chat', ['sendLiveMessage'], {
    'message.liveRequires': requires('Sending a live chat message', 'channel', 'content'),
    'message.liveIsChatOnly': {
      words: 'Sending a live chat message on any channel other than chat returns 400.',
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
      words: 'A send to a phone number that cannot be one returns 400.',
      operations: sendsByPhone,
      fields: ['to'],
    },
    'message.nationalPhoneIsRefused': {
      words: 'A send to a phone number that is not in E.164 format returns 400.',
      operations: sendsByPhone,
      fields: ['to'],
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
    'message.otherAttachmentTypesAreRefused': 'An attachment with a media type that is not listed returns 400.',
  }),
] as const
