import type { Wordings } from './wording.ts'

const writing = ['createContact', 'updateContact', 'createOrUpdateContact'] as const
const answering = [...writing, 'deleteContact'] as const
const deleting = ['deleteContact', 'deleteContactsByEmail'] as const

/** The people a team talks to. */
export const contacts = {
  Contact: {
    'contact.answersWithTheContact': {
      words: 'An answer about a contact shows its id, names, team and times.',
      operations: answering,
      fields: ['_id', 'firstName', 'lastName', 'teamId', 'createdAt', 'updatedAt'],
    },
    'contact.timesAreIso': {
      words: 'Both times of a contact are ISO 8601 timestamps.',
      operations: answering,
      fields: ['createdAt', 'updatedAt'],
    },
    'contact.createdAtStays': {
      words: 'The creation time of a contact stays as it was, through its updates and in the answer to its deletion.',
      operations: ['createContact', 'updateContact', 'createOrUpdateContact', 'deleteContact'],
      strength: 'usual',
      reason: 'Only the name of the field says so.',
    },
    'contact.updatedAtMoves': {
      words: 'The update time of a contact is never before its creation, and an update moves it forward.',
      operations: ['createContact', 'updateContact', 'createOrUpdateContact', 'deleteContact'],
      strength: 'usual',
      reason: 'Only the name of the field says so.',
    },
    'contact.lifecycleStagesAreTaken': {
      words: 'Each lifecycle stage that is named is accepted.',
      operations: writing,
      values: ['Form', 'Live Chat', 'Ads', 'Event', 'CRM', 'Other', 'Lead', 'Customer'],
    },
  },
  Index: {
    'contact.createAnswers201': {
      words: 'Creating a contact answers 201.',
      operations: ['createContact'],
      status: 201,
    },
    'contact.updateAnswers200': {
      words: 'Updating a contact answers 200.',
      operations: ['updateContact'],
      status: 200,
    },
    'contact.deleteAnswers200': {
      words: 'Deleting a contact answers 200.',
      operations: ['deleteContact'],
      status: 200,
    },
    'contact.upsertAnswers200': {
      words: 'Creating or updating a contact answers 200, whichever of the two it did.',
      operations: ['createOrUpdateContact'],
      status: 200,
    },
    'contact.deleteByEmailAnswers200': {
      words: 'Deleting the contacts with an e-mail address answers 200.',
      operations: ['deleteContactsByEmail'],
      status: 200,
    },
  },
  Contacts: {
    'contact.createRequires': {
      words: 'Creating a contact is answered 400 when one of its required fields is missing.',
      operations: ['createContact'],
      status: 400,
      fields: ['firstName', 'lastName'],
    },
    'contact.createShowsWhatWasGiven': {
      words: 'A contact that was created shows every field with the value that it was given.',
      operations: ['createContact'],
      fields: [
        'firstName',
        'lastName',
        'email',
        'phone',
        'status',
        'source',
        'lifecycleStage',
        'groupIds',
        'additionalFields',
      ],
    },
    'contact.statusesAreTaken': {
      words: 'Each of the three contact statuses can be given on create and on update.',
      operations: ['createContact', 'updateContact'],
      values: ['open', 'in-progress', 'closed'],
    },
    'contact.otherStatusesAreRefused': {
      words: 'A contact status that is none of the three is answered 400 on create and on update.',
      operations: ['createContact', 'updateContact'],
      status: 400,
    },
    'contact.groupsAreAList': {
      words: 'Group ids that are not a list of strings are answered 400.',
      operations: ['createContact', 'updateContact'],
      status: 400,
      fields: ['groupIds'],
    },
    'contact.updateShowsTheChange': {
      words: 'A contact that was updated shows every field with the value that the update gave.',
      operations: ['updateContact'],
      fields: [
        'firstName',
        'lastName',
        'email',
        'phone',
        'status',
        'source',
        'lifecycleStage',
        'groupIds',
        'additionalFields',
      ],
    },
    'contact.updateSetsTheCompany': {
      words: 'A contact is given its company by an update.',
      operations: ['updateContact'],
      fields: ['company'],
    },
    'contact.updateKeepsTheRest': {
      words: 'An update leaves the fields that it does not mention as they were.',
      operations: ['updateContact'],
    },
    'contact.updateTakesAnyOneField': {
      words: 'Any single field is enough for an update of a contact.',
      operations: ['updateContact'],
      fields: [
        'firstName',
        'lastName',
        'email',
        'phone',
        'status',
        'source',
        'lifecycleStage',
        'groupIds',
        'company',
        'additionalFields',
      ],
    },
    'contact.deleteAnswersWithTheContact': {
      words: 'The data of a delete by id is the contact that was deleted.',
      operations: ['deleteContact'],
    },
    'contact.deletedIsGone': {
      words: 'A contact that was deleted can no longer be updated.',
      operations: ['deleteContact'],
    },
    'contact.deleteTakesTheConversation': {
      words: 'The conversation of a deleted contact is gone.',
      operations: deleting,
    },
    'contact.deleteTakesTheMessages': {
      words: 'The messages of a deleted contact can no longer be read.',
      operations: deleting,
    },
    'contact.deleteSparesOthers': {
      words: 'A delete by id leaves every other contact, and its conversation, in place.',
      operations: ['deleteContact'],
    },
    'contact.upsertRequires': {
      words: 'Creating or updating a contact is answered 400 when one of its required fields is missing.',
      operations: ['createOrUpdateContact'],
      status: 400,
      fields: ['firstName', 'lastName'],
    },
    'contact.upsertShowsWhatWasGiven': {
      words: 'An upsert shows every field with the value that it was given.',
      operations: ['createOrUpdateContact'],
      fields: ['firstName', 'lastName', 'email', 'phone', 'status', 'source', 'lifecycleStage', 'additionalFields'],
    },
    'contact.upsertCreates': {
      words: 'An upsert with addresses that nobody has makes a new contact.',
      operations: ['createOrUpdateContact'],
    },
    'contact.upsertUpdates': {
      words: 'An upsert with the e-mail and the phone of a known contact changes that contact and makes no other.',
      operations: ['createOrUpdateContact'],
    },
    'contact.upsertRefusesPlainText': {
      words: 'An upsert sent as text/plain is answered 400, even when the text is JSON.',
      operations: ['createOrUpdateContact'],
      status: 400,
    },
    'contact.deleteByEmailRequires': {
      words: 'Deleting by e-mail without an e-mail is answered 400.',
      operations: ['deleteContactsByEmail'],
      status: 400,
      fields: ['email'],
    },
    'contact.deleteByEmailTakesAll': {
      words: 'Deleting by e-mail deletes every contact that has the address.',
      operations: ['deleteContactsByEmail'],
    },
    'contact.deleteByEmailSparesOthers': {
      words: 'Deleting by e-mail leaves the contacts with other addresses in place.',
      operations: ['deleteContactsByEmail'],
    },
    'contact.deleteByEmailSaysHowMany': {
      words: 'The message of a delete by e-mail contains the number of contacts that it deleted.',
      operations: ['deleteContactsByEmail'],
    },
  },
} as const satisfies Wordings<'contact'>
