import { lists, recordCreates, singleSends, withBody } from '../operation-groups.ts'
import type { Wordings } from './wording.ts'

const withoutData = [
  'sendBulkMessages',
  'deleteTemplate',
  'deleteContactsByEmail',
  'deleteCompany',
  'deleteProduct',
  'deleteDeal',
  'deleteQuote',
] as const

/** The response envelope, and what holds for all requests. Some handlers omit envelope fields, so requirements say "if". */
export const envelope = {
  'What the service does': {
    'envelope.pathsAreFixed': {
      words: 'Every operation is served at its own method and path, with no version in the path.',
      operations: 'all',
    },
  },
  'Response envelope': {
    'envelope.successIsTrue': {
      words: 'If a response with a success status contains `success`, the value is true.',
      operations: 'all',
    },
    'envelope.messageIsText': {
      words: 'If a successful response has a message, the message is a string.',
      operations: 'all',
    },
    'envelope.dataIsStructured': {
      words: 'If a successful response has data, the data is an object or a list.',
      operations: 'all',
    },
    'envelope.metaIsAnObject': {
      words: 'If a response has meta, it is an object.',
      operations: 'all',
    },
    'envelope.paginationStandsBesideData': {
      words: 'A paginated list has its pagination at the top level of the response, beside the data.',
      operations: lists,
    },
    'envelope.outcomeIsStated': {
      words: 'An operation that is documented to return only its outcome returns `success` as true, and a message.',
      operations: withoutData,
      fields: ['success', 'message'],
    },
    'envelope.outcomeStandsAlone': {
      words: 'An operation that is documented to return only its outcome returns no data.',
      operations: withoutData,
    },
  },
  'Common conventions': {
    'envelope.answersAreJson': {
      words: 'The body of every response is JSON, and its content type says so.',
      operations: 'all',
    },
    'envelope.idempotencyKeyIsOptional': {
      words: 'A create, update or send succeeds without an Idempotency-Key.',
      operations: withBody,
    },
    'envelope.idempotencyKeyIsTaken': {
      words: 'A create, update or send succeeds with an Idempotency-Key that was never used before.',
      operations: withBody,
    },
    'envelope.retriesAreSafe': {
      words: 'A create or send that is repeated with the same Idempotency-Key and body is not carried out twice.',
      operations: ['createTemplate', 'createContact', ...recordCreates, ...singleSends],
      reason: 'The key is said to make retries safe, and what a repeated key does is left open.',
    },
  },
} as const satisfies Wordings<'envelope'>
