import { deletesById, updates, withBody } from '../operation-groups.ts'
import { requirements, returns } from './wording.ts'

/** Error responses of all operations. The refusals of an operation are listed with its group. */
export const errors = [
  requirements('Errors', 'all', {
    'error.successIsFalse': 'A response with an error status has `success` as false.',
    'error.messageIsText': 'A response with an error status has a message, and it is a string.',
    'error.carriesNoData': 'A response with an error status has no data.',
    'error.statusIsDocumented': {
      words:
        'A request that is not refused for its rate, size, content type or repeated Idempotency-Key and does not succeed returns 400, 401, 404 or 500.',
      values: [400, 401, 404, 500],
    },
    'error.badRequestSaysWhy': {
      words: 'The message of a 400 is about the request: it is not empty, and is not the text of a 401, 404 or 500.',
      status: 400,
    },
    'error.unauthorizedText': { words: 'The message of a 401 is "Unauthorized".', status: 401 },
    'error.notFoundText': {
      words: 'The message of a 404 is "Resource not found".',
      status: 404,
      reason: 'The text is shown, but which condition returns which 404 message is left open.',
      follows: 'The specification shows no other text for a 404.',
    },
    'error.serverErrorText': { words: 'The message of a 500 is "Internal server error".', status: 500 },
  }),
  requirements('Errors', updates, {
    'error.readingTheUnknownIs404': {
      words:
        'Getting a template, a conversation or its history by an id that no record has returns 404, or an empty history.',
      status: 404,
      operations: ['getConversation', 'listMessages', 'getTemplate'],
    },
    'error.updatingTheUnknownIs404': returns(404, 'An update by an id that no record has'),
    'error.deletingTheUnknownIs404': {
      ...returns(404, 'A delete by an id that no record has'),
      operations: deletesById,
      reason: 'The 404 is listed for every operation, but a delete that finds nothing could also count as a success.',
      assumption: 'deleteAgain',
    },
    'error.refusalChangesNothing': {
      words: 'A create, update or send that returns an error changes nothing that can be read afterwards.',
      operations: withBody,
      reason: 'It follows from what an error is, but is never stated.',
      follows: 'An error has success as false, so nothing was done.',
    },
  }),
] as const
