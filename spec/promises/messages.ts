import { sends, singleSends } from '../operation-groups.ts'
import type { Wordings } from './wording.ts'

const byPhone = ['sendLiveMessage', 'sendMessage'] as const
const withAttachments = ['sendLiveMessage', 'sendEmailMessage'] as const
const withProvider = ['sendEmailMessage', 'sendMessage', 'sendBulkMessages'] as const

/** What a team says to its contacts, and what was said. */
export const messages = {
  'What the service does': {
    'message.goesToTheConversationNamed': {
      words: 'A send that names a conversation lands in that conversation.',
      operations: singleSends,
    },
    'message.addressAloneIsEnough': {
      words: 'A send needs no more of a target than an address in `to`.',
      operations: singleSends,
    },
    'message.contactAloneIsEnough': {
      words: 'A send needs no more of a target than a contactId.',
      operations: byPhone,
    },
    'message.recipientIdMeansContactId': {
      words: 'A send with recipientId reaches the same contact and conversation as one with contactId.',
      operations: byPhone,
    },
    'message.missingContactIsMade': {
      words: 'A send to an address that no contact has makes a contact with that address.',
      operations: singleSends,
    },
    'message.missingConversationIsMade': {
      words: 'A send to a contact without a conversation makes one for it.',
      operations: singleSends,
    },
    'message.knownContactIsReached': {
      words: 'A send to the address of a known contact reaches that contact, in the conversation that it has.',
      operations: singleSends,
    },
    'message.providerById': {
      words: 'A provider can be named by its id.',
      operations: withProvider,
    },
    'message.providerByAddress': {
      words: 'A provider can be named by the phone number or e-mail address that the team has on file.',
      operations: withProvider,
    },
    'message.needsATarget': {
      words: 'A send that names no conversation, contact or address is answered 400.',
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
      words: 'A send answers with the message, and every field of a message is there.',
      operations: singleSends,
      fields: ['_id', 'channel', 'direction', 'content', 'status', 'conversationId', 'contactId', 'createdAt'],
    },
    'message.keepsItsChannel': {
      words: 'The message in the answer has the channel that it was sent on.',
      operations: singleSends,
      values: ['chat', 'email', 'sms', 'whatsapp'],
    },
    'message.keepsItsContent': {
      words: 'The message in the answer has the content that was sent, where that holds no merge field.',
      operations: singleSends,
    },
    'message.isOutgoing': {
      words: 'A message that was sent has the direction outgoing.',
      operations: singleSends,
    },
    'message.isSent': {
      words: 'The answer to a send shows the message with the status sent.',
      operations: singleSends,
    },
    'message.contactIsAnId': {
      words: 'The contactId of a message is the id of its contact as a string, unlike that of a conversation.',
      operations: singleSends,
    },
    'message.createdAtIsIso': {
      words: 'The creation time of a message is an ISO 8601 timestamp.',
      operations: [...singleSends, 'listMessages'],
    },
    'message.emailKeepsItsSubject': {
      words: 'An e-mail message shows the subject that it was sent with, in its history as well.',
      operations: ['sendEmailMessage', 'listMessages'],
      fields: ['subject'],
    },
    'message.onlyEmailHasASubject': {
      words: 'A message that is no e-mail has no subject.',
      operations: byPhone,
      fields: ['subject'],
    },
  },
  'Message history': {
    'message.historyIsGrouped': {
      words: 'The data of a history is a list of groups, each with a date as YYYY-MM-DD and its messages.',
      operations: ['listMessages'],
      fields: ['date', 'messages'],
    },
    'message.historyDatesAreDistinct': {
      words: 'One page of a history never has two groups for one date.',
      operations: ['listMessages'],
    },
    'message.historyDatesFit': {
      words: 'A message stands under the date on which it was created, as some time zone on earth counts it.',
      operations: ['listMessages'],
    },
    'message.historyHoldsMessages': {
      words: 'Each item of a history group has every field of a message.',
      operations: ['listMessages'],
      fields: ['_id', 'channel', 'direction', 'content', 'status', 'conversationId', 'contactId', 'createdAt'],
    },
    'message.historyHasPagination': {
      words: 'The pagination of a history has three integers and a boolean under their own names.',
      operations: ['listMessages'],
      fields: ['total', 'currentPage', 'totalPages', 'hasMore'],
    },
    'message.historyTotal': {
      words: 'The total of a history is the number of messages in it.',
      operations: ['listMessages'],
      strength: 'usual',
      reason: 'Whether messages or groups are counted is left open.',
    },
    'message.historyCurrentPage': {
      words: 'The currentPage of a history is the page that was asked for.',
      operations: ['listMessages'],
    },
    'message.historyTotalPages': {
      words: 'The totalPages of a history is the number of pages that it takes to read it all.',
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
        'A message that was sent is in the history of its conversation, once and as the answer showed it, but for its status.',
      operations: [...singleSends, 'listMessages'],
      fields: ['_id', 'channel', 'direction', 'content', 'conversationId', 'contactId'],
    },
    'message.historyIsOfOneConversation': {
      words: 'A history holds no message of a different conversation.',
      operations: ['listMessages'],
    },
    'message.historyPagesAddUp': {
      words: 'The pages of a history together hold each message once.',
      operations: ['listMessages'],
    },
    'message.historyLimitHolds': {
      words: 'A page of a history holds no more messages than the limit.',
      operations: ['listMessages'],
      strength: 'usual',
      reason: 'Whether a limit counts messages or groups is left open.',
    },
    'message.historyFiltersByChannel': {
      words: 'A history of one channel holds all messages of that channel and no other.',
      operations: ['listMessages'],
      fields: ['channel'],
      values: ['chat', 'email', 'sms', 'whatsapp'],
    },
  },
  'Common conventions': {
    'message.unlistedFieldsAreRefused': {
      words: 'A send with a field that is not listed is answered 400.',
      operations: sends,
      status: 400,
    },
    'message.wrongTypesAreRefused': {
      words: 'A send is answered 400 when a field that should be text is a number.',
      operations: sends,
      status: 400,
      fields: ['content', 'source'],
    },
  },
  Index: {
    'message.historyAnswers200': {
      words: 'Reading a history answers 200.',
      operations: ['listMessages'],
      status: 200,
    },
    'message.liveAnswers200': {
      words: 'Sending a live chat message answers 200.',
      operations: ['sendLiveMessage'],
      status: 200,
    },
    'message.emailAnswers200': {
      words: 'Sending an e-mail answers 200.',
      operations: ['sendEmailMessage'],
      status: 200,
    },
    'message.phoneAnswers200': {
      words: 'Sending an SMS or a WhatsApp message answers 200.',
      operations: ['sendMessage'],
      status: 200,
    },
    'message.bulkAnswers200': {
      words: 'Queuing a bulk send answers 200.',
      operations: ['sendBulkMessages'],
      status: 200,
    },
  },
  'Live chat': {
    'message.liveRequires': {
      words: 'A live chat message is answered 400 when one of its required fields is missing.',
      operations: ['sendLiveMessage'],
      status: 400,
      fields: ['channel', 'content'],
    },
    'message.liveIsChatOnly': {
      words: 'A live chat message on any channel but chat is answered 400.',
      operations: ['sendLiveMessage'],
      status: 400,
      values: ['email', 'sms', 'whatsapp'],
    },
    'message.mergeFieldsAreTaken': {
      words: 'Content with a merge field in it is accepted.',
      operations: ['sendLiveMessage', 'sendBulkMessages'],
    },
    'message.liveTakesOptionalFields': {
      words: 'Each optional field of a live chat message is accepted.',
      operations: ['sendLiveMessage'],
      fields: ['mediaUrl', 'mediaType', 'source', 'attachments'],
    },
    'message.liveMediaMayBeNull': {
      words: 'The media of a live chat message may be null.',
      operations: ['sendLiveMessage'],
      fields: ['mediaUrl', 'mediaType'],
    },
    'message.malformedPhoneIsRefused': {
      words: 'A send to a phone number that is not in E.164 form is answered 400.',
      operations: byPhone,
      status: 400,
      fields: ['to'],
    },
    'message.attachmentsAreTaken': {
      words: 'An attachment with all of its fields is accepted.',
      operations: withAttachments,
      fields: ['fileName', 'fileSize', 'mimeType', 'mediaUrl', 'mediaType'],
    },
    'message.attachmentTypesAreTaken': {
      words: 'Each media type of an attachment is accepted, and so is an empty one.',
      operations: withAttachments,
      values: ['image', 'video', 'audio', 'file', ''],
    },
    'message.otherAttachmentTypesAreRefused': {
      words: 'An attachment of a media type that is not listed is answered 400.',
      operations: withAttachments,
      status: 400,
    },
  },
  Email: {
    'message.emailRequires': {
      words: 'An e-mail is answered 400 when one of its required fields is missing.',
      operations: ['sendEmailMessage'],
      status: 400,
      fields: ['channel', 'subject', 'content', 'providerId'],
    },
    'message.emailIsEmailOnly': {
      words: 'An e-mail on any channel but email is answered 400.',
      operations: ['sendEmailMessage'],
      status: 400,
      values: ['chat', 'sms', 'whatsapp'],
    },
    'message.malformedEmailIsRefused': {
      words: 'An e-mail to something that is no address is answered 400.',
      operations: ['sendEmailMessage'],
      status: 400,
      fields: ['to'],
    },
    'message.recipientIdsAloneAreEnough': {
      words: 'An e-mail needs no more of a target than recipientIds.',
      operations: ['sendEmailMessage'],
      fields: ['recipientIds'],
    },
    'message.recipientIdsMayJoinTo': {
      words: 'An e-mail may give recipientIds and `to` together.',
      operations: ['sendEmailMessage'],
      fields: ['recipientIds', 'to'],
    },
    'message.emailTakesOptionalFields': {
      words: 'Each optional field of an e-mail is accepted.',
      operations: ['sendEmailMessage'],
      fields: ['mediaUrl', 'mediaType', 'source', 'attachments'],
    },
    'message.emailTakesThreading': {
      words: 'An e-mail can answer an earlier message, quote an outside one and name a thread.',
      operations: ['sendEmailMessage'],
      fields: ['replyToMessageId', 'quotedMessageId', 'threadId'],
    },
  },
  'SMS and whatsapp': {
    'message.phoneRequires': {
      words: 'An SMS or a WhatsApp message is answered 400 when one of its required fields is missing.',
      operations: ['sendMessage'],
      status: 400,
      fields: ['channel', 'content', 'providerId'],
    },
    'message.phoneChannelsAreTaken': {
      words: 'One operation sends on both sms and whatsapp.',
      operations: ['sendMessage'],
      values: ['sms', 'whatsapp'],
    },
    'message.otherPhoneChannelsAreRefused': {
      words: 'Where SMS and WhatsApp are sent, any other channel is answered 400.',
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
  },
  Bulk: {
    'message.bulkRequires': {
      words: 'A bulk send is answered 400 when one of its required fields is missing.',
      operations: ['sendBulkMessages'],
      status: 400,
      fields: ['to', 'channel', 'content', 'providerId'],
    },
    'message.bulkEmailRequiresASubject': {
      words: 'A bulk e-mail without a subject is answered 400.',
      operations: ['sendBulkMessages'],
      status: 400,
      fields: ['subject'],
    },
    'message.bulkSmsNeedsNoSubject': {
      words: 'A bulk SMS goes through without a subject.',
      operations: ['sendBulkMessages'],
    },
    'message.bulkChannelsAreTaken': {
      words: 'Each of the three bulk channels is accepted.',
      operations: ['sendBulkMessages'],
      values: ['email', 'sms', 'whatsapp'],
    },
    'message.otherBulkChannelsAreRefused': {
      words: 'A bulk send on a channel that is none of the three is answered 400.',
      operations: ['sendBulkMessages'],
      status: 400,
      values: ['chat'],
    },
    'message.bulkTakesAList': {
      words: 'A bulk send takes several addresses with commas between them.',
      operations: ['sendBulkMessages'],
    },
    'message.bulkProviderMatchesTheChannel': {
      words: 'A bulk send through a provider of a different channel is answered 400.',
      operations: ['sendBulkMessages'],
      status: 400,
    },
    'message.bulkTakesOptionalFields': {
      words: 'Each optional field of a bulk send is accepted, the preheader on e-mail.',
      operations: ['sendBulkMessages'],
      fields: ['preheader', 'mediaUrl', 'mediaType', 'source', 'attachments'],
    },
    'message.bulkSchedulesAreTaken': {
      words: 'A bulk send may be for now, or scheduled with a date and a time.',
      operations: ['sendBulkMessages'],
      fields: ['scheduleType', 'scheduleTime', 'date', 'time'],
      values: ['now', 'scheduled'],
    },
    'message.otherBulkSchedulesAreRefused': {
      words: 'A bulk send with a schedule type that is neither of the two is answered 400.',
      operations: ['sendBulkMessages'],
      status: 400,
    },
    'message.bulkTakesATemplate': {
      words: 'A bulk WhatsApp send may name an approved template and its parameters.',
      operations: ['sendBulkMessages'],
      fields: ['templateId', 'headerParameters', 'bodyParameters'],
    },
    'message.bulkReachesEveryone': {
      words: 'A bulk send for now puts one message into the history of each known contact on its list.',
      operations: ['sendBulkMessages', 'listMessages'],
      strength: 'usual',
      reason: 'The send is queued, and when the queue is worked off is left open.',
    },
    'message.bulkWaitsForItsTime': {
      words: 'A bulk send that is scheduled for a later day is in no history yet.',
      operations: ['sendBulkMessages', 'listMessages'],
      strength: 'usual',
      reason: 'A scheduled send uses its time, but the form in which the time is written is left open.',
    },
  },
} as const satisfies Wordings<'message'>
