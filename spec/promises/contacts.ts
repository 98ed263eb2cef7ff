import { contactDeletes, contactWrites } from '../operation-groups.ts'
import { requires, returns, updateMayBeEmpty, updateTakesAnyOne, type Wordings } from './wording.ts'

const contactFields = ['firstName', 'lastName', 'email', 'phone', 'status', 'source', 'lifecycleStage'] as const
const writableFields = [...contactFields, 'groupIds', 'additionalFields'] as const
const returningContact = [...contactWrites, 'deleteContact'] as const

/** Contacts: the people a team talks to. */
export const contacts = {
  Contact: {
    'contact.answersWithTheContact': {
      words: 'A response with a contact contains its id, names, teamId, createdAt and updatedAt.',
      operations: returningContact,
      fields: ['_id', 'firstName', 'lastName', 'teamId', 'createdAt', 'updatedAt'],
    },
    'contact.timesAreIso': {
      words: 'The createdAt and the updatedAt of a contact are ISO 8601 timestamps.',
      operations: returningContact,
      fields: ['createdAt', 'updatedAt'],
    },
    'contact.createdAtStays': {
      words: 'The createdAt of a contact stays the same through its updates and in the response to its deletion.',
      operations: returningContact,
      reason: 'Only the name of the field implies it.',
    },
    'contact.updatedAtMoves': {
      words: 'The updatedAt of a contact is never before its createdAt, and an update moves it forward.',
      operations: returningContact,
      reason: 'Only the name of the field implies it.',
    },
    'contact.lifecycleStagesAreTaken': {
      words: 'Each lifecycle stage that the specification names is accepted.',
      operations: contactWrites,
      values: ['Form', 'Live Chat', 'Ads', 'Event', 'CRM', 'Other', 'Lead', 'Customer'],
    },
  },
  Index: {
    'contact.createAnswers201': returns(201, 'Creating a contact', 'createContact'),
    'contact.updateAnswers200': returns(200, 'Updating a contact', 'updateContact'),
    'contact.deleteAnswers200': returns(200, 'Deleting a contact', 'deleteContact'),
    'contact.upsertAnswers200': {
      words: 'An upsert of a contact returns 200, whether it creates or updates the contact.',
      operations: ['createOrUpdateContact'],
      status: 200,
    },
    'contact.deleteByEmailAnswers200': returns(200, 'Deleting contacts by e-mail', 'deleteContactsByEmail'),
  },
  Contacts: {
    'contact.createRequires': requires('Creating a contact', 'createContact', 'firstName', 'lastName'),
    'contact.requiredFieldsSuffice': {
      words: 'A contact can be created with only its names.',
      operations: ['createContact'],
      fields: ['firstName', 'lastName'],
    },
    'contact.createShowsWhatWasGiven': {
      words: 'Creating a contact returns every field with the value that was sent.',
      operations: ['createContact'],
      fields: writableFields,
    },
    'contact.statusesAreTaken': {
      words: 'The contact statuses open, in-progress and closed are accepted on create and on update.',
      operations: ['createContact', 'updateContact'],
      values: ['open', 'in-progress', 'closed'],
    },
    'contact.otherStatusesAreRefused': {
      words: 'A contact status other than open, in-progress and closed returns 400 on create and on update.',
      operations: ['createContact', 'updateContact'],
      status: 400,
    },
    'contact.groupsAreAList': {
      words: 'Creating or updating a contact returns 400 when groupIds is not a list of strings.',
      operations: ['createContact', 'updateContact'],
      status: 400,
      fields: ['groupIds'],
      reason: 'One id can be read as a list of one, and whether the service does that is left open.',
    },
    'contact.additionalFieldsAreAnObject': {
      words: 'Creating or updating a contact returns 400 when additionalFields is no object.',
      operations: contactWrites,
      status: 400,
      fields: ['additionalFields'],
      reason: 'The specification names the type, and does not say that other values are refused.',
    },
    'contact.updateShowsTheChange': {
      words: 'Updating a contact returns every field with the value that was sent.',
      operations: ['updateContact'],
      fields: writableFields,
    },
    'contact.updateSetsTheCompany': {
      words: 'An update can set the company of a contact.',
      operations: ['updateContact'],
      fields: ['company'],
    },
    'contact.updateKeepsTheRest': {
      words: 'An update of a contact leaves the fields that it does not send unchanged.',
      operations: ['updateContact'],
    },
    'contact.updateMayBeEmpty': updateMayBeEmpty('contact', 'updateContact'),
    'contact.updateTakesAnyOneField': updateTakesAnyOne(
      'contact',
      'updateContact',
      ...([...contactFields, 'groupIds', 'company', 'additionalFields'] as const),
    ),
    'contact.deleteAnswersWithTheContact': {
      words: 'The data of the response to a delete by id is the deleted contact.',
      operations: ['deleteContact'],
    },
    'contact.deletedIsGone': {
      words: 'A deleted contact can no longer be updated.',
      operations: ['deleteContact'],
    },
    'contact.deleteTakesTheConversation': {
      words: 'The conversation of a deleted contact is deleted too.',
      operations: contactDeletes,
      reason: 'The associated data that a delete takes with it is not listed.',
    },
    'contact.deleteTakesTheMessages': {
      words: 'The messages of a deleted contact can no longer be read.',
      operations: contactDeletes,
      reason: 'The associated data that a delete takes with it is not listed.',
    },
    'contact.deleteSparesOthers': {
      words: 'A delete by id leaves all other contacts and their conversations in place.',
      operations: ['deleteContact'],
    },
    'contact.upsertRequires': requires('An upsert of a contact', 'createOrUpdateContact', 'firstName', 'lastName'),
    'contact.upsertRequiredFieldsSuffice': {
      words: 'An upsert of a contact may have only the names.',
      operations: ['createOrUpdateContact'],
      fields: ['firstName', 'lastName'],
    },
    'contact.upsertShowsWhatWasGiven': {
      words: 'An upsert of a contact returns every field with the value that was sent.',
      operations: ['createOrUpdateContact'],
      fields: [...contactFields, 'additionalFields'],
    },
    'contact.upsertCreates': {
      words: 'An upsert with addresses that no contact has creates a new contact.',
      operations: ['createOrUpdateContact'],
    },
    'contact.upsertUpdates': {
      words:
        'An upsert with the e-mail address and the phone number of an existing contact updates that contact and creates no other.',
      operations: ['createOrUpdateContact'],
    },
    'contact.upsertRefusesPlainText': {
      words: 'An upsert sent as text/plain returns 400, even when the text is JSON.',
      operations: ['createOrUpdateContact'],
      status: 400,
    },
    'contact.deleteByEmailRequires': {
      words: 'Deleting by e-mail without the email parameter returns 400.',
      operations: ['deleteContactsByEmail'],
      status: 400,
      fields: ['email'],
    },
    'contact.deleteByEmailTakesAll': {
      words: 'Deleting by e-mail deletes every contact with that address.',
      operations: ['deleteContactsByEmail'],
    },
    'contact.deleteByEmailSparesOthers': {
      words: 'Deleting by e-mail leaves contacts with other addresses in place.',
      operations: ['deleteContactsByEmail'],
    },
    'contact.deleteByEmailSaysHowMany': {
      words: 'The message of a delete by e-mail says, in whatever words, how many contacts were deleted.',
      operations: ['deleteContactsByEmail'],
    },
  },
} as const satisfies Wordings<'contact'>
