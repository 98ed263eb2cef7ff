import type { FastifyError } from 'fastify'
import type { Assumed } from '../spec/assumed.ts'
import type { ByChoice } from '../spec/assumptions.ts'
import { tooLarge } from './http/body-limit.ts'
import type { Answered } from './idempotency.ts'
import { BadRequest, NotFound, Refusal, Unauthorized } from './replies.ts'
import { NoSuchTeam } from './store/port.ts'

/** promise error.statusIsDocumented, error.successIsFalse, error.messageIsText: never a stack, never another status. */
export function answerTo(error: unknown, assumed: Assumed): Answered {
  const refusal = refusalFor(error, assumed)
  const message =
    refusal instanceof BadRequest
      ? badRequestMessage[assumed.badRequestMessage](refusal.message)
      : (refusal?.message ?? 'Internal server error')
  return {
    status: refusal?.status ?? 500,
    body: JSON.stringify({ success: false, message }),
    assumed: assumed.relied(),
  }
}

const badRequestMessage: ByChoice<'badRequestMessage', (sentence: string) => string> = {
  namesTheField: (sentence) => sentence,
  general: () => 'The request is not valid',
}

/** The refusal that an error amounts to; none when it is the server's own fault. */
function refusalFor(error: unknown, assumed: Assumed): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof NoSuchTeam) return new Unauthorized()
  if (!isOfTheRequest(error)) return undefined
  if (error.statusCode === 404) return new NotFound()
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(assumed)
  return new BadRequest(sentences[error.code] ?? 'the request is not well formed')
}

function isOfTheRequest(error: unknown): error is FastifyError {
  const { statusCode = 500 } = error instanceof Error ? (error as FastifyError) : {}
  return statusCode >= 400 && statusCode < 500
}

const sentences: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'this request takes no body of that Content-Type; send application/json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'Content-Length does not match the length of the body',
}
