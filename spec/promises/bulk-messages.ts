import { refuses, requirements, requires, requiresOne } from './wording.ts'

/** Bulk sends. */
export const bulkMessages = [
  requirements('Bulk', ['sendBulkMessages'], {
    'message.bulkRequires': requires('A bulk send', 'to', 'channel', 'content', 'providerId'),
    'message.bulkEmailRequiresASubject': requiresOne('A bulk e-mail', 'subject'),
    'message.bulkSmsNeedsNoSubject': 'A bulk SMS is accepted without a subject.',
    'message.bulkChannelsAreTaken': {
      words: 'A bulk send on the channel email, sms or whatsapp is accepted.',
      values: ['email', 'sms', 'whatsapp'],
    },
    'message.otherBulkChannelsAreRefused': {
      ...refuses(['channel'], 'A bulk send on a channel other than email, sms and whatsapp'),
      values: ['chat'],
    },
    'message.bulkHasNoData': 'The response to a bulk send has no data.',
    'message.bulkTakesAList': 'A bulk send accepts several addresses, separated by commas.',
    'message.bulkProviderMatchesTheChannel': {
      words: 'A bulk send with a provider of another channel returns 400 or 404.',
      values: [400, 404],
    },
    'message.bulkTakesOptionalFields': {
      words: 'Each optional field of a bulk send is accepted, preheader on the channel email.',
      fields: ['preheader', 'mediaUrl', 'mediaType', 'source', 'attachments'],
    },
    'message.bulkSchedulesAreTaken': {
      words: 'A bulk send can be for now, or scheduled with a date and a time.',
      fields: ['scheduleType', 'scheduleTime', 'date', 'time'],
      values: ['now', 'scheduled'],
    },
    'message.otherBulkSchedulesAreRefused': refuses(
      ['scheduleType'],
      'A bulk send with a scheduleType other than now and scheduled',
    ),
    'message.bulkTakesATemplate': {
      words: 'A bulk WhatsApp send can name an approved template and its parameters.',
      fields: ['templateId', 'headerParameters', 'bodyParameters'],
    },
  }),
  requirements('Bulk', ['sendBulkMessages', 'listMessages'], {
    'message.bulkReachesEveryone':
      'A bulk send adds one message to the history of each contact on its list: once one has it, all others get it.',
    'message.bulkForNowIsSentAtOnce': {
      words: 'A bulk send for now is in the history of its recipient within seconds.',
      reason: 'The send is queued, and when the queue is processed is left open.',
      assumption: 'bulkDelivery',
    },
    'message.bulkKeepsItsLineBreaks': {
      words: 'A bulk SMS has the line breaks that were sent in the history of its recipient.',
      reason: 'A service may write any white space as one space.',
      follows: 'The content of a message is the content that was sent.',
    },
    'message.bulkWaitsForItsTime':
      'A bulk send that is accepted for a later day, in whatever format, is not in any history yet.',
  }),
] as const
