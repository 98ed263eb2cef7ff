import type { singleSends } from '../../../spec/operation-groups.ts'
import type { Break } from '../broken-copy.ts'
import { readAs, unchecked } from '../checks-of-a-body.ts'

/** The operation refuses what it ought to take. */
const refusing = (operation: (typeof singleSends)[number], condition: string): Break => ({
  file: 'operations/messages.ts',
  rule: `async ${operation}({ body, team, assumed }) {`,
  instead: `async ${operation}({ body, team, assumed }) {\n    if (${condition}) refuse('this send is not taken')`,
})

export const messages = {
  'message.goesToTheConversationNamed': {
    file: 'rules/message-of-a-send.ts',
    rule: 'conversationId: conversation._id',
    instead: 'conversationId: contact._id',
  },
  'message.addressAloneIsEnough': {
    file: 'rules/target-of-a-send.ts',
    rule: 'if (to === undefined) refuse(',
    instead: 'refuse(',
  },
  'message.contactAloneIsEnough': {
    file: 'rules/target-of-a-send.ts',
    rule: 'const id = contactId ?? recipientId',
    instead: 'const id = recipientId',
  },
  'message.recipientIdMeansContactId': {
    file: 'rules/target-of-a-send.ts',
    rule: 'const id = contactId ?? recipientId',
    instead: 'const id = contactId',
  },
  'message.missingContactIsMade': {
    file: 'rules/new-contact.ts',
    rule: "{ firstName, lastName: '', ...addresses }",
    instead: "{ firstName, lastName: '' }",
  },
  'message.missingConversationIsMade': {
    file: 'rules/target-of-a-send.ts',
    rule: 'const { conversation } = await conversationWith(contact, team)',
    instead: "const [conversation] = await team.conversations.find('contactId', contact._id)",
  },
  'message.knownContactIsReached': {
    file: 'rules/resolving-a-contact.ts',
    rule: 'const known = await matchingContact(team, addresses, assumed)',
    instead: 'const known = undefined',
  },
  'message.providerById': {
    file: 'rules/provider-of-a-send.ts',
    rule: 'if (byId) return byId',
    instead: '',
  },
  'message.providerByAddress': {
    file: 'rules/provider-of-a-send.ts',
    rule: 'return byAddress.find((provider) => provider.channel === channel) ?? byAddress[0]',
    instead: 'return undefined',
  },
  'message.needsATarget': {
    file: 'rules/target-of-a-send.ts',
    rule: "if (to === undefined) refuse('a recipient id is required: give conversationId, contactId, recipientId or to')",
    instead: '',
  },
  'message.unknownConversationIsRefused': {
    file: 'rules/target-of-a-send.ts',
    rule: 'if (conversationId === undefined) return',
    instead: 'if (!conversationId || !(await team.conversations.get(conversationId))) return',
  },

  'message.answersWithTheMessage': {
    file: 'rules/message-of-a-send.ts',
    rule: ', contactId: contact._id }',
    instead: ' }',
  },
  'message.keepsItsChannel': {
    file: 'operations/messages.ts',
    rule: '{ channel: body.channel, ...said }',
    instead: "{ channel: 'sms', ...said }",
  },
  'message.keepsItsContent': {
    file: 'rules/message-shown.ts',
    rule: '{ content: contentOf(record, assumed) }',
    instead: "{ content: contentOf(record, assumed).replace(/<[^>]*>/g, '') }",
  },
  'message.isOutgoing': {
    file: 'rules/message-of-a-send.ts',
    rule: "direction: 'outgoing'",
    instead: "direction: 'outbound'",
  },
  'message.isSent': {
    file: 'rules/message-of-a-send.ts',
    rule: "status: 'sent'",
    instead: "status: 'queued'",
  },
  'message.contactIsAnId': {
    file: 'rules/message-shown.ts',
    rule: '{ content: contentOf(record, assumed) }',
    instead: '{ content: contentOf(record, assumed), contactId: { _id: sent.contactId } }',
  },
  'message.createdAtIsIso': {
    file: 'rules/message-shown.ts',
    rule: '{ content: contentOf(record, assumed) }',
    instead: '{ content: contentOf(record, assumed), createdAt: Date.parse(sent.createdAt) }',
  },
  'message.emailKeepsItsSubject': {
    file: 'rules/message-shown.ts',
    rule: 'const message = shownMessage(record, assumed)',
    instead: 'const { subject, ...message } = shownMessage(record, assumed)',
  },
  'message.onlyEmailHasASubject': {
    file: 'rules/message-shown.ts',
    rule: 'merged(sent, {',
    instead: "merged({ subject: '', ...sent }, {",
  },
  'message.historyHoldsEverySend': {
    file: 'operations/messages.ts',
    rule: 'for (const other of others)',
    instead: 'for (const other of [first, ...others])',
  },

  'message.unlistedFieldsAreRefused': unchecked('is not a field of this request'),
  'message.wrongTypesAreRefused': readAs('sendLiveMessage', '(body) => ({ ...body, content: String(body.content) })'),

  'message.liveAnswers200': {
    file: 'operations/messages.ts',
    rule: "return ok('Message sent', shownMessage(message, assumed))\n  },\n\n",
    instead: "return { ...ok('Message sent', shownMessage(message, assumed)), status: 201 }\n  },\n\n",
  },
  'message.emailAnswers200': {
    file: 'operations/messages.ts',
    rule: "return ok('E-mail sent', merged(shownMessage(message, assumed), { subject }))",
    instead: "return { ...ok('E-mail sent', merged(shownMessage(message, assumed), { subject })), status: 201 }",
  },
  'message.phoneAnswers200': {
    file: 'operations/messages.ts',
    rule: "return ok('Message sent', shownMessage(message, assumed))\n  },\n}",
    instead: "return { ...ok('Message sent', shownMessage(message, assumed)), status: 201 }\n  },\n}",
  },

  'message.liveRequires': readAs('sendLiveMessage', "(body) => ({ channel: 'chat', ...body })"),
  'message.liveIsChatOnly': unchecked('channel must be chat'),
  'message.mergeFieldsAreTaken': refusing('sendLiveMessage', "body.content.includes('{{')"),
  'message.liveTakesOptionalFields': refusing('sendLiveMessage', 'body.attachments'),
  'message.liveMediaMayBeNull': refusing('sendLiveMessage', 'body.mediaUrl === null'),
  'message.malformedPhoneIsRefused': unchecked('to must be in E.164 form'),
  'message.attachmentsAreTaken': refusing(
    'sendLiveMessage',
    "body.attachments?.some(({ fileSize }) => typeof fileSize !== 'number')",
  ),
  'message.attachmentTypesAreTaken': refusing(
    'sendEmailMessage',
    "body.attachments?.some(({ mediaType }) => mediaType === '')",
  ),
  'message.otherAttachmentTypesAreRefused': unchecked('mediaType must be one of'),

  'message.emailRequires': readAs('sendEmailMessage', "(body) => ({ subject: '(no subject)', ...body })"),
  'message.emailIsEmailOnly': unchecked('channel must be email'),
  'message.malformedEmailIsRefused': unchecked('to must be an e-mail address'),
  'message.recipientIdsAloneAreEnough': {
    file: 'rules/recipients-of-an-email.ts',
    rule: 'if (!first) refuse(',
    instead: 'if (named.to === undefined) refuse(',
  },
  'message.recipientIdsMayJoinTo': refusing('sendEmailMessage', 'body.recipientIds && body.to'),
  'message.emailTakesOptionalFields': refusing('sendEmailMessage', 'body.mediaUrl'),
  'message.emailTakesThreading': refusing(
    'sendEmailMessage',
    'body.quotedMessageId && !(await team.messages.get(body.quotedMessageId))',
  ),

  'message.phoneRequires': readAs('sendMessage', "(body) => ({ channel: 'sms', ...body })"),
  'message.phoneChannelsAreTaken': refusing('sendMessage', "body.channel === 'whatsapp'"),
  'message.otherPhoneChannelsAreRefused': unchecked('channel must be one of sms, whatsapp'),
  'message.phoneTakesOptionalFields': refusing('sendMessage', 'body.mediaUrl'),
  'message.whatsappTakesATemplate': {
    file: 'operations/messages.ts',
    rule: "if (body.channel === 'sms') checkNoTemplate(body, assumed)",
    instead: 'checkNoTemplate(body, assumed)',
  },
} satisfies Record<string, Break>
