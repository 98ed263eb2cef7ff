import { byId, deletesById, recordWrites, updates, withBody } from '../operation-groups.ts'
import { register } from './register.ts'

/** Operations that may accept unlisted fields; for the two resolutions among them, see `resolutionEndpoints`. */
const mayAcceptOthers = [...recordWrites, 'createContactWithConversation', 'createConversation'] as const

/** What any request may contain, and how much. */
export const requests = register({
  malformedId: {
    section: 'Errors',
    question: 'What is the response to an id in the path that no record could have?',
    operations: byId,
    choices: {
      notFound: '404, as to any unknown id',
      badRequest: '400, with a message about the id',
    },
    assumed: 'notFound',
    probe: 'get a conversation by the id `not an id`',
  },
  unlistedFields: {
    section: 'Common conventions',
    question:
      'Messaging and conversation resolution refuse unlisted fields: what do the other operations do with them?',
    operations: mayAcceptOthers,
    choices: {
      kept: 'they store the field and return it',
      dropped: 'they ignore it',
      refused: 'they refuse the request (400)',
    },
    assumed: 'kept',
    probe: 'create a contact with an invented field, and see whether the response has it',
  },
  serverFieldsSent: {
    section: 'Common conventions',
    question: 'A body sets a field that the service sets itself, such as _id, teamId or createdAt: what happens?',
    operations: mayAcceptOthers,
    choices: {
      ignored: 'the field is ignored, even where unlisted fields are kept',
      refused: 'the request is refused (400)',
    },
    assumed: 'ignored',
    probe: 'create a contact with an invented _id and createdAt',
  },
  missingContentType: {
    section: 'Common conventions',
    question: 'What is the response to a JSON body without a Content-Type?',
    operations: withBody,
    choices: { refused: '400', readAsJson: 'the same as with the right Content-Type' },
    assumed: 'refused',
    probe: 'create a product with a JSON body and no Content-Type',
  },
  emptyString: {
    section: 'Errors',
    question: 'Is an empty string accepted in a required field?',
    operations: [...withBody, 'deleteContactsByEmail'],
    choices: { refused: 'no: the field counts as missing (400)', accepted: 'yes' },
    assumed: 'refused',
    probe: 'create a product with an empty name',
  },
  emptyFormField: {
    section: 'Templates',
    question: 'Does a field of a form that is empty count as sent?',
    operations: ['createTemplate', 'updateTemplate'],
    choices: { omitted: 'no: it is ignored', sent: 'yes: its value is an empty string' },
    assumed: 'omitted',
    probe: { platform: 'create a WhatsApp template with a form that has an empty isHeader' },
  },
  emptyUpdate: {
    section: 'Errors',
    question: 'What is the response to an update that changes no field?',
    operations: updates,
    choices: { noChange: 'a success, and the record stays as it is', refused: '400' },
    assumed: 'noChange',
    probe: 'update a product with an empty object',
  },
  nestedUpdate: {
    section: 'Contacts',
    question: 'An update sends additionalFields: what happens to the custom fields that it does not name?',
    operations: ['updateContact', 'createOrUpdateContact', 'updateCompany'],
    choices: {
      replaced: 'they are removed: the new object replaces the old one',
      merged: 'they stay: the new fields are added',
    },
    assumed: 'replaced',
    probe: 'create a contact with two custom fields, update one of them, and count them',
  },
  deleteAgain: {
    section: 'Errors',
    question: 'What is the response to deleting a record that no longer exists?',
    operations: deletesById,
    choices: {
      notFound: '404, as to any unknown id',
      succeeds: 'a success, as the first time: an id that does not exist counts as deleted',
    },
    assumed: 'notFound',
    probe: 'create a product and delete it twice',
  },
  wrongMethod: {
    section: 'Errors',
    question: 'What is the response to a known path with a method that it does not have?',
    operations: 'all',
    choices: { notFound: '404, as to an unknown path', badRequest: '400' },
    assumed: 'notFound',
    probe: 'send GET to a path that has only POST',
  },
  rateLimit: {
    section: 'Limits',
    question: 'How many requests can a team make?',
    operations: 'all',
    choices: {
      none: 'any number',
      perMinute: {
        words: 'this many per minute; the others get 429, a status that is not documented',
        amount: { unit: 'requests per minute', usual: 60 },
      },
    },
    assumed: 'none',
    probe: { never: 'To find the limit, a client would have to reach it, and others share the service.' },
  },
  longLists: {
    section: 'Limits',
    question: 'Are a list with more than 1,000 items, and an object with more than 1,000 fields, accepted in a body?',
    operations: withBody,
    choices: { refused: 'no: 400', accepted: 'yes: as many as fit into the body' },
    assumed: 'refused',
    probe: 'create a company with 1,001 contacts',
  },
  bodyLimit: {
    section: 'Limits',
    question: 'How large can a request body be?',
    operations: withBody,
    choices: {
      oneMiB: 'up to 1 MiB; a larger one is refused (400)',
      tenMiB: 'up to 10 MiB; a larger one is refused (400)',
      none: 'as large as the server can hold',
    },
    assumed: 'oneMiB',
    probe: 'create a product with a description of 2 MiB, then with one of 11 MiB',
  },
})
