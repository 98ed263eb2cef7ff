import * as replies from '../../../../mock/core/operation.ts'
import { page, type ParsedRequest } from '../../../../mock/core/operation.ts'
import * as reading from '../../../../mock/http/reading.ts'
import * as operations from '../../../../mock/http/operations.ts'
import * as executing from '../../../../mock/core/execute.ts'
import * as deletion from '../../../../mock/rules/deletion.ts'
import {
  type Break,
  changeOperation,
  changeRefusalEnvelope,
  changeStatusOfRefusal,
  doBefore,
  refuse,
  replaceIn,
  wrap,
  together,
} from '../breaks.ts'
import type { PromiseId } from '../../../../spec/promises.ts'
import type { Kind, Kinds } from '../../../../fixtures/records.ts'
import { NotFound, Refusal } from '../../../../mock/core/refusals.ts'
import type { Stamped } from '../../../../mock/core/team.ts'
import type { Transaction } from '../../../../mock/core/transaction.ts'

interface Success {
  readonly success: boolean
  readonly message: string
  readonly data?: unknown
  readonly pagination?: unknown
}

/** The envelope of every success is different. */
function changeEnvelope(change: (success: Success) => object): Break {
  return wrap(replies, 'envelopeOf', (original, chosen) => {
    const envelope = original(chosen)
    return (reply, operation) => change(JSON.parse(JSON.stringify(envelope(reply, operation))) as Success)
  })
}

export const envelope = {
  'envelope.pathsAreFixed': wrap(operations, 'addOperations', (original, app, service) => {
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
  'envelope.outcomeStandsAlone': changeDone((reply) => ({ ...reply, data: { ok: true } })),
  'envelope.answersAreJson': wrap(operations, 'addOperations', (original, app, service) => {
    app.addHook('onSend', async (_request, reply, body) => {
      reply.header('content-type', 'text/plain; charset=utf-8')
      return body
    })
    original(app, service)
  }),
  'envelope.idempotencyKeyIsOptional': wrap(reading, 'readKey', (original, request, operation, assumed) =>
    operation.takesIdempotencyKey && request.headers['idempotency-key'] === undefined
      ? refuse('Idempotency-Key is required')
      : original(request, operation, assumed),
  ),
  'envelope.retriesAreSafe': wrap(reading, 'readKey', (original, request, operation, assumed) =>
    operation.id === 'createDeal' ? undefined : original(request, operation, assumed),
  ),
  'envelope.idempotencyKeyIsTaken': wrap(reading, 'readKey', (original, request, operation, assumed) => {
    const keyed = original(request, operation, assumed)
    return keyed && operation.method === 'put' ? refuse('an update takes no Idempotency-Key') : keyed
  }),
} satisfies Partial<Record<PromiseId, Break>>

/** The replies without data. */
function changeDone(change: (reply: ReturnType<typeof replies.done>) => object): Break {
  return wrap(replies, 'done', (original, message) => change(original(message)) as ReturnType<typeof replies.done>)
}

/** The refusals of requests that are carried out all the same. */
const refusedLate = new WeakMap<ParsedRequest, Refusal>()

export const errors = {
  'error.successIsFalse': changeRefusalEnvelope(({ message }) => ({ message })),
  'error.messageIsText': changeRefusalEnvelope(({ success, message }) => ({ success, error: message })),
  'error.carriesNoData': changeRefusalEnvelope((failure) => ({ ...failure, data: { field: 'name' } })),
  'error.statusIsDocumented': changeStatusOfRefusal(400, 422),
  'error.badRequestSaysWhy': changeRefusalEnvelope((failure) => ({ ...failure, message: '' }), 400),
  'error.unauthorizedText': changeRefusalEnvelope(
    (failure) => ({ ...failure, message: 'The API key is not valid' }),
    401,
  ),
  'error.notFoundText': changeRefusalEnvelope((failure) => ({ ...failure, message: 'Not found' }), 404),
  'error.serverErrorText': changeStatusOfRefusal(400, 500),

  'error.readingTheUnknownIs404': changeOperation('listMessages', (original) => async (given) => {
    try {
      return await original(given)
    } catch (refusal) {
      if (!(refusal instanceof NotFound)) throw refusal
      const days = [{ date: '2026-03-01', messages: [] }]
      return page('History found', days, { total: 0, currentPage: 1, totalPages: 0, hasMore: false })
    }
  }),
  'error.updatingTheUnknownIs404': doBefore('updateProduct', async ({ path, tx: { team } }) => {
    const { productId: _id } = path
    if (!(await team.products.get(_id))) await team.products.insert({ _id, name: '', sku: '', unitPrice: 0 })
  }),
  'error.deletingTheUnknownIs404': replaceIn(
    deletion,
    'removeRecord',
    (original) =>
      async <K extends Kind>(records: Stamped<K>, id: string, tx: Transaction) => {
        try {
          return await original(records, id, tx)
        } catch (refusal) {
          if (!(refusal instanceof NotFound)) throw refusal
          return { record: { _id: id } as Kinds[K], isRepeat: true }
        }
      },
  ),
  'error.refusalChangesNothing': together(
    wrap(reading, 'parseRequest', (original, request, ...others) => {
      try {
        return original(request, ...others)
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal
        const { params: path, query, body } = request
        const parsed = { path, query, body, media: undefined } as ParsedRequest
        refusedLate.set(parsed, refusal)
        return parsed
      }
    }),
    wrap(executing, 'executorOf', (original, options) => {
      const execute = original(options)
      return async (request) => {
        let parsed: ParsedRequest | undefined
        const answered = await execute({ ...request, parse: () => (parsed = request.parse()) })
        const refusal = parsed && refusedLate.get(parsed)
        if (refusal) throw refusal
        return answered
      }
    }),
  ),
} satisfies Partial<Record<PromiseId, Break>>
