import { sends, singleSends } from '../operation-groups.ts'
import type { Wordings } from './wording.ts'

const byPhone = ['sendLiveMessage', 'sendMessage'] as const
const withAttachments = ['sendLiveMessage', 'sendEmailMessage'] as const
const withProvider = ['sendEmailMessage', 'sendMessage', 'sendBulkMessages'] as const

/** Messages: sends, bulk sends and the message history. */
export const messages = {
  'What the service does': {
    'message.goesToTheConversationNamed': {
      words: 'A send with a conversationId goes to that conversation.',
      operations: singleSends,
    },
    'message.addressAloneIsEnough': {
      words: 'A send needs no target other than an address in `to`.',
      operations: singleSends,
    },
    'message.contactAloneIsEnough': {
      words: 'A send needs no target other than a contactId.',
      operations: byPhone,
    },
    'message.recipientIdMeansContactId': {
      words: 'A send with recipientId reaches the same contact and conversation as a send with contactId.',
      operations: byPhone,
    },
    'message.missingContactIsMade': {
      words: 'A send to an address that no contact has creates a contact with that address.',
      operations: singleSends,
    },
    'message.missingConversationIsMade': {
      words: 'A send to a contact without a conversation creates one for it.',
      operations: singleSends,
    },
    'message.knownContactIsReached': {
      words: 'A send to the address of an existing contact reaches that contact, in its existing conversation.',
      operations: singleSends,
    },
    'message.providerById': {
      words: 'The providerId of a send can be the id of a provider.',
      operations: withProvider,
    },
    'message.providerByAddress': {
      words:
        'The providerId of a send can be the phone number or the e-mail address of a provider that the team has on file.',
      operations: withProvider,
    },
    'message.requiredFieldsSuffice': {
      words: 'A message needs no other fields than those that are required for its channel, and a receiver.',
      operations: sends,
    },
    'message.bulkMakesMissingContacts': {
      words: 'A bulk send to an address that no contact has creates a contact with that address.',
      operations: ['sendBulkMessages', 'listMessages'],
      strength: 'usual',
      reason: 'The send is queued, and when the queue is processed is left open.',
    },
    'message.needsATarget': {
      words: 'A send that names no conversation, contact or address returns 400.',
      operations: singleSends,
      status: 400,
    },
    'message.unknownConversationIsRefused': {
      words: 'A send into a conversation that does not exist is refused.',
      operations: singleSends,
    },
  },
  Message: {
    'message.answersWithTheMessage': {
      words: 'A send returns the message, with every field of a message.',
      operations: singleSends,
      fields: ['_id', 'channel', 'direction', 'content', 'status', 'conversationId', 'contactId', 'createdAt'],
    },
    'message.keepsItsChannel': {
      words: 'A send returns the message with the channel that it was sent on.',
      operations: singleSends,
      values: ['chat', 'email', 'sms', 'whatsapp'],
    },
    'message.keepsItsContent': {
      words: 'A send returns the message with the content that was sent, if that contains no merge field.',
      operations: singleSends,
    },
    'message.keepsItsLineBreaks': {
      words: 'A chat message, SMS or WhatsApp message has the line breaks that were sent, also in the history.',
      operations: [...byPhone, 'listMessages'],
      strength: 'usual',
      reason: 'A service may write any white space as one space.',
    },
    'message.isOutgoing': {
      words: 'A message that was sent has the direction outgoing.',
      operations: singleSends,
    },
    'message.isSent': {
      words: 'A send returns the message with the status sent.',
      operations: singleSends,
      strength: 'usual',
      reason: 'It is the value seen after a send; other values are left open.',
    },
    'message.contactIsAnId': {
      words: 'The contactId of a message is the id of its contact as a string, unlike the contactId of a conversation.',
      operations: singleSends,
    },
    'message.createdAtIsIso': {
      words: 'The createdAt of a message is an ISO 8601 timestamp.',
      operations: [...singleSends, 'listMessages'],
    },
    'message.emailKeepsItsSubject': {
      words: 'An e-mail message has the subject that was sent, also in the history.',
      operations: ['sendEmailMessage', 'listMessages'],
      fields: ['subject'],
    },
    'message.onlyEmailHasASubject': {
      words: 'A message that is not an e-mail has no subject.',
      operations: byPhone,
      fields: ['subject'],
    },
  },
  'Message history': {
    'message.historyIsGrouped': {
      words: 'The data of a message history is a list of groups, each with a date as YYYY-MM-DD and its messages.',
      operations: ['listMessages'],
      fields: ['date', 'messages'],
    },
    'message.historyDatesAreDistinct': {
      words: 'A page of a history never has two groups with the same date.',
      operations: ['listMessages'],
    },
    'message.historyDatesFit': {
      words: 'A message is in the group of the date on which it was created, in the time zone of some place on earth.',
      operations: ['listMessages'],
    },
    'message.historyHoldsMessages': {
      words: 'Each item of a history group has every field of a message.',
      operations: ['listMessages'],
      fields: ['_id', 'channel', 'direction', 'content', 'status', 'conversationId', 'contactId', 'createdAt'],
    },
    'message.historyHasPagination': {
      words: 'The pagination of a history has total, currentPage and totalPages as integers, and hasMore as a boolean.',
      operations: ['listMessages'],
      fields: ['total', 'currentPage', 'totalPages', 'hasMore'],
    },
    'message.historyTotal': {
      words: 'The total of a history is its number of messages.',
      operations: ['listMessages'],
      strength: 'usual',
      reason: 'Whether messages or groups are counted is left open.',
    },
    'message.historyTotalIsACount': {
      words: 'The total of a history is its number of messages or its number of groups.',
      operations: ['listMessages'],
    },
    'message.historyCurrentPage': {
      words: 'The currentPage of a history is the requested page.',
      operations: ['listMessages'],
    },
    'message.historyTotalPages': {
      words: 'The totalPages of a history is the number of pages needed to read all of it.',
      operations: ['listMessages'],
    },
    'message.historyHasMore': {
      words: 'The hasMore of a history is true on every page before the last, and false on the last.',
      operations: ['listMessages'],
    },
  },
  Conversations: {
    'message.historyHoldsEverySend': {
      words:
        'A message that was sent is in the history of its conversation, once and as it was returned, except for its status.',
      operations: [...singleSends, 'listMessages'],
      fields: ['_id', 'channel', 'direction', 'content', 'conversationId', 'contactId'],
    },
    'message.historyIsOfOneConversation': {
      words: 'A history contains no message of another conversation.',
      operations: ['listMessages'],
    },
    'message.historyPagesAddUp': {
      words: 'The pages of a history together contain each message once.',
      operations: ['listMessages'],
    },
    'message.historyLimitHolds': {
      words: 'A page of a history contains no more messages than the limit.',
      operations: ['listMessages'],
      strength: 'usual',
      reason: 'Whether a limit counts messages or groups is left open.',
    },
    'message.historyFiltersByChannel': {
      words: 'A history filtered by channel contains all messages of that channel and no others.',
      operations: ['listMessages'],
      fields: ['channel'],
      values: ['chat', 'email', 'sms', 'whatsapp'],
    },
  },
  'Common conventions': {
    'message.unlistedFieldsAreRefused': {
      words: 'A send with a field that is not listed returns 400.',
      operations: sends,
      status: 400,
    },
    'message.wrongTypesAreRefused': {
      words: 'A send returns 400 when a text, a list or an object is a number.',
      operations: sends,
      status: 400,
      fields: ['content', 'source', 'mediaUrl'],
      strength: 'usual',
      reason: 'The specification names the types, and does not say that other values are refused.',
    },
  },
  Index: {
    'message.historyAnswers200': {
      words: 'Reading a message history returns 200.',
      operations: ['listMessages'],
      status: 200,
    },
    'message.liveAnswers200': {
      words: 'Sending a live chat message returns 200.',
      operations: ['sendLiveMessage'],
      status: 200,
    },
    'message.emailAnswers200': {
      words: 'Sending an e-mail returns 200.',
      operations: ['sendEmailMessage'],
      status: 200,
    },
    'message.phoneAnswers200': {
      words: 'Sending an SMS or a WhatsApp message returns 200.',
      operations: ['sendMessage'],
      status: 200,
    },
    'message.bulkAnswers200': {
      words: 'Queuing a bulk send returns 200.',
      operations: ['sendBulkMessages'],
      status: 200,
    },
  },
  'Live chat': {
    'message.liveRequires': {
      words: 'Sending a live chat message returns 400 when a required field is missing.',
      operations: ['sendLiveMessage'],
      status: 400,
      fields: ['channel', 'content'],
    },
    'message.liveIsChatOnly': {
      words: 'Sending a live chat message on any channel other than chat returns 400.',
      operations: ['sendLiveMessage'],
      status: 400,
      values: ['email', 'sms', 'whatsapp'],
    },
    'message.mergeFieldsAreTaken': {
      words: 'Content with a merge field is accepted.',
      operations: ['sendLiveMessage', 'sendBulkMessages'],
    },
    'message.liveTakesOptionalFields': {
      words: 'Each optional field of a live chat message is accepted.',
      operations: ['sendLiveMessage'],
      fields: ['mediaUrl', 'mediaType', 'source', 'attachments'],
    },
    'message.liveMediaMayBeNull': {
      words: 'The mediaUrl and the mediaType of a live chat message may be null.',
      operations: ['sendLiveMessage'],
      fields: ['mediaUrl', 'mediaType'],
    },
    'message.malformedPhoneIsRefused': {
      words: 'A send to a phone number that cannot be one returns 400.',
      operations: byPhone,
      status: 400,
      fields: ['to'],
    },
    'message.nationalPhoneIsRefused': {
      words: 'A send to a phone number that is not in E.164 format returns 400.',
      operations: byPhone,
      status: 400,
      fields: ['to'],
      strength: 'usual',
      reason: 'A service that knows the country of the team may read a national number all the same.',
    },
    'message.attachmentsAreTaken': {
      words: 'An attachment with all its fields is accepted.',
      operations: withAttachments,
      fields: ['fileName', 'fileSize', 'mimeType', 'mediaUrl', 'mediaType'],
    },
    'message.attachmentTypesAreTaken': {
      words: 'Each media type of an attachment is accepted, and so is the empty string.',
      operations: withAttachments,
      values: ['image', 'video', 'audio', 'file', ''],
    },
    'message.otherAttachmentTypesAreRefused': {
      words: 'An attachment with a media type that is not listed returns 400.',
      operations: withAttachments,
      status: 400,
    },
  },
  Email: {
    'message.emailRequires': {
      words: 'Sending an e-mail returns 400 when a required field is missing.',
      operations: ['sendEmailMessage'],
      status: 400,
      fields: ['channel', 'subject', 'content', 'providerId'],
    },
    'message.emailIsEmailOnly': {
      words: 'Sending an e-mail on any channel other than email returns 400.',
      operations: ['sendEmailMessage'],
      status: 400,
      values: ['chat', 'sms', 'whatsapp'],
    },
    'message.malformedEmailIsRefused': {
      words: 'Sending an e-mail to an invalid address returns 400.',
      operations: ['sendEmailMessage'],
      status: 400,
      fields: ['to'],
    },
    'message.recipientIdsAloneAreEnough': {
      words: 'An e-mail needs no target other than recipientIds.',
      operations: ['sendEmailMessage'],
      fields: ['recipientIds'],
    },
    'message.recipientIdsMayJoinTo': {
      words: 'An e-mail may have both recipientIds and `to`.',
      operations: ['sendEmailMessage'],
      fields: ['recipientIds', 'to'],
    },
    'message.emailReachesToAndRecipientIds': {
      words: 'An e-mail with both recipientIds and `to` is in the history of each of these contacts.',
      operations: ['sendEmailMessage', 'listMessages'],
      strength: 'usual',
      reason: 'Whether each recipient gets a message in their own conversation is left open.',
    },
    'message.emailTakesOptionalFields': {
      words: 'Each optional field of an e-mail is accepted.',
      operations: ['sendEmailMessage'],
      fields: ['mediaUrl', 'mediaType', 'source', 'attachments'],
    },
    'message.emailTakesThreading': {
      words: 'An e-mail can reply to an earlier message, quote an external one and name a thread.',
      operations: ['sendEmailMessage'],
      fields: ['replyToMessageId', 'quotedMessageId', 'threadId'],
    },
  },
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
  Bulk: {
    'message.bulkRequires': {
      words: 'A bulk send returns 400 when a required field is missing.',
      operations: ['sendBulkMessages'],
      status: 400,
      fields: ['to', 'channel', 'content', 'providerId'],
    },
    'message.bulkEmailRequiresASubject': {
      words: 'A bulk e-mail without a subject returns 400.',
      operations: ['sendBulkMessages'],
      status: 400,
      fields: ['subject'],
    },
    'message.bulkSmsNeedsNoSubject': {
      words: 'A bulk SMS is accepted without a subject.',
      operations: ['sendBulkMessages'],
    },
    'message.bulkChannelsAreTaken': {
      words: 'A bulk send on the channel email, sms or whatsapp is accepted.',
      operations: ['sendBulkMessages'],
      values: ['email', 'sms', 'whatsapp'],
    },
    'message.otherBulkChannelsAreRefused': {
      words: 'A bulk send on a channel other than email, sms and whatsapp returns 400.',
      operations: ['sendBulkMessages'],
      status: 400,
      values: ['chat'],
    },
    'message.bulkTakesAList': {
      words: 'A bulk send accepts several addresses, separated by commas.',
      operations: ['sendBulkMessages'],
    },
    'message.bulkProviderMatchesTheChannel': {
      words: 'A bulk send with a provider of another channel returns 400.',
      operations: ['sendBulkMessages'],
      status: 400,
    },
    'message.bulkTakesOptionalFields': {
      words: 'Each optional field of a bulk send is accepted, preheader on the channel email.',
      operations: ['sendBulkMessages'],
      fields: ['preheader', 'mediaUrl', 'mediaType', 'source', 'attachments'],
    },
    'message.bulkSchedulesAreTaken': {
      words: 'A bulk send can be for now, or scheduled with a date and a time.',
      operations: ['sendBulkMessages'],
      fields: ['scheduleType', 'scheduleTime', 'date', 'time'],
      values: ['now', 'scheduled'],
    },
    'message.otherBulkSchedulesAreRefused': {
      words: 'A bulk send with a scheduleType other than now and scheduled returns 400.',
      operations: ['sendBulkMessages'],
      status: 400,
    },
    'message.bulkTakesATemplate': {
      words: 'A bulk WhatsApp send can name an approved template and its parameters.',
      operations: ['sendBulkMessages'],
      fields: ['templateId', 'headerParameters', 'bodyParameters'],
    },
    'message.bulkReachesEveryone': {
      words: 'A bulk send for now adds one message to the history of each existing contact on its list.',
      operations: ['sendBulkMessages', 'listMessages'],
      strength: 'usual',
      reason: 'The send is queued, and when the queue is processed is left open.',
    },
    'message.bulkKeepsItsLineBreaks': {
      words: 'A bulk SMS has the line breaks that were sent in the history of its recipient.',
      operations: ['sendBulkMessages', 'listMessages'],
      strength: 'usual',
      reason: 'A service may write any white space as one space.',
    },
    'message.bulkWaitsForItsTime': {
      words: 'A bulk send that is scheduled for a later day is not in any history yet.',
      operations: ['sendBulkMessages', 'listMessages'],
      strength: 'usual',
      reason: 'A scheduled send uses its time, but the format of the time is left open.',
    },
  },
} as const satisfies Wordings<'message'>
