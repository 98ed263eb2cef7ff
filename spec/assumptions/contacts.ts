import { contactDeletes, contactWrites, findsByEmail, findsByPhone, findsContact } from '../operation-groups.ts'
import { register } from './register.ts'

/** Contacts: matching, fields, deletion of related data. */
export const contacts = register('Contacts', contactWrites, {
  contactMatching: {
    question: 'E-mail address and phone number match different contacts: which contact is used?',
    operations: ['createOrUpdateContact', 'findOrCreateConversation', 'createContactWithConversation'],
    choices: {
      emailThenPhone: 'the one with that e-mail address',
      phoneThenEmail: 'the one with that phone number',
      refuse: 'none: the request is refused (400)',
    },
    probe: 'create two contacts, then upsert with the e-mail address of one and the phone number of the other',
  },
  upsertMatching: {
    question: 'An upsert matches “on email and phone”, and no contact has both: does a contact with one of them match?',
    operations: ['createOrUpdateContact'],
    choices: {
      either: 'yes: it is updated',
      both: 'no: a new contact is created, also when only the e-mail address of a contact with a phone number is sent',
    },
    reason: '“On email and phone” can mean either or both.',
    probe: 'create a contact, upsert with its e-mail address and another phone number, and compare the ids',
  },
  severalMatches: {
    question: 'Several contacts have the same address: which one is used?',
    operations: findsContact,
    choices: {
      oldest: 'the one created first',
      newest: 'the one created last',
      refused: 'none: the request is refused (400)',
    },
    likely: 'A query for one record finds the oldest first.',
    probe: 'create two contacts with one e-mail address, upsert with it, and compare the ids',
  },
  addressCompare: {
    question: 'When are two e-mail addresses equal?',
    operations: [...findsByEmail, 'createContact', 'updateContact', 'deleteContactsByEmail'],
    choices: {
      ignoringCase: 'when they differ at most in upper and lower case',
      exact: 'when every character is the same',
    },
    probe: 'create a contact, and upsert with its e-mail address in upper case',
  },
  phoneCompare: {
    question: 'When are two phone numbers equal?',
    operations: [...findsByPhone, 'createContact', 'updateContact'],
    choices: {
      exact: 'when every character is the same',
      ignoringPunctuation: 'when their digits are the same, whatever is between them',
    },
    likely: 'A query compares the stored text.',
    probe: 'create a contact with spaces in its phone number, and upsert with the same number without spaces',
  },
  emailStored: {
    section: 'Contact',
    question: 'An e-mail address is sent with capital letters: how is it stored and returned?',
    operations: ['createContact', 'updateContact', ...findsByEmail],
    choices: { asSent: 'as it was sent', lowerCase: 'in lower case' },
    probe: 'create a contact with capital letters in its e-mail address',
  },
  contactEmailForm: {
    question: 'Must the e-mail address of a contact be valid?',
    choices: { checked: 'yes (otherwise 400)', anyString: 'no: any text is accepted' },
    reason:
      'The table says “string” only; other operations require the e-mail format, and cannot find a contact without it.',
    probe: 'create a contact with the e-mail address `x`',
  },
  contactPhoneForm: {
    question: 'E.164 is recommended for the phone number of a contact: is it required?',
    choices: { anyString: 'no: any text is accepted', checked: 'yes (otherwise 400)' },
    likely: 'E.164 is only recommended.',
    probe: 'create a contact with the phone number `555 0123`',
  },
  sameAddressTwice: {
    question: 'Can a contact get an e-mail address or phone number that another contact has?',
    choices: { accepted: 'yes: both have it', refused: 'no (400)' },
    likely: 'A delete by e-mail deletes “all matching contacts”, so there can be several.',
    probe: 'create two contacts with one e-mail address',
  },
  newContactStatus: {
    section: 'Contact',
    question: 'What is the status of a contact created without one?',
    operations: ['createContact', ...findsContact],
    choices: { open: 'open', absent: 'none, until one is set' },
    likely: 'It is the first of the three values, and a schema usually has a default.',
    probe: 'create a contact without a status',
  },
  unchangedUpdate: {
    section: 'Contact',
    question: 'An update sends the values that a contact already has: does its updatedAt move?',
    operations: ['updateContact', 'createOrUpdateContact'],
    choices: { moves: 'yes', stays: 'no' },
    reason: 'An update query of Mongoose sets it each time; a document that is saved without a change keeps it.',
    probe: 'create a contact, and update it with its own firstName until the updatedAt moves',
  },
  statusMoves: {
    section: 'States and transitions',
    question: 'Which changes of the status of a contact or a quote are allowed?',
    operations: ['updateContact', 'createOrUpdateContact', 'updateQuote'],
    choices: {
      any: 'all',
      forwardOnly:
        'only to a later one (otherwise 400): open, in-progress, closed; or draft, then sent or published, then the others',
    },
    likely: 'The table of states lets an update give a quote any status, and no rule for contacts is mentioned.',
    probe: 'create a closed contact, and set its status to open; the same with a quote that is accepted',
  },
  otherLifecycleStage: {
    section: 'Contact',
    question: 'Can the lifecycle stage be a value that is not among the named ones?',
    operations: [...contactWrites, 'createContactWithConversation'],
    choices: { accepted: 'yes', refused: 'no (400)' },
    likely: 'The field is a string without a list of values in the tables of the operations.',
    probe: 'create a contact with an invented lifecycle stage',
  },
  upsertStatus: {
    question: 'The status of an upsert is documented as a string without a list of values: which are accepted?',
    operations: ['createOrUpdateContact'],
    choices: { anyString: 'any', sameEnum: 'open, in-progress and closed, as on other operations (otherwise 400)' },
    probe: 'upsert with an invented status',
  },
  upsertUnsentFields: {
    question: 'What does an upsert do to the fields of an existing contact that it does not send?',
    operations: ['createOrUpdateContact'],
    choices: { kept: 'nothing', cleared: 'it clears those that an upsert can send' },
    likely: 'An update sets only the fields of the request.',
    probe: 'create a contact with a source, upsert without it, and read it',
  },
  fieldsNotGiven: {
    section: 'Contact',
    question: 'A contact has no groups or custom fields: what are its groupIds and additionalFields?',
    operations: [...contactWrites, 'deleteContact'],
    choices: { empty: 'an empty list and an empty object', absent: 'they are left out' },
    likely: 'Mongoose gives a list that was not set the value [].',
    probe: 'create a contact with only its names',
  },
  contactReferences: {
    section: 'Contact',
    question:
      'A contact refers to a group or company that does not exist, or a company to a contact that does not: what happens?',
    operations: ['createContact', 'updateContact', 'createContactWithConversation', 'createCompany', 'updateCompany'],
    choices: { accepted: 'the id is stored as it was sent', refused: 'the request is refused (400)' },
    likely: 'MongoDB does not check references.',
    probe: 'update a contact with the id of a deleted company',
  },
  noContactWithEmail: {
    question: 'Contacts are deleted by an e-mail address that no contact has: what is the response?',
    operations: ['deleteContactsByEmail'],
    choices: { countsZero: 'a success with a count of 0', notFound: '404' },
    likely: 'The message states a count, which may be 0.',
    probe: 'delete by an unused address at example.com',
  },
  deletedWithContact: {
    question: 'Which “associated data” is deleted with a contact?',
    operations: contactDeletes,
    choices: {
      conversationAndMessages: 'its conversation and the messages in it',
      alsoDealsAndQuotes: 'its conversation, its messages, the deals that refer to it, and their quotes',
    },
    probe: 'create a contact and a deal that refers to it, delete the contact, and update the deal',
  },
  referencesAfterDelete: {
    question: 'Do other records keep the id of a deleted contact or company?',
    operations: [...contactDeletes, 'deleteCompany'],
    choices: { kept: 'yes, although the record no longer exists', cleared: 'no: the id is removed from them' },
    likely: 'MongoDB does not check references.',
    probe: 'create a company and a contact in it, delete the company, and read the contact with an empty update',
  },
})
