import type { Break } from '../broken-copy.ts'
import { unchecked } from '../checks-of-a-body.ts'

export const conversations = {
  'conversation.oneEachContact': {
    file: 'rules/one-conversation-per-contact.ts',
    rule: 'if (known) return { conversation: known, isNew: false }',
    instead: '',
  },
  'conversation.hasIdTeamAndTime': {
    file: 'rules/conversation-shown.ts',
    rule: 'return { _id, teamId, contactId:',
    instead: 'return { _id, contactId:',
  },
  'conversation.createdAtIsIso': {
    file: 'rules/conversation-shown.ts',
    rule: 'contactId: populated(contact, assumed), createdAt }',
    instead: 'contactId: populated(contact, assumed), createdAt: createdAt.slice(0, 10) }',
  },
  'conversation.contactIsPopulated': {
    file: 'rules/conversation-shown.ts',
    rule: 'contactId: populated(contact, assumed), createdAt }',
    instead: 'contactId: contact._id, createdAt }',
  },
  'conversation.contactIsTheOneMeant': {
    file: 'rules/conversation-shown.ts',
    rule: '{ phoneNumber: phone }',
    instead: "{ phoneNumber: phone.replace('+', '') }",
  },
  'conversation.idOpensIt': {
    file: 'operations/conversations.ts',
    rule: "return ok(isNew ? 'Conversation created' : 'Conversation found', shownConversation(conversation, contact, assumed))",
    instead:
      "return ok('Conversation found', { ...shownConversation(conversation, contact, assumed), _id: contact._id })",
  },
  'conversation.findOrCreateAnswers200': {
    file: 'operations/conversations.ts',
    rule: "return ok(isNew ? 'Conversation created' :",
    instead: "return (isNew ? created : ok)(isNew ? 'Conversation created' :",
  },
  'conversation.createWithContactAnswers200': {
    file: 'operations/conversations.ts',
    rule: "return ok(isNew ? 'Conversation created' :",
    instead: "return (isNew ? created : ok)(isNew ? 'Conversation created' :",
  },
  'conversation.createAnswers201': {
    file: 'operations/conversations.ts',
    rule: "created('Conversation created', shown)",
    instead: "ok('Conversation created', shown)",
  },
  'conversation.createAgainAnswers200': {
    file: 'operations/conversations.ts',
    rule: "ok('Conversation already exists', shown)",
    instead: "created('Conversation already exists', shown)",
  },
  'conversation.getAnswers200': {
    file: 'operations/conversations.ts',
    rule: "return ok('Conversation found'",
    instead: "return created('Conversation found'",
  },
  'conversation.listAnswers200': {
    file: 'operations/conversations.ts',
    rule: "return ok(shown.length === 1 ? '1 conversation'",
    instead: "return created(shown.length === 1 ? '1 conversation'",
  },
  'conversation.answersWithOne': {
    file: 'operations/conversations.ts',
    rule: "return ok('Conversation found', shownConversation(conversation, contact, assumed))",
    instead: "return ok('Conversation found', [shownConversation(conversation, contact, assumed)])",
  },
  'conversation.findRefusesUnlistedFields': unchecked('is not a field of this request'),
  'conversation.emailAloneIsEnough': {
    file: 'operations/conversations.ts',
    rule: 'if (body.email === undefined && body.phone === undefined)',
    instead: 'if (body.phone === undefined)',
  },
  'conversation.phoneAloneIsEnough': {
    file: 'operations/conversations.ts',
    rule: 'if (body.email === undefined && body.phone === undefined)',
    instead: 'if (body.email === undefined)',
  },
  'conversation.malformedEmailIsRefused': unchecked('email must be an e-mail address'),
  'conversation.malformedPhoneIsRefused': unchecked('phone must be in E.164 form'),
  'conversation.missingContactIsMade': {
    file: 'rules/new-contact.ts',
    rule: "{ firstName, lastName: '', ...addresses }",
    instead: "{ firstName, lastName: '' }",
  },
  'conversation.missingConversationIsMade': {
    file: 'operations/conversations.ts',
    rule: 'const { conversation, isNew } = await conversationWith(contact, team)\n  return ok(isNew ?',
    instead:
      "const [conversation] = await team.conversations.find('contactId', contact._id)\n  if (!conversation) throw new NotFound()\n  return ok(false ?",
  },
  'conversation.findAgainIsTheSame': {
    file: 'rules/resolving-a-contact.ts',
    rule: 'const known = await matchingContact(team, addresses, assumed)',
    instead: 'const known = undefined',
  },
  'conversation.createWithContactRequires': unchecked('lastName is required'),
  'conversation.newContactIsALead': {
    file: 'rules/resolving-a-contact.ts',
    rule: '{ ...lead, ...fields }',
    instead: 'fields',
  },
  'conversation.newContactKeepsItsStage': {
    file: 'rules/resolving-a-contact.ts',
    rule: '{ ...lead, ...fields }',
    instead: '{ ...fields, ...lead }',
  },
  'conversation.newContactJoinsItsGroup': {
    file: 'operations/conversations.ts',
    rule: 'contactDescribedBy({ ...fields, ...groups }, team, assumed)',
    instead: 'contactDescribedBy(fields, team, assumed)',
  },
  'conversation.emailFindsTheContact': {
    file: 'rules/matching-a-contact.ts',
    rule: 'const byEmail = email === undefined ? [] : await contactsWithEmail(team, email, assumed)',
    instead: 'const byEmail = []',
  },
  'conversation.phoneFindsTheContact': {
    file: 'rules/matching-a-contact.ts',
    rule: 'const byPhone = phone === undefined ? [] : await contactsWithPhone(team, phone, assumed)',
    instead: 'const byPhone = []',
  },
  'conversation.createRequires': unchecked('contactId is required'),
  'conversation.createNeedsAKnownContact': {
    file: 'operations/conversations.ts',
    rule: "target(await team.contacts.get(body.contactId), 'contactId', assumed)",
    instead: "(await team.contacts.get(body.contactId)) ?? { _id: body.contactId, firstName: 'Unknown', lastName: '' }",
  },
  'conversation.createAgainReturnsTheFirst': {
    file: 'rules/one-conversation-per-contact.ts',
    rule: '{ conversation: known, isNew: false }',
    instead: '{ conversation: await team.conversations.insert({ contactId: contact._id }), isNew: false }',
  },
  'conversation.createAgainSaysSo': {
    file: 'operations/conversations.ts',
    rule: "ok('Conversation already exists', shown)",
    instead: "ok('Conversation found', shown)",
  },
  'conversation.listHoldsTheConversation': {
    file: 'operations/conversations.ts',
    rule: 'conversations.map(',
    instead: 'conversations.slice(1).map(',
  },
  'conversation.listIsOfOneContact': {
    file: 'operations/conversations.ts',
    rule: 'conversations.map((conversation) => shownConversation(conversation, contact, assumed))',
    instead:
      'conversations.map((conversation) => shownConversation(conversation, { ...contact, _id: conversation._id }, assumed))',
  },
} satisfies Record<string, Break>
