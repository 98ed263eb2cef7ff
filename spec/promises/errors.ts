import { deletesById, updates, withBody } from '../operation-groups.ts'
import type { Wordings } from './wording.ts'

/** What a refusal looks like, whichever operation refuses. What is refused, each group says for itself. */
export const errors = {
  Errors: {
    'error.successIsFalse': {
      words: 'An answer with an error status states `success` as false.',
      operations: 'all',
    },
    'error.messageIsText': {
      words: 'An answer with an error status has a message, and it is a string.',
      operations: 'all',
    },
    'error.carriesNoData': {
      words: 'An answer with an error status has no data.',
      operations: 'all',
    },
    'error.statusIsDocumented': {
      words: 'A request that does not succeed is answered 400, 401, 404 or 500, and never anything else.',
      operations: 'all',
      values: [400, 401, 404, 500],
    },
    'error.badRequestSaysWhy': {
      words: 'The message of a 400 is about the request: it is not empty, and none of the other three texts.',
      operations: 'all',
      status: 400,
    },
    'error.unauthorizedText': {
      words: 'The message of a 401 is "Unauthorized".',
      operations: 'all',
      status: 401,
    },
    'error.notFoundText': {
      words: 'The message of a 404 is "Resource not found".',
      operations: 'all',
      status: 404,
      strength: 'usual',
      reason: 'The text is given, but which condition yields which 404 message is left open.',
    },
    'error.serverErrorText': {
      words: 'The message of a 500 is "Internal server error".',
      operations: 'all',
      status: 500,
    },
    'error.readingTheUnknownIs404': {
      words: 'Getting a template, a conversation or its history by an id that no record ever had is answered 404.',
      operations: ['getConversation', 'listMessages', 'getTemplate'],
      status: 404,
    },
    'error.updatingTheUnknownIs404': {
      words: 'An update by an id that no record ever had is answered 404.',
      operations: updates,
      status: 404,
    },
    'error.deletingTheUnknownIs404': {
      words: 'A delete by an id that no record ever had is answered 404.',
      operations: deletesById,
      status: 404,
      strength: 'usual',
      reason: 'The 404 is listed for every operation, but a delete that finds nothing may also count as done.',
    },
    'error.refusalChangesNothing': {
      words: 'A create, update or send that is answered with an error leaves no trace in what can be read afterwards.',
      operations: withBody,
      strength: 'usual',
      reason: 'It follows from what an error is, and is never said.',
    },
  },
} as const satisfies Wordings<'error'>
