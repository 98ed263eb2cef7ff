import type { FastifyError } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import type { Answered } from '../core/answered.ts'
import { answerTo, answerToFault, BadRequest, NotFound, Refusal, type Say, Unauthorized } from '../core/refusals.ts'
import { NoSuchTeam } from '../store/port.ts'
import { tooLarge } from './body-limit.ts'

/** promise error.statusIsDocumented: whatever was thrown, the answer is one of the documented errors. */
export function answerToError(error: unknown, assumed: Assumed, say?: Say): Answered {
  const refusal = refusalFor(error, assumed)
  return refusal ? answerTo(refusal, assumed, say) : answerToFault(assumed)
}

/** The refusal that an error amounts to; none when it is the server's own fault. */
function refusalFor(error: unknown, assumed: Assumed): Refusal | undefined {
  if (error instanceof Refusal) return error
  // The team was deleted between the check of the credential and the turn.
  if (error instanceof NoSuchTeam) return new Unauthorized({ promise: 'access.wrongKeyIs401', field: 'x-api-key' })
  if (!isClientError(error)) return undefined
  if (error.statusCode === 404) return new NotFound({ promise: 'envelope.pathsAreFixed', field: 'path' })
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(assumed)
  const limit = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? 'contentType' : 'wellFormed'
  return new BadRequest(sentences[error.code] ?? 'the request is not well formed', { limit })
}

function isClientError(error: unknown): error is FastifyError {
  const { statusCode = 500 } = error instanceof Error ? (error as FastifyError) : {}
  return statusCode >= 400 && statusCode < 500
}

const sentences: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'this request takes no body of that Content-Type; send application/json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'Content-Length does not match the length of the body',
}
