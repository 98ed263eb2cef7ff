import { byId, deletesById, recordWrites, updates, withBody } from '../operation-groups.ts'
import { register } from './register.ts'

/** Where a body might take fields that are not listed; of the resolutions only two, as `resolutionEndpoints` has it. */
const mayTakeOthers = [...recordWrites, 'createContactWithConversation', 'createConversation'] as const

/** What any request may hold, and how much of it. */
export const requests = register({
  malformedId: {
    section: 'Errors',
    question: 'What answers an id in the path that could not be the id of any record?',
    operations: byId,
    choices: {
      notFound: 'what answers any unknown id: 404',
      badRequest: 'a complaint about the id: 400',
    },
    assumed: 'notFound',
    probe: 'get a conversation by the id `not an id`',
  },
  unlistedFields: {
    section: 'Common conventions',
    question:
      'Only the bodies of messaging and conversation resolution are said to refuse unlisted fields: what do the others do?',
    operations: mayTakeOthers,
    choices: {
      kept: 'they store the field and give it back',
      dropped: 'they ignore it',
      refused: 'they refuse the request (400)',
    },
    assumed: 'kept',
    probe: 'create a contact with a field of our own, and see whether the answer has it',
  },
  serverFieldsSent: {
    section: 'Common conventions',
    question: 'A body sets a field that is the service’s own, such as _id, teamId or createdAt: what happens?',
    operations: mayTakeOthers,
    choices: {
      ignored: 'the field is ignored, even where unlisted fields are kept',
      refused: 'the request is refused (400)',
    },
    assumed: 'ignored',
    probe: 'create a contact with an _id and a createdAt of our own',
  },
  missingContentType: {
    section: 'Common conventions',
    question: 'What answers a JSON body that comes without a Content-Type?',
    operations: withBody,
    choices: { refused: 'a refusal (400)', readAsJson: 'what would have answered it with the right Content-Type' },
    assumed: 'refused',
    probe: 'create a product with a JSON body and no Content-Type',
  },
  emptyString: {
    section: 'Errors',
    question: 'Does an empty string do for a field that is required?',
    operations: [...withBody, 'deleteContactsByEmail'],
    choices: { refused: 'no: it counts as missing (400)', accepted: 'yes: the field is there' },
    assumed: 'refused',
    probe: 'create a product whose name is empty',
  },
  emptyUpdate: {
    section: 'Errors',
    question: 'What answers an update that changes no field?',
    operations: updates,
    choices: { noChange: 'a success, and the record stays as it was', refused: 'a refusal (400)' },
    assumed: 'noChange',
    probe: 'update a product with an empty object',
  },
  nestedUpdate: {
    section: 'Contacts',
    question: 'An update sends additionalFields: what becomes of the custom fields that it does not name?',
    operations: ['updateContact', 'createOrUpdateContact', 'updateCompany'],
    choices: { replaced: 'they are gone: the new ones replace the old', merged: 'they stay: the new ones are added' },
    assumed: 'replaced',
    probe: 'create a contact with two custom fields, update one of them, and count',
  },
  deleteAgain: {
    section: 'Errors',
    question: 'What answers the delete of a record that is not there any more?',
    operations: deletesById,
    choices: {
      notFound: 'what answers any unknown id: 404',
      succeeds: 'a success, as the first time: an id that is not there counts as deleted',
    },
    assumed: 'notFound',
    probe: 'create a product and delete it twice',
  },
  wrongMethod: {
    section: 'Errors',
    question: 'What answers a known path with a method that it does not have?',
    operations: 'all',
    choices: { notFound: '404, as for a path that is not there', badRequest: '400' },
    assumed: 'notFound',
    probe: 'send GET to a path that has POST only',
  },
  rateLimit: {
    section: 'Limits',
    question: 'How many requests may a team make?',
    operations: 'all',
    choices: {
      none: 'as many as it likes',
      perMinute: {
        words: 'this many a minute; the others are refused with 429, a status that is not documented',
        amount: { unit: 'requests a minute', usual: 60 },
      },
    },
    assumed: 'none',
    probe: { never: 'Finding a limit means to reach it, and others share the service.' },
  },
  bodyLimit: {
    section: 'Limits',
    question: 'How large may a body be?',
    operations: withBody,
    choices: {
      oneMiB: 'up to one mebibyte; a larger one is refused (400)',
      tenMiB: 'up to ten mebibytes; a larger one is refused (400)',
      none: 'as large as the server can hold',
    },
    assumed: 'oneMiB',
    probe: 'create a product with a description of two mebibytes, then with one of eleven',
  },
})
