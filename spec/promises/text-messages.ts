import type { Wordings } from './wording.ts'

/** SMS and WhatsApp messages to one contact. */
export const textMessages = {
  'SMS and whatsapp': {
    'message.phoneRequires': {
      words: 'Sending an SMS or a WhatsApp message returns 400 when a required field is missing.',
      operations: ['sendMessage'],
      status: 400,
      fields: ['channel', 'content', 'providerId'],
    },
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
    'message.phoneTakesOptionalFields': {
      words: 'Each optional field of an SMS or a WhatsApp message is accepted.',
      operations: ['sendMessage'],
      fields: ['mediaUrl', 'mediaType', 'source'],
    },
    'message.whatsappTakesATemplate': {
      words: 'A WhatsApp message can be an approved template with parameters for its header and body.',
      operations: ['sendMessage'],
      fields: ['templateId', 'headerParameters', 'bodyParameters'],
    },
    'message.templateMustBeApproved': {
      words: 'A WhatsApp message with a template that is not approved is refused.',
      operations: ['sendMessage'],
      strength: 'usual',
      reason: 'The field is described as the id of an approved template; what becomes of another is not said.',
    },
  },
} as const satisfies Wordings<'message'>
