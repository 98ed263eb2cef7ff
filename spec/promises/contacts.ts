import { contactDeletes, contactWrites } from '../operation-groups.ts'
import {
  refuses,
  requirements,
  requires,
  returns,
  succeeds,
  suffices,
  typeIsNamed,
  updateKeepsTheRest,
  updateMayBeEmpty,
  updateTakesAnyOne,
} from './wording.ts'

const contactFields = ['firstName', 'lastName', 'email', 'phone', 'status', 'source', 'lifecycleStage'] as const
const writableFields = [...contactFields, 'groupIds', 'additionalFields'] as const
const returningContact = [...contactWrites, 'deleteContact'] as const

/** Contacts: the people a team talks to. */
export const contacts = [
  requirements('Contact', returningContact, {
    'contact.answersWithTheContact': {
      words: 'A response with a contact contains its id, names, teamId, createdAt and updatedAt.',
      fields: ['_id', 'firstName', 'lastName', 'teamId', 'createdAt', 'updatedAt'],
    },
    'contact.timesAreIso': {
      words: 'The createdAt and the updatedAt of a contact are ISO 8601 timestamps.',
      fields: ['createdAt', 'updatedAt'],
    },
    'contact.createdAtStays': {
      words: 'The createdAt of a contact stays the same through its updates and in the response to its deletion.',
      reason: 'Only the name of the field implies it.',
      follows: 'The time of the creation does not change.',
    },
    'contact.updatedAtMoves': {
      words: 'The updatedAt of a contact is never before its createdAt, and an update moves it forward.',
      reason: 'Only the name of the field implies it.',
      follows: 'The time of an update is the time at which it happens.',
    },
    'contact.lifecycleStagesAreTaken': {
      words: 'Each lifecycle stage that the specification names is accepted.',
      operations: contactWrites,
      values: ['Form', 'Live Chat', 'Ads', 'Event', 'CRM', 'Other', 'Lead', 'Customer'],
    },
  }),
  requirements('Index', ['createContact'], {
    'contact.createAnswers201': succeeds(201, 'Creating a contact'),
    'contact.updateAnswers200': { ...succeeds(200, 'Updating a contact'), operations: ['updateContact'] },
    'contact.deleteAnswers200': { ...succeeds(200, 'Deleting a contact'), operations: ['deleteContact'] },
    'contact.upsertAnswers200': {
      ...succeeds(200, 'An upsert of a contact', 'whether it creates or updates the contact'),
      operations: ['createOrUpdateContact'],
    },
    'contact.deleteByEmailAnswers200': {
      ...succeeds(200, 'Deleting contacts by e-mail'),
      operations: ['deleteContactsByEmail'],
    },
  }),
  requirements('Contacts', ['createContact'], {
    'contact.createRequires': requires('Creating a contact', 'firstName', 'lastName'),
    'contact.requiredFieldsSuffice': suffices('A contact can be created with only its names.', 'firstName', 'lastName'),
    'contact.createShowsWhatWasGiven': {
      words: 'Creating a contact returns every field with the value that was sent.',
      fields: writableFields,
    },
  }),
  requirements('Contacts', ['createContact', 'updateContact'], {
    'contact.statusesAreTaken': {
      words: 'The contact statuses open, in-progress and closed are accepted on create and on update.',
      values: ['open', 'in-progress', 'closed'],
    },
    'contact.otherStatusesAreRefused': refuses(
      ['status'],
      'A contact status other than open, in-progress and closed',
      'on create and on update',
    ),
    'contact.groupsAreAList': {
      ...refuses(['groupIds'], 'Creating or updating a contact', 'when groupIds is not a list of strings'),
      reason: 'One id can be read as a list of one, and whether the service does that is left open.',
      assumption: 'wrongType',
    },
  }),
  requirements('Contacts', ['updateContact'], {
    'contact.additionalFieldsAreAnObject': {
      ...refuses(['additionalFields'], 'Creating or updating a contact', 'when additionalFields is no object'),
      operations: contactWrites,
      ...typeIsNamed,
    },
    'contact.updateShowsTheChange': {
      words: 'Updating a contact returns every field with the value that was sent.',
      fields: writableFields,
    },
    'contact.updateSetsTheCompany': { words: 'An update can set the company of a contact.', fields: ['company'] },
    'contact.updateKeepsTheRest': updateKeepsTheRest('contact'),
    'contact.updateMayBeEmpty': updateMayBeEmpty('contact'),
    'contact.updateTakesAnyOneField': updateTakesAnyOne(
      'contact',
      ...contactFields,
      'groupIds',
      'company',
      'additionalFields',
    ),
  }),
  requirements('Contacts', ['deleteContact'], {
    'contact.deleteAnswersWithTheContact': 'The data of the response to a delete by id is the deleted contact.',
    'contact.deletedIsGone': 'A deleted contact can no longer be updated.',
    'contact.deleteTakesTheConversation': {
      words: 'The conversation of a deleted contact is deleted too.',
      operations: contactDeletes,
      reason: 'The associated data that a delete takes with it is not listed.',
      assumption: 'deletedWithContact',
    },
    'contact.deleteTakesTheMessages': {
      words: 'The messages of a deleted contact can no longer be read.',
      operations: contactDeletes,
      reason: 'The associated data that a delete takes with it is not listed.',
      assumption: 'deletedWithContact',
    },
    'contact.deleteSparesOthers': 'A delete by id leaves all other contacts and their conversations in place.',
  }),
  requirements('Contacts', ['createOrUpdateContact'], {
    'contact.upsertRequires': requires('An upsert of a contact', 'firstName', 'lastName'),
    'contact.upsertRequiredFieldsSuffice': suffices(
      'An upsert of a contact may have only the names.',
      'firstName',
      'lastName',
    ),
    'contact.upsertShowsWhatWasGiven': {
      words: 'An upsert of a contact returns every field with the value that was sent.',
      fields: [...contactFields, 'additionalFields'],
    },
    'contact.upsertCreates': 'An upsert with addresses that no contact has creates a new contact.',
    'contact.upsertUpdates':
      'An upsert with the e-mail address and the phone number of an existing contact updates that contact and creates no other.',
    'contact.upsertRefusesPlainText': 'An upsert sent as text/plain is refused, even when the text is JSON.',
  }),
  requirements('Contacts', ['deleteContactsByEmail'], {
    'contact.deleteByEmailRequires': {
      ...returns(400, 'Deleting by e-mail without the email parameter'),
      kind: 'missing',
      fields: ['email'],
    },
    'contact.deleteByEmailTakesAll': 'Deleting by e-mail deletes every contact with that address.',
    'contact.deleteByEmailSparesOthers': 'Deleting by e-mail leaves contacts with other addresses in place.',
    'contact.deleteByEmailSaysHowMany':
      'The message of a delete by e-mail says, in whatever words, how many contacts were deleted.',
  }),
] as const
