import * as envelopes from '../../../mock/core/response.ts'
import { type Break, refuse, replaceIn } from '../breaks.ts'
import * as replies from '../../../mock/core/operation.ts'
import * as reading from '../../../mock/http/reading.ts'
import * as operations from '../../../mock/http/operations.ts'
import type { PromiseId } from '../../../spec/promises.ts'

interface Success {
  readonly success: boolean
  readonly message: string
  readonly data?: unknown
  readonly pagination?: unknown
}

/** The envelope of every success is different. */
function changeEnvelope(change: (success: Success) => object): Break {
  return replaceIn(envelopes, 'envelopeOf', (original) => (chosen) => {
    const envelope = original(chosen)
    return (reply, operation) => change(JSON.parse(JSON.stringify(envelope(reply, operation))) as Success)
  })
}

export const envelope = {
  'envelope.pathsAreFixed': replaceIn(operations, 'addOperations', (original) => (app, service) => {
    void app.register(
      async (below) => {
        original(below, service)
      },
      { prefix: '/v1' },
    )
  }),
  'envelope.successIsTrue': changeEnvelope((success) => ({ ...success, success: success.data !== undefined })),
  'envelope.messageIsText': changeEnvelope((success) => ({ ...success, message: [success.message] })),
  'envelope.dataIsStructured': changeEnvelope((success) => ({ ...success, data: JSON.stringify(success.data) })),
  'envelope.metaIsAnObject': changeEnvelope((success) => ({ ...success, meta: [] })),
  'envelope.paginationStandsBesideData': changeEnvelope(({ pagination, data, ...others }) => ({
    ...others,
    data: pagination === undefined ? data : { items: data, pagination },
  })),
  'envelope.outcomeIsStated': changeDone(({ status }) => ({ status })),
  'envelope.outcomeStandsAlone': changeDone((reply) => ({ ...reply, data: {} })),
  'envelope.answersAreJson': replaceIn(operations, 'addOperations', (original) => (app, service) => {
    app.addHook('onSend', async (_request, reply, body) => {
      reply.header('content-type', 'text/plain; charset=utf-8')
      return body
    })
    original(app, service)
  }),
  'envelope.idempotencyKeyIsOptional': replaceIn(
    reading,
    'readKey',
    (original) => (request, operation, assumed) =>
      operation.takesIdempotencyKey && request.headers['idempotency-key'] === undefined
        ? refuse('Idempotency-Key is required')
        : original(request, operation, assumed),
  ),
  'envelope.retriesAreSafe': replaceIn(
    reading,
    'readKey',
    (original) => (request, operation, assumed) =>
      operation.id === 'createDeal' ? undefined : original(request, operation, assumed),
  ),
  'envelope.idempotencyKeyIsTaken': replaceIn(reading, 'readKey', (original) => (request, operation, assumed) => {
    const keyed = original(request, operation, assumed)
    return keyed && operation.method === 'put' ? refuse('an update takes no Idempotency-Key') : keyed
  }),
} satisfies Partial<Record<PromiseId, Break>>

/** The replies without data. */
function changeDone(change: (reply: ReturnType<typeof replies.done>) => object): Break {
  return replaceIn(
    replies,
    'done',
    (original) => (message) => change(original(message)) as ReturnType<typeof replies.done>,
  )
}
