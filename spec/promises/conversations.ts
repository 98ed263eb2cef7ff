import type { Wordings } from './wording.ts'

const doors = ['findOrCreateConversation', 'createContactWithConversation', 'createConversation'] as const
const addressed = ['findOrCreateConversation', 'createContactWithConversation'] as const
const answering = [...doors, 'getConversation'] as const
const showing = [...answering, 'listConversationsOfContact'] as const

/** One for each contact of a team. */
export const conversations = {
  Limits: {
    'conversation.oneEachContact': {
      words: 'However often and by whichever operation a conversation is asked for, a contact has one.',
      operations: [...doors, 'listConversationsOfContact'],
    },
  },
  Conversation: {
    'conversation.hasIdTeamAndTime': {
      words: 'A conversation shows its id, its team and when it was created.',
      operations: showing,
      fields: ['_id', 'teamId', 'createdAt'],
    },
    'conversation.createdAtIsIso': {
      words: 'The creation time of a conversation is an ISO 8601 timestamp.',
      operations: showing,
    },
    'conversation.contactIsPopulated': {
      words: 'The contactId of a conversation is the contact as an object, and not merely an id.',
      operations: showing,
      fields: ['_id', 'name', 'email', 'phoneNumber'],
    },
    'conversation.contactIsTheOneMeant': {
      words: 'The populated contact has the id, e-mail and phone number of the contact that the conversation is with.',
      operations: showing,
      fields: ['_id', 'email', 'phoneNumber'],
    },
    'conversation.idOpensIt': {
      words: 'The id in an answer, used as conversationId, leads back to the same conversation.',
      operations: [...doors, 'getConversation', 'listMessages'],
    },
  },
  Index: {
    'conversation.findOrCreateAnswers200': {
      words: 'Finding or creating a conversation by address answers 200, whether it was there or not.',
      operations: ['findOrCreateConversation'],
      status: 200,
    },
    'conversation.createWithContactAnswers200': {
      words: 'Creating a contact together with a conversation answers 200, whether they were there or not.',
      operations: ['createContactWithConversation'],
      status: 200,
    },
    'conversation.createAnswers201': {
      words: 'Creating the first conversation of a contact answers 201.',
      operations: ['createConversation'],
      status: 201,
    },
    'conversation.createAgainAnswers200': {
      words: 'Creating a conversation for a contact that has one answers 200.',
      operations: ['createConversation'],
      status: 200,
    },
    'conversation.getAnswers200': {
      words: 'Getting a conversation answers 200.',
      operations: ['getConversation'],
      status: 200,
    },
    'conversation.listAnswers200': {
      words: 'Listing the conversations of a contact answers 200.',
      operations: ['listConversationsOfContact'],
      status: 200,
    },
  },
  Conversations: {
    'conversation.answersWithOne': {
      words: 'The data of an answer about one conversation is that conversation, not a list.',
      operations: answering,
    },
    'conversation.findRefusesUnlistedFields': {
      words: 'Finding or creating by address refuses a field that is not listed with 400.',
      operations: ['findOrCreateConversation'],
      status: 400,
    },
    'conversation.emailAloneIsEnough': {
      words: 'A conversation can be resolved from an e-mail address without a phone number.',
      operations: addressed,
    },
    'conversation.phoneAloneIsEnough': {
      words: 'A conversation can be resolved from a phone number without an e-mail address.',
      operations: addressed,
    },
    'conversation.malformedEmailIsRefused': {
      words: 'Resolving from an e-mail that is not an address is answered 400.',
      operations: addressed,
      status: 400,
    },
    'conversation.malformedPhoneIsRefused': {
      words: 'Resolving from a phone number that is not in E.164 form is answered 400.',
      operations: addressed,
      status: 400,
    },
    'conversation.missingContactIsMade': {
      words: 'An address that no contact has yields a new contact with that address.',
      operations: addressed,
    },
    'conversation.missingConversationIsMade': {
      words: 'A known contact without a conversation is given one when it is resolved.',
      operations: addressed,
    },
    'conversation.findAgainIsTheSame': {
      words: 'Resolving the same address again leads to the same contact and the same conversation.',
      operations: ['findOrCreateConversation'],
    },
    'conversation.createWithContactRequires': {
      words: 'Creating a contact with a conversation is answered 400 when one of its required fields is missing.',
      operations: ['createContactWithConversation'],
      status: 400,
      fields: ['firstName', 'lastName'],
    },
    'conversation.newContactIsALead': {
      words: 'A contact created with a conversation is at the stage Lead unless a stage is given.',
      operations: ['createContactWithConversation'],
    },
    'conversation.newContactKeepsItsStage': {
      words: 'A contact created with a conversation is at the stage that was given.',
      operations: ['createContactWithConversation'],
    },
    'conversation.newContactJoinsItsGroup': {
      words: 'A contact created with a conversation and a groupId is a member of that group.',
      operations: ['createContactWithConversation'],
      strength: 'usual',
      reason: 'The field is listed as the id of a contact group; that the contact then shows the group is not stated.',
    },
    'conversation.emailFindsTheContact': {
      words: 'Creating with the e-mail address of a known contact uses that contact and its conversation.',
      operations: ['createContactWithConversation'],
    },
    'conversation.phoneFindsTheContact': {
      words: 'Creating with the phone number of a known contact uses that contact and its conversation.',
      operations: ['createContactWithConversation'],
    },
    'conversation.createRequires': {
      words: 'Creating a conversation without a contactId is answered 400.',
      operations: ['createConversation'],
      status: 400,
      fields: ['contactId'],
    },
    'conversation.createNeedsAKnownContact': {
      words: 'Creating a conversation for a contact that does not exist is refused.',
      operations: ['createConversation'],
    },
    'conversation.createAgainReturnsTheFirst': {
      words: 'Creating a conversation for a contact that has one returns the one that it has.',
      operations: ['createConversation'],
    },
    'conversation.createAgainSaysSo': {
      words: 'The message says "already exists" when the contact had a conversation before.',
      operations: ['createConversation'],
    },
    'conversation.listHoldsTheConversation': {
      words: 'The data of the list of a contact is a list, and holds the conversation that was created for it.',
      operations: ['listConversationsOfContact'],
    },
    'conversation.listIsOfOneContact': {
      words: 'The list of a contact holds no conversation of a different contact.',
      operations: ['listConversationsOfContact'],
    },
  },
} as const satisfies Wordings<'conversation'>
