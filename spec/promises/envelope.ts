import { lists, withBody } from '../operation-groups.ts'
import { requirements } from './wording.ts'

const deletesWithoutData = [
  'deleteTemplate',
  'deleteContactsByEmail',
  'deleteCompany',
  'deleteProduct',
  'deleteDeal',
  'deleteQuote',
] as const

/** The response envelope, and what holds for all requests. Some handlers omit envelope fields, so requirements say "if". */
export const envelope = [
  requirements('What the service does', 'all', {
    'envelope.pathsAreFixed': 'Every operation is served at its own method and path, with no version in the path.',
  }),
  requirements('Response envelope', 'all', {
    'envelope.successIsTrue': 'If a response with a success status contains `success`, the value is true.',
    'envelope.messageIsText': 'If a successful response has a message, the message is a string.',
    'envelope.dataIsStructured': 'If a successful response has data, the data is an object or a list.',
    'envelope.metaIsAnObject': 'If a response has meta, it is an object.',
    'envelope.paginationStandsBesideData': {
      words: 'A paginated list has its pagination at the top level of the response, beside the data.',
      operations: lists,
    },
  }),
  requirements('Response envelope', ['sendBulkMessages', ...deletesWithoutData], {
    'envelope.outcomeIsStated': {
      words: 'An operation that is documented to return only its outcome returns `success` as true, and a message.',
      fields: ['success', 'message'],
      reason: 'Some handlers omit envelope fields.',
      follows: 'These operations are documented to return `{ success, message }`.',
    },
    'envelope.outcomeStandsAlone': {
      words: 'A delete that is documented to return only its outcome returns no data, or empty data.',
      operations: deletesWithoutData,
      reason: 'The data is absent on some responses, and it is not said that none of these may have more.',
      follows: 'These deletes are documented to return `{ success, message }`.',
    },
  }),
  requirements('Common conventions', 'all', {
    'envelope.answersAreJson': 'The body of every response is JSON, and its content type says so.',
  }),
  requirements('Common conventions', withBody, {
    'envelope.idempotencyKeyIsOptional': 'A create, update or send succeeds without an Idempotency-Key.',
    'envelope.idempotencyKeyIsTaken':
      'A create, update or send succeeds with an Idempotency-Key that was never used before.',
    'envelope.retriesAreSafe': {
      words:
        'A create, update or send that is repeated with the same Idempotency-Key and body is not carried out twice.',
      reason: 'The key is said to make retries safe, and what a repeated key does is left open.',
      assumption: 'repeatedKey',
    },
  }),
] as const
