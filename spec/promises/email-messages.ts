import { requirements, requires, takesOptional } from './wording.ts'

/** E-mails to one or several contacts. */
export const emailMessages = [
  requirements('Email', ['sendEmailMessage'], {
    'message.emailRequires': requires('Sending an e-mail', 'channel', 'subject', 'content', 'providerId'),
    'message.emailIsEmailOnly': {
      words: 'Sending an e-mail on any channel other than email returns 400.',
      values: ['chat', 'sms', 'whatsapp'],
    },
    'message.malformedEmailIsRefused': {
      words: 'Sending an e-mail to an invalid address returns 400.',
      fields: ['to'],
    },
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
] as const
