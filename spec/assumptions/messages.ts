import { sends, singleSends } from '../operation-groups.ts'
import { register } from './register.ts'

/** Single sends: target, provider, returned fields. */
export const messages = register('What the service does', sends, {
  unknownTarget: {
    section: 'Errors',
    question: 'What is the response to a body that names a contact or conversation that does not exist?',
    operations: ['createConversation', ...singleSends],
    choices: { notFound: '404', badRequest: '400' },
    likely: 'The text of the 404 is “Resource not found”, and the contact is a resource.',
    probe: 'create a conversation for a deleted contact',
  },
  severalTargets: {
    question:
      'A send names several people or places, such as a conversation and the contactId of another contact: what happens?',
    operations: singleSends,
    choices: {
      firstCounts:
        'the first counts: conversationId, then contactId, recipientId and `to`; an e-mail in a conversation is for its recipientIds too',
      refused: 'the send is refused (400)',
    },
    probe: { sends: 'send a chat message in the conversation of a test contact with the contactId of another' },
  },
  emptyOptionalId: {
    question:
      'An optional id of a send is an empty string or null, such as a conversationId beside `to`: what happens?',
    choices: {
      omitted: 'it counts as not sent',
      unknown: 'an empty string is an id like any other, and names no record; null is as in other fields',
    },
    likely: 'In JavaScript an empty string is false, and so is null, and a handler tests an id for truth.',
    probe: { sends: 'send a chat message to a test number with an empty conversationId' },
  },
  receiverWithoutAddress: {
    question: 'An e-mail, SMS or WhatsApp message is sent to a contact that has no address for it: what happens?',
    operations: ['sendEmailMessage', 'sendMessage'],
    choices: { refused: 'the send is refused (400)', accepted: 'the message counts as sent' },
    likely: 'There is nowhere to send to.',
    probe: { sends: 'send an e-mail to a test contact without an address, and an SMS to one without a number' },
  },
  unknownProvider: {
    question: 'What is the response to a providerId that the team does not have on file?',
    operations: ['sendEmailMessage', 'sendMessage', 'sendBulkMessages'],
    choices: { refused: '400', accepted: 'the same as to any send' },
    likely: 'A provider must be on file for the team.',
    probe: { sends: 'send an e-mail to a test address with a provider that does not exist' },
  },
  providerOfOtherChannel: {
    section: 'SMS and whatsapp',
    question: 'A bulk send needs a provider of its channel: does a single send need one too?',
    operations: ['sendEmailMessage', 'sendMessage'],
    choices: { refused: 'yes (otherwise 400)', accepted: 'no' },
    likely: 'A provider of another channel cannot send the message.',
    probe: { sends: 'send an SMS to a test number with an e-mail provider' },
  },
  contactIdOnEmail: {
    section: 'Email',
    question:
      'The rule for all sends names contactId and recipientId, the e-mail table does not: are they accepted in an e-mail?',
    operations: ['sendEmailMessage'],
    choices: { refused: 'no: they are unlisted fields (400)', accepted: 'yes, as in the other sends' },
    likely: 'Messaging accepts only the listed fields, and the table does not list them.',
    probe: { sends: 'send an e-mail to a test contact by contactId' },
  },
  severalRecipients: {
    section: 'Email',
    question: 'An e-mail has several recipientIds: what happens?',
    operations: ['sendEmailMessage'],
    choices: {
      oneMessageEach:
        'each recipient gets a message in their own conversation; the response shows that in the named conversation, or else the first',
      oneMessage: 'there is one message, in the named conversation or else in the conversation of the first recipient',
    },
    probe: { sends: 'send an e-mail to two test contacts, and read both histories' },
  },
  emailWithoutRecipientIds: {
    section: 'Email',
    question: 'An e-mail is sent in a conversation without recipientIds: who gets it?',
    operations: ['sendEmailMessage'],
    choices: {
      contactOfConversation: 'the contact of the conversation',
      refused: 'no contact: the send is refused (400)',
    },
    likely: 'The table does not mark recipientIds as required.',
    probe: { sends: 'send an e-mail in the conversation of a test contact without recipientIds' },
  },
  replyToUnknown: {
    section: 'Email',
    question: 'An e-mail replies to a message that does not exist: what happens?',
    operations: ['sendEmailMessage'],
    choices: { accepted: 'it is sent anyway', refused: 'it is refused (400)' },
    probe: { sends: 'send an e-mail to a test address with an invented replyToMessageId' },
  },
  attachmentFields: {
    section: 'Live chat',
    question:
      'Must an attachment have all its fields, and must the mediaUrl of an attachment or message be an HTTPS URL?',
    choices: { accepted: 'no: any text is accepted, and fields may be missing', refused: 'yes (otherwise 400)' },
    likely: 'The table does not mark any field of an attachment as required.',
    probe: { sends: 'send a chat message to a test contact, with an attachment that has only a fileName' },
  },
  whatsappOutsideSession: {
    section: 'SMS and whatsapp',
    question: 'A WhatsApp message has no template, and its receiver has not written for a day: what happens to it?',
    operations: ['listMessages'],
    choices: { sent: 'it counts as sent', failed: 'it has the status `failed` in the history' },
    reason: 'The platform refuses such a message some time after the service has answered.',
    probe: { sends: 'send a WhatsApp message without a template to a test number, and read the history after a while' },
  },
  messageStatusLater: {
    section: 'Message',
    question: 'A message has the status `sent` after the send: which status does it have in the history?',
    operations: ['listMessages'],
    choices: { staysSent: '`sent`', delivered: '`delivered`' },
    probe: { sends: 'send a chat message to a test contact, and read the history after a while' },
  },
  messageFields: {
    section: 'Message',
    question: 'Which fields of a message are returned besides those shown?',
    operations: [...singleSends, 'listMessages'],
    choices: { onlyShown: 'none', allSent: 'all that were sent with it, such as mediaUrl, attachments and source' },
    probe: { sends: 'send a chat message and an SMS with a source to a test contact' },
  },
})
