import { sends, sendsByPhone, singleSends } from '../operation-groups.ts'
import { bulkMessages } from './bulk-messages.ts'
import { emailMessages } from './email-messages.ts'
import { liveMessages } from './live-messages.ts'
import { messageHistory } from './message-history.ts'
import { textMessages } from './text-messages.ts'
import { returns, type Wordings } from './wording.ts'

const withProvider = ['sendEmailMessage', 'sendMessage', 'sendBulkMessages'] as const

/** Messages: what all sends have in common, the sends of each kind, and the message history. */
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
      operations: sendsByPhone,
    },
    'message.recipientIdMeansContactId': {
      words: 'A send with recipientId reaches the same contact and conversation as a send with contactId.',
      operations: sendsByPhone,
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
      operations: [...sendsByPhone, 'listMessages'],
      reason: 'A service may write any white space as one space.',
    },
    'message.isOutgoing': {
      words: 'A message that was sent has the direction outgoing.',
      operations: singleSends,
    },
    'message.isSent': {
      words: 'A send returns the message with the status sent.',
      operations: singleSends,
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
      operations: sendsByPhone,
      fields: ['subject'],
    },
  },
  ...messageHistory,
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
      reason: 'The specification names the types, and does not say that other values are refused.',
    },
  },
  Index: {
    'message.historyAnswers200': returns(200, 'Reading a message history', 'listMessages'),
    'message.liveAnswers200': returns(200, 'Sending a live chat message', 'sendLiveMessage'),
    'message.emailAnswers200': returns(200, 'Sending an e-mail', 'sendEmailMessage'),
    'message.phoneAnswers200': returns(200, 'Sending an SMS or a WhatsApp message', 'sendMessage'),
    'message.bulkAnswers200': returns(200, 'Queuing a bulk send', 'sendBulkMessages'),
  },
  ...liveMessages,
  ...emailMessages,
  ...textMessages,
  ...bulkMessages,
} as const satisfies Wordings<'message'>
