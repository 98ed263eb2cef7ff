import { resolutions, sends, sendsByPhone } from '../operation-groups.ts'
import { register } from './register.ts'

/** Conversation resolution: finding or creating a conversation and its contact. */
export const conversations = register('Conversations', ['createContactWithConversation'], {
  resolutionEndpoints: {
    section: 'Common conventions',
    question: 'Which operations are the “conversation-resolution endpoints” that refuse unlisted fields?',
    operations: ['createContactWithConversation', 'createConversation'],
    choices: {
      allThree: 'all three that find or create a conversation',
      byPhoneAndEmailOnly: 'only the one by phone and e-mail; the others do what the rest of the API does',
    },
    likely: 'The convention mentions endpoints, in the plural.',
    probe: 'create a conversation for a test contact, with an unlisted field in the body',
  },
  nationalPhone: {
    question: 'A phone number that has to be in E.164 form is a national one, such as 030 1234567: what happens?',
    operations: ['findOrCreateConversation', 'createContactWithConversation', ...sendsByPhone],
    choices: { refused: 'the request is refused (400)', accepted: 'the number is used as it was sent' },
    likely: 'The format is E.164; only a service that knows the country of the team could read the number.',
    probe: 'resolve with an unused e-mail address and a phone number without its country code',
  },
  resolveWithoutAddress: {
    question: 'A conversation is resolved with neither a phone number nor an e-mail address: what happens?',
    operations: ['findOrCreateConversation'],
    choices: {
      refused: 'the request is refused (400)',
      createsEmpty: 'a contact without an address is created, with its conversation',
    },
    likely: 'Each address is optional “if” the other is given.',
    probe: 'resolve with an empty object',
  },
  existingContactOnCreate: {
    question: 'A contact is created together with its conversation, but exists already: are the sent fields written?',
    choices: {
      untouched: 'no: the contact stays as it is, and does not get the default lifecycle stage either',
      updated: 'yes: the sent names and lifecycle stage replace the existing ones',
    },
    likely: 'The existing contact is said to be reused, not updated.',
    probe: 'create a contact, create it again with a conversation and another name, and read the name',
  },
  groupOnReuse: {
    question: 'A contact is created together with its conversation, but exists already: is it added to the sent group?',
    choices: { ignored: 'no', added: 'yes, in addition to the groups that it is in' },
    probe:
      'create a contact, create it again with a conversation and a groupId, and read its groups with an empty update',
  },
  addressFilledIn: {
    question: 'An existing contact is resolved with an address that it lacks: is the address added to the contact?',
    operations: ['findOrCreateConversation', 'createContactWithConversation'],
    choices: { untouched: 'no', filled: 'yes; an address that it has is never replaced' },
    probe: 'create a contact with an e-mail address, resolve with that and a phone number, and read the number',
  },
  nameOfNewContact: {
    question: 'What is the name of a contact that a resolution or a send has created?',
    operations: ['findOrCreateConversation', ...sends],
    choices: {
      addressAsFirstName: 'the address as the first name, and an empty last name',
      empty: 'both names are empty',
    },
    probe: 'resolve with an unused address, and read the name of the contact',
  },
  newContactLifecycle: {
    section: 'Contact',
    question: 'Lead is the default lifecycle stage in one operation: what is the default in the others?',
    operations: ['createContact', 'createOrUpdateContact', 'findOrCreateConversation', ...sends],
    choices: { absent: 'none, until one is set', lead: 'Lead as well' },
    probe: 'create a contact without a lifecycle stage',
  },
  populatedName: {
    section: 'Conversation',
    question: 'What is the name of the contact in a conversation?',
    operations: [...resolutions, 'getConversation', 'listConversationsOfContact'],
    choices: { firstSpaceLast: 'the first name, a space, the last name', firstOnly: 'only the first name' },
    likely: 'The name of a person is usually put together like this.',
    probe: 'create a contact with its conversation, and read the name',
  },
  populatedAddress: {
    section: 'Conversation',
    question: 'The contact in a conversation has no e-mail address or no phone number: what is in that field?',
    operations: [...resolutions, 'getConversation', 'listConversationsOfContact'],
    choices: { absent: 'the field is left out', emptyString: 'an empty string' },
    likely: 'MongoDB leaves out fields that were never set.',
    probe: 'resolve with only a phone number, and look for the e-mail address',
  },
  conversationsOfUnknownContact: {
    question: 'What is the response to listing the conversations of a contact that does not exist?',
    operations: ['listConversationsOfContact'],
    choices: { notFound: '404', emptyList: 'an empty list' },
    probe: 'list the conversations of a deleted contact',
  },
})
