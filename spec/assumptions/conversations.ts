import { resolutions, sends } from '../operation-groups.ts'
import { register } from './register.ts'

/** Finding or creating a conversation, and the contact it belongs to. */
export const conversations = register({
  resolutionEndpoints: {
    section: 'Common conventions',
    question: 'Which operations are the “conversation-resolution endpoints” that refuse unlisted fields?',
    operations: ['createContactWithConversation', 'createConversation'],
    choices: {
      allThree: 'all three that answer with one conversation',
      byPhoneAndEmailOnly: 'the one by phone and e-mail only; the others do what the rest of the API does',
    },
    assumed: 'allThree',
    probe: 'create a conversation for a contact of our own, with a field of our own in the body',
  },
  resolveWithoutAddress: {
    section: 'Conversations',
    question: 'A conversation is resolved with neither a phone number nor an e-mail address: what happens?',
    operations: ['findOrCreateConversation'],
    choices: {
      refused: 'it is refused (400)',
      createsEmpty: 'a contact without any address is created, and its conversation',
    },
    assumed: 'refused',
    probe: 'resolve with an empty object',
  },
  existingContactOnCreate: {
    section: 'Conversations',
    question:
      'A contact is to be created with its conversation and turns out to be known: are the given fields written?',
    operations: ['createContactWithConversation'],
    choices: {
      untouched: 'no: the contact stays as it was, without even the default lifecycle stage',
      updated: 'yes: the given names and lifecycle stage replace the known ones',
    },
    assumed: 'untouched',
    probe: 'create a contact, then create it with a conversation under another name, and read the name',
  },
  groupOnReuse: {
    section: 'Conversations',
    question: 'The same with groupId: is a known contact added to the group?',
    operations: ['createContactWithConversation'],
    choices: { ignored: 'no', added: 'yes, beside the groups that it is in' },
    assumed: 'ignored',
    probe: 'create a contact, create it with a conversation and a groupId, and read its groups from an empty update',
  },
  addressFilledIn: {
    section: 'Conversations',
    question: 'A known contact is resolved with an address that it lacks: is the address written to the contact?',
    operations: ['findOrCreateConversation', 'createContactWithConversation'],
    choices: { untouched: 'no', filled: 'yes; an address that it has is never replaced' },
    assumed: 'untouched',
    probe: 'create a contact with an e-mail address, resolve with that and a phone number, and read the number',
  },
  nameOfNewContact: {
    section: 'Conversations',
    question: 'What are the names of a contact that a resolution or a send has created?',
    operations: ['findOrCreateConversation', ...sends],
    choices: {
      addressAsFirstName: 'the address as the first name, and an empty last name',
      empty: 'both are empty',
    },
    assumed: 'addressAsFirstName',
    probe: 'resolve with an address that nobody has, and read the name of the contact',
  },
  newContactLifecycle: {
    section: 'Contact',
    question: 'Lead is the default lifecycle stage of one operation: which stage has a contact that is made elsewhere?',
    operations: ['createContact', 'createOrUpdateContact', 'findOrCreateConversation', ...sends],
    choices: { absent: 'none, until one is set', lead: 'Lead as well' },
    assumed: 'absent',
    probe: 'create a contact without a stage',
  },
  populatedName: {
    section: 'Conversation',
    question: 'How is the name of the contact in a conversation made?',
    operations: [...resolutions, 'getConversation', 'listConversationsOfContact'],
    choices: {
      firstSpaceLast: 'the first name, a space, the last name',
      firstOnly: 'the first name alone',
    },
    assumed: 'firstSpaceLast',
    probe: 'create a contact with its conversation, and read the name',
  },
  populatedAddress: {
    section: 'Conversation',
    question: 'The contact in a conversation has no e-mail address or no phone number: what stands in that field?',
    operations: [...resolutions, 'getConversation', 'listConversationsOfContact'],
    choices: { absent: 'the field is left out', emptyString: 'an empty string' },
    assumed: 'absent',
    probe: 'resolve with a phone number alone, and look for the e-mail address',
  },
  conversationsOfUnknownContact: {
    section: 'Conversations',
    question: 'What answers the list of the conversations of a contact that is not there?',
    operations: ['listConversationsOfContact'],
    choices: { notFound: '404', emptyList: 'an empty list' },
    assumed: 'notFound',
    probe: 'list the conversations of a contact that was deleted',
  },
})
