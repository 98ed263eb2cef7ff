import { lists, withBody } from '../operation-groups.ts'
import type { Wordings } from './wording.ts'

const outcomesAlone = [
  'sendBulkMessages',
  'deleteTemplate',
  'deleteContactsByEmail',
  'deleteCompany',
  'deleteProduct',
  'deleteDeal',
  'deleteQuote',
] as const

/** What every answer looks like, and how every request may be sent. Some handlers omit fields: hence "where". */
export const envelope = {
  'What the service does': {
    'envelope.pathsAreFixed': {
      words: 'Every operation is served at its own method and path, with no version in the path.',
      operations: 'all',
    },
  },
  'Response envelope': {
    'envelope.successIsTrue': {
      words: 'Where an answer with a success status states `success`, it states true.',
      operations: 'all',
    },
    'envelope.messageIsText': {
      words: 'Where a successful answer has a message, the message is a string.',
      operations: 'all',
    },
    'envelope.dataIsStructured': {
      words: 'Where a successful answer has data, the data is an object or a list.',
      operations: 'all',
    },
    'envelope.metaIsAnObject': {
      words: 'Where an answer has meta, it is an object.',
      operations: 'all',
    },
    'envelope.paginationStandsBesideData': {
      words: 'A paginated list has its pagination beside the data, at the top of the answer.',
      operations: lists,
    },
    'envelope.outcomeIsStated': {
      words: 'An operation that is shown to answer with an outcome alone states `success` as true and gives a message.',
      operations: outcomesAlone,
      fields: ['success', 'message'],
    },
    'envelope.outcomeStandsAlone': {
      words: 'An operation that is shown to answer with an outcome alone answers without data.',
      operations: outcomesAlone,
    },
  },
  'Common conventions': {
    'envelope.answersAreJson': {
      words: 'The body of every answer is JSON and its content type says so.',
      operations: 'all',
    },
    'envelope.idempotencyKeyIsOptional': {
      words: 'A create, update or send goes through without an Idempotency-Key.',
      operations: withBody,
    },
    'envelope.idempotencyKeyIsTaken': {
      words: 'A create, update or send goes through with an Idempotency-Key that was never used before.',
      operations: withBody,
    },
  },
} as const satisfies Wordings<'envelope'>
