import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import type { Assumed } from '../../spec/assumed.ts'
import { operations } from '../../spec/operations.ts'
import { TooManyRequests } from '../core/rate-limit.ts'
import { BadRequest, NotFound, Refusal, Unauthorized } from '../core/refusals.ts'
import { answerTo, answerToFault, type ServiceResponse } from '../core/operation.ts'
import { FaultFired } from './faults/failure.ts'
import { RejectedNow } from '../core/rejections.ts'
import { NoSuchTeam, type Store, StoreOutdated, StoreUnreachable } from '../store/port.ts'
import { NoMemoryFree } from '../store/retention.ts'
import { sendFault } from './apply-faults.ts'
import { addHint, hintFor, hintOfPath, isPathOf } from './hints.ts'
import { readUnread, tooLarge } from './json-body.ts'

/** Answers every error and every unknown path in the envelope of the service. */
export function answerErrors(app: FastifyInstance): void {
  const { journal, engine } = app
  const { choices, store } = engine
  // A plugin, so that its hook runs for unknown paths only, before their body is read.
  app.register(async (unknown) => {
    unknown.addHook('onRequest', (request, reply) => {
      request.hint = hintOfPath(request.method, request.url, routesToHint)
      reply.sendResponse(unknownRoute(request, choices.newAssumed()))
    })
    unknown.setNotFoundHandler(() => undefined) // the hook has replied
  })
  app.setErrorHandler(async (thrown, request, reply) => {
    // Answered before its body was read, which the journal shows all the same.
    if (thrown instanceof FaultFired || thrown instanceof Unauthorized)
      request.text = await readUnread(request, reply, engine.memory)
    if (thrown instanceof FaultFired) return sendFault(reply, thrown, journal)
    const error = thrown instanceof NoSuchTeam ? await lossOf(thrown, store) : thrown
    const response = answerToError(error, request.assumed ?? choices.newAssumed())
    const isFault = !response.because
    if (isFault) app.failed(error, request)
    if (error instanceof NoMemoryFree) addHint(request, noMemory)
    if (error instanceof TooManyRequests) reply.header('retry-after', String(error.seconds))
    // While a database is away, a response has no hint.
    const hint = await hintFor(request, response, store).catch(() => undefined)
    if (hint !== undefined) addHint(request, hint)
    return reply.sendResponse(response, isFault ? String(error) : undefined)
  })
}

export const noMemory =
  'other requests take all memory of the sandbox, or this one needs more; try again, or start it with a larger --memory'

/** Why a request no longer found its team. */
async function lossOf(error: NoSuchTeam, store: Store): Promise<unknown> {
  try {
    const team = await store.team(error.teamId)
    return team ? new StoreUnreachable('The team was replaced during the request') : error
  } catch (unreachable) {
    return unreachable
  }
}

const routesToHint = [
  ...Object.values(operations),
  ...['/', '/docs', '/openapi.json'].map((path) => ({ method: 'GET', path })),
]

function unknownRoute({ url }: FastifyRequest, assumed: Assumed): ServiceResponse {
  const [path = ''] = url.split('?')
  const parts = decodeURI(path)
    .replace(/(?<=.)\/$/, '')
    .split('/')
  const all = Object.values(operations)
  const isKnown = all.some((operation) => isPathOf(operation, parts))
  return answerTo(isKnown ? wrongMethod(assumed) : unknownPath(), assumed)
}

const unknownPath = () => new NotFound({ promise: 'envelope.pathsAreFixed', field: 'path' })

function wrongMethod(assumed: Assumed): Refusal {
  const because = { assumption: 'wrongMethod', field: 'method' } as const
  if (assumed.wrongMethod === 'notFound') return new NotFound(because)
  return new BadRequest('this path does not take that method', because)
}

/** promise error.statusIsDocumented: whatever was thrown, the response is one of the documented errors. */
export function answerToError(error: unknown, assumed: Assumed): ServiceResponse {
  const refusal = refusalFor(error, assumed)
  return refusal ? answerTo(refusal, assumed) : answerToFault(assumed)
}

/** The refusal that an error amounts to; none when the server itself is at fault. */
function refusalFor(error: unknown, assumed: Assumed): Refusal | undefined {
  if (error instanceof Refusal) return error
  // Not the documented 500: this server must get no more requests.
  if (error instanceof StoreOutdated) return new RejectedNow(503, error.message)
  // The team was deleted between the check of the credential and the transaction.
  if (error instanceof NoSuchTeam) return new Unauthorized({ promise: 'access.wrongKeyIs401', field: 'x-api-key' })
  if (!isClientError(error)) return undefined
  if (error.statusCode === 404) return unknownPath()
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
