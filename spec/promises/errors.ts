import { deletesById, updates, withBody } from '../operation-groups.ts'
import type { Wordings } from './wording.ts'

/** Error responses of all operations. The refusals of an operation are listed with its group. */
export const errors = {
  Errors: {
    'error.successIsFalse': {
      words: 'A response with an error status has `success` as false.',
      operations: 'all',
    },
    'error.messageIsText': {
      words: 'A response with an error status has a message, and it is a string.',
      operations: 'all',
    },
    'error.carriesNoData': {
      words: 'A response with an error status has no data.',
      operations: 'all',
    },
    'error.statusIsDocumented': {
      words:
        'A request that is not refused for its rate, size or content type and does not succeed returns 400, 401, 404 or 500.',
      operations: 'all',
      values: [400, 401, 404, 500],
    },
    'error.badRequestSaysWhy': {
      words: 'The message of a 400 is about the request: it is not empty, and is not the text of a 401, 404 or 500.',
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
      reason: 'The text is shown, but which condition returns which 404 message is left open.',
    },
    'error.serverErrorText': {
      words: 'The message of a 500 is "Internal server error".',
      operations: 'all',
      status: 500,
    },
    'error.readingTheUnknownIs404': {
      words: 'Getting a template, a conversation or its message history by an id that no record has returns 404.',
      operations: ['getConversation', 'listMessages', 'getTemplate'],
      status: 404,
    },
    'error.updatingTheUnknownIs404': {
      words: 'An update by an id that no record has returns 404.',
      operations: updates,
      status: 404,
    },
    'error.deletingTheUnknownIs404': {
      words: 'A delete by an id that no record has returns 404.',
      operations: deletesById,
      status: 404,
      reason: 'The 404 is listed for every operation, but a delete that finds nothing could also count as a success.',
    },
    'error.refusalChangesNothing': {
      words: 'A create, update or send that returns an error changes nothing that can be read afterwards.',
      operations: withBody,
      reason: 'It follows from what an error is, but is never stated.',
    },
  },
} as const satisfies Wordings<'error'>
