import { sends, sendsByPhone, singleSends } from '../operation-groups.ts'
import { bulkMessages } from './bulk-messages.ts'
import { messageHistory } from './message-history.ts'
import { singleMessages } from './single-messages.ts'
import { refuses, requirements, returns, succeeds } from './wording.ts'

const withProvider = ['sendEmailMessage', 'sendMessage', 'sendBulkMessages'] as const

/** Messages: what all sends have in common, the sends of each kind, and the message history. */
export const messages = [
  requirements('What the service does', singleSends, {
    'message.goesToTheConversationNamed': 'A send with a conversationId goes to that conversation.',
    'message.addressAloneIsEnough': 'A send needs no target other than an address in `to`.',
    'message.contactAloneIsEnough': {
      words: 'A send needs no target other than a contactId.',
      operations: sendsByPhone,
    },
    'message.recipientIdMeansContactId': {
      words: 'A send with recipientId reaches the same contact and conversation as a send with contactId.',
      operations: sendsByPhone,
    },
    'message.missingContactIsMade': 'A send to an address that no contact has creates a contact with that address.',
    'message.missingConversationIsMade': 'A send to a contact without a conversation creates one for it.',
    'message.knownContactIsReached':
      'A send to the address of an existing contact reaches that contact, in its existing conversation.',
  }),
  requirements('What the service does', withProvider, {
    'message.providerById': 'The providerId of a send can be the id of a provider.',
    'message.providerByAddress':
      'The providerId of a send can be the phone number or the e-mail address of a provider that the team has on file.',
  }),
  requirements('What the service does', singleSends, {
    'message.requiredFieldsSuffice': {
      words: 'A message needs no other fields than those that are required for its channel, and a receiver.',
      kind: 'requiredFieldsSuffice',
      operations: sends,
    },
    'message.bulkMakesMissingContacts': {
      words: 'A bulk send to an address that no contact has creates a contact with that address.',
      operations: ['sendBulkMessages', 'listMessages'],
    },
    'message.needsATarget': returns(400, 'A send that names no conversation, contact or address'),
    'message.unknownConversationIsRefused': 'A send into a conversation that does not exist is refused.',
  }),
  requirements('Message', singleSends, {
    'message.answersWithTheMessage': {
      words: 'A send returns the message, with every field of a message.',
      fields: ['_id', 'channel', 'direction', 'content', 'status', 'conversationId', 'contactId', 'createdAt'],
    },
    'message.keepsItsChannel': {
      words: 'A send returns the message with the channel that it was sent on.',
      values: ['chat', 'email', 'sms', 'whatsapp'],
    },
    'message.keepsItsContent':
      'A send returns the message with the content that was sent, if that contains no merge field.',
    'message.keepsItsLineBreaks': {
      words: 'A chat message, SMS or WhatsApp message has the line breaks that were sent, also in the history.',
      operations: [...sendsByPhone, 'listMessages'],
      reason: 'A service may write any white space as one space.',
      follows: 'The content of a message is the content that was sent.',
    },
    'message.isOutgoing': 'A message that was sent has the direction outgoing.',
    'message.isSent': {
      words: 'A send returns the message with the status sent.',
      reason: 'It is the value seen after a send; other values are left open.',
      follows: 'No other status after a send is shown.',
    },
    'message.contactIsAnId':
      'The contactId of a message is the id of its contact as a string, unlike the contactId of a conversation.',
  }),
  requirements('Message', [...singleSends, 'listMessages'], {
    'message.createdAtIsIso': 'The createdAt of a message is an ISO 8601 timestamp.',
  }),
  requirements('Message', sendsByPhone, {
    'message.emailKeepsItsSubject': {
      words: 'An e-mail message has the subject that was sent, also in the history.',
      operations: ['sendEmailMessage', 'listMessages'],
      fields: ['subject'],
    },
    'message.onlyEmailHasASubject': { words: 'A message that is not an e-mail has no subject.', fields: ['subject'] },
  }),
  ...messageHistory,
  requirements('Common conventions', sends, {
    'message.unlistedFieldsAreRefused': { ...returns(400, 'A send with a field that is not listed'), kind: 'unlisted' },
    'message.wrongTypesAreRefused': {
      ...refuses(['content', 'source', 'mediaUrl'], 'A send', 'when a text, a list or an object is a number'),
      reason: 'The specification names the types, and does not say that other values are refused.',
      assumption: 'wrongType',
    },
  }),
  requirements('Index', ['listMessages'], {
    'message.historyAnswers200': succeeds(200, 'Reading a message history'),
    'message.liveAnswers200': { ...succeeds(200, 'Sending a live chat message'), operations: ['sendLiveMessage'] },
    'message.emailAnswers200': { ...succeeds(200, 'Sending an e-mail'), operations: ['sendEmailMessage'] },
    'message.phoneAnswers200': {
      ...succeeds(200, 'Sending an SMS or a WhatsApp message'),
      operations: ['sendMessage'],
    },
    'message.bulkAnswers200': { ...succeeds(200, 'Queuing a bulk send'), operations: ['sendBulkMessages'] },
  }),
  ...singleMessages,
  ...bulkMessages,
] as const
