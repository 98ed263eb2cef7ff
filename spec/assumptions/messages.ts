import { sends, singleSends } from '../operation-groups.ts'
import { register } from './register.ts'

/** Whom a message reaches, by which provider, and what is shown of it. */
export const messages = register({
  unknownTarget: {
    section: 'Errors',
    question: 'What answers a body that names a contact or a conversation that is not there?',
    operations: ['createConversation', ...singleSends],
    choices: { notFound: '404', badRequest: '400' },
    assumed: 'notFound',
    probe: 'create a conversation for a contact that was deleted',
  },
  disagreeingTargets: {
    section: 'What the service does',
    question: 'A send names a conversation, and also a person who is not the contact of it: what happens?',
    operations: singleSends,
    choices: {
      conversationWins: 'it goes to the conversation, and the person is ignored',
      refused: 'it is refused (400)',
    },
    assumed: 'conversationWins',
    probe: { sends: 'send a chat message in a conversation of our own, with the contactId of another contact of ours' },
  },
  disagreeingReceivers: {
    section: 'What the service does',
    question: 'contactId, its alias recipientId and `to` of one send mean different people: which of them is meant?',
    operations: ['sendLiveMessage', 'sendMessage'],
    choices: {
      contactIdWins: 'contactId, then recipientId, then `to`',
      refused: 'none: it is refused (400)',
    },
    assumed: 'contactIdWins',
    probe: { sends: 'send a chat message with the contactId of one contact of ours and the recipientId of another' },
  },
  receiverWithoutAddress: {
    section: 'What the service does',
    question: 'A contact is sent an e-mail, SMS or WhatsApp message, and has no address for it: what happens?',
    operations: ['sendEmailMessage', 'sendMessage'],
    choices: { refused: 'it is refused (400)', accepted: 'it counts as sent' },
    assumed: 'refused',
    probe: { sends: 'send an e-mail to a contact of our own that has a phone number alone' },
  },
  unknownProvider: {
    section: 'What the service does',
    question: 'What answers a providerId that the team does not have on file?',
    operations: ['sendEmailMessage', 'sendMessage', 'sendBulkMessages'],
    choices: { refused: 'a refusal (400)', accepted: 'what answers any send' },
    assumed: 'refused',
    probe: { sends: 'send an e-mail to an address of our own by a provider that is not there' },
  },
  providerOfOtherChannel: {
    section: 'SMS and whatsapp',
    question: 'A bulk send needs a provider of its channel: does a single send?',
    operations: ['sendEmailMessage', 'sendMessage'],
    choices: { refused: 'yes (400 otherwise)', accepted: 'no' },
    assumed: 'refused',
    probe: { sends: 'send an SMS to a number of our own by an e-mail provider' },
  },
  contactIdOnEmail: {
    section: 'Email',
    question:
      'The rule for all sends names contactId and recipientId, the table of e-mails does not: does an e-mail take them?',
    operations: ['sendEmailMessage'],
    choices: { refused: 'no: they are fields that are not listed (400)', accepted: 'yes, as the other sends do' },
    assumed: 'refused',
    probe: { sends: 'send an e-mail to a contact of our own by contactId' },
  },
  severalRecipients: {
    section: 'Email',
    question: 'An e-mail is sent to several recipientIds: what becomes of it?',
    operations: ['sendEmailMessage'],
    choices: {
      oneMessageEach: 'a message in the conversation of each; the answer is the first',
      oneMessage: 'one message, in the conversation named or else that of the first',
    },
    assumed: 'oneMessageEach',
    probe: { sends: 'send an e-mail to two contacts of our own, and read both histories' },
  },
  toAndRecipientIds: {
    section: 'Email',
    question: 'An e-mail has both `to` and recipientIds: whom does it reach?',
    operations: ['sendEmailMessage'],
    choices: { both: 'all of them', toOnly: 'the address in `to` alone' },
    assumed: 'both',
    probe: { sends: 'send an e-mail to an address and a contact of our own, and read both histories' },
  },
  emailWithoutRecipientIds: {
    section: 'Email',
    question: 'An e-mail is sent in a conversation without recipientIds: whom does it reach?',
    operations: ['sendEmailMessage'],
    choices: { contactOfConversation: 'the contact of the conversation', refused: 'nobody: it is refused (400)' },
    assumed: 'contactOfConversation',
    probe: { sends: 'send an e-mail in a conversation of our own without recipientIds' },
  },
  replyToUnknown: {
    section: 'Email',
    question: 'An e-mail replies to a message that is not there: what happens?',
    operations: ['sendEmailMessage'],
    choices: { accepted: 'it is sent all the same', refused: 'it is refused (400)' },
    assumed: 'accepted',
    probe: { sends: 'send an e-mail to an address of our own with a replyToMessageId of our own invention' },
  },
  attachmentFields: {
    section: 'Live chat',
    question:
      'Must an attachment have all its fields, and must its mediaUrl, or that of a message, be an HTTPS address?',
    operations: sends,
    choices: { accepted: 'no: any text will do, and fields may be left out', refused: 'yes (400 otherwise)' },
    assumed: 'accepted',
    probe: { sends: 'send a chat message to a contact of our own, with an attachment that has a fileName alone' },
  },
  messageStatusLater: {
    section: 'Message',
    question: 'A message has the status `sent` after the send: what is it when its history is read later?',
    operations: ['listMessages'],
    choices: { staysSent: 'still `sent`', delivered: '`delivered`' },
    assumed: 'staysSent',
    probe: { sends: 'send a chat message to a contact of our own, and read the history after a while' },
  },
  messageFields: {
    section: 'Message',
    question: 'Which fields of a message are given back beyond those shown?',
    operations: [...singleSends, 'listMessages'],
    choices: { onlyShown: 'none', allSent: 'all that were sent with it, such as mediaUrl, attachments and source' },
    assumed: 'onlyShown',
    probe: { sends: 'send a chat message with a source to a contact of our own' },
  },
})
