import { requires, takesOptional, type Wordings } from './wording.ts'

/** SMS and WhatsApp messages to one contact. */
export const textMessages = {
  'SMS and whatsapp': {
    'message.phoneRequires': requires(
      'Sending an SMS or a WhatsApp message',
      'sendMessage',
      'channel',
      'content',
      'providerId',
    ),
    'message.phoneChannelsAreTaken': {
      words: 'The same operation sends on both channels, sms and whatsapp.',
      operations: ['sendMessage'],
      values: ['sms', 'whatsapp'],
    },
    'message.otherPhoneChannelsAreRefused': {
      words: 'The operation that sends SMS and WhatsApp messages returns 400 for any other channel.',
      operations: ['sendMessage'],
      status: 400,
      values: ['chat', 'email'],
    },
    'message.phoneTakesOptionalFields': takesOptional(
      'an SMS or a WhatsApp message',
      'sendMessage',
      'mediaUrl',
      'mediaType',
      'source',
    ),
    'message.whatsappTakesATemplate': {
      words: 'A WhatsApp message can be an approved template with parameters for its header and body.',
      operations: ['sendMessage'],
      fields: ['templateId', 'headerParameters', 'bodyParameters'],
    },
    'message.templateMustBeApproved': {
      words: 'A WhatsApp message with a template that is not approved is refused.',
      operations: ['sendMessage'],
      reason: 'The field is described as the id of an approved template; what becomes of another is not said.',
    },
  },
} as const satisfies Wordings<'message'>
