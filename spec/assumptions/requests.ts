import { byId, contactWrites, deletesById, recordWrites, updates, withBody } from '../operation-groups.ts'
import { register } from './register.ts'

/** Operations that may accept unlisted fields; for the two resolutions among them, see `resolutionEndpoints`. */
const mayAcceptOthers = [...recordWrites, 'createContactWithConversation', 'createConversation'] as const

/** All with a body, except the resolution by addresses and the update of a quote: they have no required field. */
const requiringFields = withBody.filter((id) => id !== 'findOrCreateConversation' && id !== 'updateQuote')

/** Contents and sizes of all requests. */
export const requests = register('Common conventions', withBody, {
  malformedId: {
    section: 'Errors',
    question: 'What is the response to an id in the path that no record could have?',
    operations: byId,
    choices: {
      notFound: '404, as to any unknown id',
      badRequest: '400, with a message about the id',
      serverError: '500, as when a handler does not expect it',
    },
    reason:
      'Mongoose cannot read such an id. A handler that does not expect that answers 500, and a validator 400; but no record has the id, and the 404 is documented for that. A hint in the response says that the form is wrong.',
    probe: 'get a conversation by the id `not an id`',
  },
  unlistedFields: {
    question:
      'Messaging and conversation resolution refuse unlisted fields: what do the other operations do with them?',
    operations: mayAcceptOthers,
    choices: {
      dropped: 'they ignore it',
      kept: 'they store the field and return it',
      refused: 'they refuse the request (400)',
    },
    likely: 'Mongoose drops fields that its schema does not have.',
    probe: 'create a contact with an invented field, and see whether the response has it',
  },
  nestedUnlistedFields: {
    question: 'Messaging refuses unlisted fields: does it refuse them inside an attachment or a scheduleTime too?',
    operations: ['sendLiveMessage', 'sendEmailMessage', 'sendBulkMessages'],
    choices: { refused: 'yes (400)', accepted: 'no: only unlisted fields of the body itself' },
    probe: { sends: 'send a chat message to a test contact, with an attachment that has an invented field' },
  },
  serverFieldsSent: {
    question: 'A body sets a field that the service sets itself, such as _id, teamId or createdAt: what happens?',
    operations: mayAcceptOthers,
    choices: {
      ignored: 'the field is ignored, even where unlisted fields are kept',
      refused: 'the request is refused (400)',
    },
    likely: 'A handler sets these fields after reading the body.',
    probe: 'create a contact with an invented _id and createdAt',
  },
  unlistedParameter: {
    question: 'A request has a query parameter that is not documented: what happens?',
    operations: 'all',
    choices: { ignored: 'it is ignored', refused: 'the request is refused (400)' },
    likely: 'A handler reads the parameters that it knows.',
    probe: 'get a template with an invented parameter',
  },
  repeatedParameter: {
    question: 'A query parameter that takes one value is sent twice: what happens?',
    operations: ['listMessages', 'deleteContactsByEmail'],
    choices: { refused: 'the request is refused (400)', first: 'the first value counts' },
    probe: { sends: 'send a chat message to a test contact, and read its history with channel=chat&channel=sms' },
  },
  missingContentType: {
    question: 'What is the response to a JSON body without a Content-Type, or with another one, such as text/plain?',
    choices: {
      refused: '400',
      readAsJson: 'the same as with the right Content-Type, except an upsert sent as text/plain, which is refused',
    },
    likely: 'The JSON parser of Express leaves such a body unread, so its fields are missing.',
    probe: 'create a product with a JSON body and no Content-Type',
  },
  wrongType: {
    question: 'A field has another JSON type than the documented one, such as a number for a name: what happens?',
    choices: {
      refused: 'the request is refused (400)',
      cast: 'a number or a boolean is stored as the text, and such a text as the number or the boolean; other values are refused (400)',
    },
    reason: 'A validator of the documented types refuses it; Mongoose would cast it.',
    probe: 'create a product with its price as a text, and a contact with a number as its source',
  },
  emptyString: {
    section: 'Errors',
    question: 'Is an empty string accepted in a required field, or in an update of a field that a create requires?',
    operations: [...requiringFields, 'deleteContactsByEmail'],
    choices: { refused: 'no: the field counts as missing (400)', accepted: 'yes' },
    likely: 'The `required` of Mongoose does not accept an empty string.',
    probe: 'create a product with an empty name',
  },
  emptyOptionalField: {
    question: 'A field that is not required is an empty string: what happens?',
    operations: withBody.filter((id) => id !== 'createConversation'),
    choices: {
      stored:
        'it is a text like any other: stored and returned, and refused (400) where the text must have a form, such as an e-mail address',
      omitted: 'the field counts as not sent',
      cleared: 'an update removes the field from the record; otherwise it counts as not sent',
      refused: 'the request is refused (400)',
    },
    reason: 'Mongoose stores an empty string; a handler that tests the field for truth leaves it out.',
    probe: 'create a contact with a source, update the source to an empty string, and look at the response',
  },
  nullField: {
    question: 'A field is null that is not documented as such: what happens?',
    choices: {
      refused: 'the request is refused (400), as for any wrong type',
      omitted: 'the field counts as not sent',
      cleared: 'an update removes an optional field from the record; otherwise it counts as not sent',
    },
    reason: 'A strict validator refuses null; Mongoose would store it.',
    probe: 'create a product with a sku, update the sku to null, and look at the response',
  },
  emptyUpdate: {
    question: 'What is the response to an update without any field?',
    operations: updates,
    choices: {
      accepted: 'a success, and nothing is changed',
      refused: '400; a template needs a field besides its templateType',
    },
    likely: 'Each of the fields is optional.',
    probe: 'create a product, and update it with an empty object',
  },
  emptyFormField: {
    section: 'Templates',
    question: 'Does a field of a form that is empty count as sent?',
    operations: ['createTemplate', 'updateTemplate'],
    choices: { omitted: 'no: it is ignored', sent: 'yes: its value is an empty string' },
    probe: { platform: 'create a WhatsApp template with a form that has an empty isHeader' },
  },
  formList: {
    section: 'Templates',
    question: 'A form sends a list as JSON in one field, as in variables=["a","b"]: how is it read?',
    operations: ['createTemplate', 'updateTemplate'],
    choices: { list: 'as that list', oneItem: 'as a list with that text as its only item' },
    probe: { platform: 'create a WhatsApp template with a form that has variables=["a","b"]' },
  },
  undefinedCustomField: {
    section: 'Contact',
    question: 'additionalFields has a key that the team has not defined as a custom field: what happens?',
    operations: [...contactWrites, 'createCompany', 'updateCompany'],
    choices: {
      stored: 'it is stored and returned',
      dropped: 'it is ignored',
      refused: 'the request is refused (400); a world lists the keys of a team as its customFields',
    },
    reason: 'The field is called a map, and no operation defines its keys.',
    probe: 'create a contact with an invented key in its additionalFields',
  },
  nestedUpdate: {
    section: 'Contacts',
    question: 'An update sends additionalFields: what happens to the custom fields that it does not name?',
    operations: ['updateContact', 'createOrUpdateContact', 'updateCompany'],
    choices: {
      replaced: 'they are removed: the new object replaces the old one',
      merged: 'they stay: the new fields are added',
    },
    likely: 'An update of MongoDB sets the field to the object that was sent.',
    probe: 'create a contact with two custom fields, update one of them, and count them',
  },
  deleteAgain: {
    section: 'Errors',
    question: 'What is the response to deleting a record that does not exist, or no longer does?',
    operations: deletesById,
    choices: {
      notFound: '404, as to any unknown id',
      succeeds:
        'a success, as the first time; only a contact that never existed is 404, since the response has to contain it',
    },
    likely: 'A handler usually looks for the record before it deletes it.',
    probe: 'create a product and delete it twice, and delete a product that never existed',
  },
  trailingSlash: {
    section: 'Index',
    question: 'What is the response to a path with a slash at its end?',
    operations: 'all',
    choices: { accepted: 'the same as without the slash', notFound: '404, as to an unknown path' },
    likely: 'Express ignores a slash at the end of a path.',
    probe: 'create a product at /api/products/',
  },
  wrongMethod: {
    section: 'Errors',
    question: 'What is the response to a known path with a method that it does not have?',
    operations: 'all',
    choices: { notFound: '404, as to an unknown path', badRequest: '400' },
    likely: 'Express answers a method that has no route like a path that has none.',
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
    probe: { never: 'To find the limit, a client would have to reach it, and others share the service.' },
  },
  bodyLimit: {
    section: 'Limits',
    question: 'How large can a request body be?',
    choices: {
      oneMiB: 'up to 1 MiB; a larger one is refused (400)',
      tenMiB: 'up to 10 MiB; a larger one is refused (400)',
      hundredKiB: 'up to 100 KiB, the limit of Express; a larger one is refused (400)',
      none: 'as large as the server can hold',
    },
    reason:
      'Express takes 100 kB, and answers 413, which is not documented; a service that takes HTML e-mails and long lists of recipients has most probably raised that.',
    probe: 'create products with descriptions of 0.2 MiB, 2 MiB and 11 MiB',
  },
})
