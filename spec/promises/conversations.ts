import { resolutions } from '../operation-groups.ts'
import { requires, returns, type Wordings } from './wording.ts'

const byAddress = ['findOrCreateConversation', 'createContactWithConversation'] as const
const returningOne = [...resolutions, 'getConversation'] as const
const returningAny = [...returningOne, 'listConversationsOfContact'] as const

/** Conversations: one per contact. */
export const conversations = {
  Limits: {
    'conversation.oneEachContact': {
      words: 'A contact has one conversation, however often and by whichever operation it is requested.',
      operations: [...resolutions, 'listConversationsOfContact'],
    },
  },
  Conversation: {
    'conversation.hasIdTeamAndTime': {
      words: 'A conversation contains its id, its teamId and its createdAt.',
      operations: returningAny,
      fields: ['_id', 'teamId', 'createdAt'],
    },
    'conversation.createdAtIsIso': {
      words: 'The createdAt of a conversation is an ISO 8601 timestamp.',
      operations: returningAny,
    },
    'conversation.contactIsPopulated': {
      words: 'The contactId of a conversation is the contact as an object, not only its id.',
      operations: returningAny,
      fields: ['_id', 'name', 'email', 'phoneNumber'],
    },
    'conversation.contactIsTheOneMeant': {
      words: 'The populated contact has the id, e-mail address and phone number of the contact of the conversation.',
      operations: returningAny,
      fields: ['_id', 'email', 'phoneNumber'],
    },
    'conversation.idOpensIt': {
      words: 'The id of a returned conversation, used as conversationId, leads to the same conversation.',
      operations: [...resolutions, 'getConversation', 'listMessages'],
    },
  },
  Index: {
    'conversation.findOrCreateAnswers200': {
      words: 'Finding or creating a conversation by address returns 200, whether it existed or not.',
      operations: ['findOrCreateConversation'],
      status: 200,
    },
    'conversation.createWithContactAnswers200': {
      words: 'Creating a contact together with a conversation returns 200, whether they existed or not.',
      operations: ['createContactWithConversation'],
      status: 200,
    },
    'conversation.createAnswers201': returns(201, 'Creating the first conversation of a contact', 'createConversation'),
    'conversation.createAgainAnswers200': returns(
      200,
      'Creating a conversation for a contact that already has one',
      'createConversation',
    ),
    'conversation.getAnswers200': returns(200, 'Getting a conversation', 'getConversation'),
    'conversation.listAnswers200': returns(200, 'Listing the conversations of a contact', 'listConversationsOfContact'),
  },
  Conversations: {
    'conversation.answersWithOne': {
      words: 'The data of a response with one conversation is that conversation, not a list.',
      operations: returningOne,
    },
    'conversation.findRefusesUnlistedFields': {
      words: 'Finding or creating a conversation by address returns 400 when the body has a field that is not listed.',
      operations: ['findOrCreateConversation'],
      status: 400,
    },
    'conversation.emailAloneIsEnough': {
      words: 'A conversation can be resolved by an e-mail address without a phone number.',
      operations: byAddress,
    },
    'conversation.phoneAloneIsEnough': {
      words: 'A conversation can be resolved by a phone number without an e-mail address.',
      operations: byAddress,
    },
    'conversation.malformedEmailIsRefused': {
      words: 'Resolving a conversation by an invalid e-mail address returns 400.',
      operations: byAddress,
      status: 400,
    },
    'conversation.malformedPhoneIsRefused': {
      words: 'Resolving a conversation by a phone number that cannot be one returns 400.',
      operations: byAddress,
      status: 400,
    },
    'conversation.nationalPhoneIsRefused': {
      words: 'Resolving a conversation by a phone number that is not in E.164 format returns 400.',
      operations: byAddress,
      status: 400,
      reason: 'A service that knows the country of the team may read a national number all the same.',
    },
    'conversation.missingContactIsMade': {
      words: 'Resolving an address that no contact has creates a contact with that address.',
      operations: byAddress,
    },
    'conversation.missingConversationIsMade': {
      words: 'Resolving the address of an existing contact without a conversation creates the conversation.',
      operations: byAddress,
    },
    'conversation.findAgainIsTheSame': {
      words: 'Resolving the same address again returns the same contact and the same conversation.',
      operations: ['findOrCreateConversation'],
    },
    'conversation.createWithContactRequires': requires(
      'Creating a contact together with a conversation',
      'createContactWithConversation',
      'firstName',
      'lastName',
    ),
    'conversation.requiredFieldsSuffice': {
      words:
        'A contact can be created together with a conversation from its names alone: an address is only recommended.',
      operations: ['createContactWithConversation'],
      fields: ['firstName', 'lastName'],
    },
    'conversation.newContactIsALead': {
      words: 'A contact created together with a conversation has the lifecycle stage Lead unless another one is sent.',
      operations: ['createContactWithConversation'],
    },
    'conversation.newContactKeepsItsStage': {
      words: 'A contact created together with a conversation has the lifecycle stage that was sent.',
      operations: ['createContactWithConversation'],
    },
    'conversation.newContactJoinsItsGroup': {
      words: 'A contact created together with a conversation and a groupId is a member of that group.',
      operations: ['createContactWithConversation'],
      reason:
        'The field is listed as the id of a contact group; it is not stated that the contact then shows the group.',
    },
    'conversation.emailFindsTheContact': {
      words:
        'Creating a contact together with a conversation reuses the existing contact with the same e-mail address, and its conversation.',
      operations: ['createContactWithConversation'],
    },
    'conversation.phoneFindsTheContact': {
      words:
        'Creating a contact together with a conversation reuses the existing contact with the same phone number, and its conversation.',
      operations: ['createContactWithConversation'],
    },
    'conversation.createRequires': {
      words: 'Creating a conversation without a contactId returns 400.',
      operations: ['createConversation'],
      status: 400,
      fields: ['contactId'],
    },
    'conversation.createNeedsAKnownContact': {
      words: 'Creating a conversation for a contact that does not exist is refused.',
      operations: ['createConversation'],
    },
    'conversation.createAgainReturnsTheFirst': {
      words: 'Creating a conversation for a contact that already has one returns the existing conversation.',
      operations: ['createConversation'],
    },
    'conversation.createAgainSaysSo': {
      words: 'The message says, in whatever words, that the contact already had a conversation.',
      operations: ['createConversation'],
    },
    'conversation.listHoldsTheConversation': {
      words: 'Listing the conversations of a contact returns a list that contains the conversation created for it.',
      operations: ['listConversationsOfContact'],
    },
    'conversation.listIsOfOneContact': {
      words: 'Listing the conversations of a contact returns no conversation of another contact.',
      operations: ['listConversationsOfContact'],
    },
  },
} as const satisfies Wordings<'conversation'>
