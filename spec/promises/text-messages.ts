import { requirements, requires, takesOptional } from './wording.ts'

/** SMS and WhatsApp messages to one contact. */
export const textMessages = [
  requirements('SMS and whatsapp', ['sendMessage'], {
    'message.phoneRequires': requires('Sending an SMS or a WhatsApp message', 'channel', 'content', 'providerId'),
    'message.phoneChannelsAreTaken': {
      words: 'The same operation sends on both channels, sms and whatsapp.',
      values: ['sms', 'whatsapp'],
    },
    'message.otherPhoneChannelsAreRefused': {
      words: 'The operation that sends SMS and WhatsApp messages returns 400 for any other channel.',
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
      reason: 'The field is described as the id of an approved template; what becomes of another is not said.',
      assumption: 'unapprovedInSingleSend',
    },
  }),
] as const
