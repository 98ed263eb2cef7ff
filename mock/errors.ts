import type { FastifyError } from 'fastify'
import type { Assumed } from '../spec/assumed.ts'
import type { ByChoice } from '../spec/assumptions.ts'
import type { Answered } from './idempotency.ts'
import { BadRequest, NotFound, Refusal, Unauthorized } from './replies.ts'
import { NoSuchTeam } from './store/store.ts'

/** promise errors.envelope: every error is a status of the four and a sentence, never a stack. */
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
  if (!isFastifyError(error) || error.statusCode === undefined || error.statusCode >= 500) return undefined
  if (error.statusCode === 404) return new NotFound()
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new BadRequest(tooLarge[assumed.bodyLimit])
  return new BadRequest(sentences[error.code] ?? sentenceFor(error))
}

const isFastifyError = (error: unknown): error is FastifyError => error instanceof Error && 'statusCode' in error

const sentences: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'this request takes no body of that Content-Type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'Content-Length does not match the length of the body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'the body must be valid JSON',
  FST_ERR_BAD_URL: 'the path is not well formed',
}

const sentenceFor = (error: FastifyError) =>
  error.message.includes('prototype')
    ? 'the body must not hold the keys __proto__ or constructor.prototype'
    : 'the body must be valid JSON'

const tooLarge: ByChoice<'bodyLimit', string> = {
  oneMiB: 'the body must not be larger than 1 MiB',
  tenMiB: 'the body must not be larger than 10 MiB',
  none: 'the body is larger than this server can hold',
}
