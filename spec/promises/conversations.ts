import { resolutions, sends } from '../operation-groups.ts'
import { refuses, requirements, requires, requiresOne, returns, succeeds, suffices } from './wording.ts'

const byAddress = ['findOrCreateConversation', 'createContactWithConversation'] as const
const returningOne = [...resolutions, 'getConversation'] as const
const returningAny = [...returningOne, 'listConversationsOfContact'] as const

/** Conversations: one per contact. */
export const conversations = [
  requirements('Limits', [...resolutions, ...sends, 'listConversationsOfContact'], {
    'conversation.oneEachContact':
      'A contact has one conversation, whichever operations and channels it is requested or written to by.',
  }),
  requirements('Conversation', returningAny, {
    'conversation.hasIdTeamAndTime': {
      words: 'A conversation contains its id, its teamId and its createdAt.',
      fields: ['_id', 'teamId', 'createdAt'],
    },
    'conversation.createdAtIsIso': 'The createdAt of a conversation is an ISO 8601 timestamp.',
    'conversation.contactIsPopulated': {
      words: 'The contactId of a conversation is the contact as an object, not only its id.',
      fields: ['_id', 'name', 'email', 'phoneNumber'],
    },
    'conversation.contactIsTheOneMeant': {
      words: 'The populated contact has the id, e-mail address and phone number of the contact of the conversation.',
      fields: ['_id', 'email', 'phoneNumber'],
    },
    'conversation.idOpensIt': {
      words: 'The id of a returned conversation, used as conversationId, leads to the same conversation.',
      operations: [...resolutions, 'getConversation', 'listMessages'],
    },
  }),
  requirements('Index', ['createConversation'], {
    'conversation.findOrCreateAnswers200': {
      ...succeeds(200, 'Finding or creating a conversation by address', 'whether it existed or not'),
      operations: ['findOrCreateConversation'],
    },
    'conversation.createWithContactAnswers200': {
      ...succeeds(200, 'Creating a contact together with a conversation', 'whether they existed or not'),
      operations: ['createContactWithConversation'],
    },
    'conversation.createAnswers201': succeeds(201, 'Creating the first conversation of a contact'),
    'conversation.createAgainAnswers200': succeeds(200, 'Creating a conversation for a contact that already has one'),
  }),
  requirements('Index', ['listConversationsOfContact'], {
    'conversation.getAnswers200': { ...succeeds(200, 'Getting a conversation'), operations: ['getConversation'] },
    'conversation.listAnswers200': succeeds(200, 'Listing the conversations of a contact'),
  }),
  requirements('Conversations', returningOne, {
    'conversation.answersWithOne': 'The data of a response with one conversation is that conversation, not a list.',
  }),
  requirements('Conversations', byAddress, {
    'conversation.findRefusesUnlistedFields': {
      ...returns(400, 'Finding or creating a conversation by address', 'when the body has a field that is not listed'),
      kind: 'unlisted',
      operations: ['findOrCreateConversation'],
    },
    'conversation.emailAloneIsEnough': 'A conversation can be resolved by an e-mail address without a phone number.',
    'conversation.phoneAloneIsEnough': 'A conversation can be resolved by a phone number without an e-mail address.',
    'conversation.malformedEmailIsRefused': refuses(['email'], 'Resolving a conversation by an invalid e-mail address'),
    'conversation.malformedPhoneIsRefused': refuses(
      ['phone'],
      'Resolving a conversation by a phone number that cannot be one',
    ),
    'conversation.nationalPhoneIsRefused': {
      ...refuses(['phone'], 'Resolving a conversation by a phone number that is not in E.164 format'),
      reason: 'A service that knows the country of the team may read a national number all the same.',
      assumption: 'nationalPhone',
    },
    'conversation.missingContactIsMade':
      'Resolving an address that no contact has creates a contact with that address.',
    'conversation.missingConversationIsMade':
      'Resolving the address of an existing contact without a conversation creates the conversation.',
  }),
  requirements('Conversations', ['createContactWithConversation'], {
    'conversation.findAgainIsTheSame': {
      words: 'Resolving the same address again returns the same contact and the same conversation.',
      operations: ['findOrCreateConversation'],
    },
    'conversation.createWithContactRequires': requires(
      'Creating a contact together with a conversation',
      'firstName',
      'lastName',
    ),
    'conversation.requiredFieldsSuffice': suffices(
      'A contact can be created together with a conversation from its names alone: an address is only recommended.',
      'firstName',
      'lastName',
    ),
    'conversation.newContactIsALead':
      'A contact created together with a conversation has the lifecycle stage Lead unless another one is sent.',
    'conversation.newContactKeepsItsStage':
      'A contact created together with a conversation has the lifecycle stage that was sent.',
    'conversation.newContactJoinsItsGroup': {
      words: 'A contact created together with a conversation and a groupId is a member of that group.',
      reason:
        'The field is listed as the id of a contact group; it is not stated that the contact then shows the group.',
      follows: 'The groupIds of a contact are described as the ids of its groups.',
    },
    'conversation.emailFindsTheContact':
      'Creating a contact together with a conversation reuses the existing contact with the same e-mail address, and its conversation.',
    'conversation.phoneFindsTheContact':
      'Creating a contact together with a conversation reuses the existing contact with the same phone number, and its conversation.',
  }),
  requirements('Conversations', ['createConversation'], {
    'conversation.createRequires': requiresOne('Creating a conversation', 'contactId'),
    'conversation.createNeedsAKnownContact': 'Creating a conversation for a contact that does not exist is refused.',
    'conversation.createAgainReturnsTheFirst':
      'Creating a conversation for a contact that already has one returns the existing conversation.',
    'conversation.createAgainSaysSo':
      'The message says, in whatever words, that the contact already had a conversation.',
  }),
  requirements('Conversations', ['listConversationsOfContact'], {
    'conversation.listHoldsTheConversation':
      'Listing the conversations of a contact returns a list that contains the conversation created for it.',
    'conversation.listIsOfOneContact':
      'Listing the conversations of a contact returns no conversation of another contact.',
  }),
] as const
