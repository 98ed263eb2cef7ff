import type { Kind, Kinds } from '../../../fixtures/records.ts'
import type { Asked } from '../../../mock/core/operation.ts'
import * as performing from '../../../mock/core/perform.ts'
import { NotFound } from '../../../mock/core/refusals.ts'
import { page } from '../../../mock/core/replies.ts'
import type { Stamped } from '../../../mock/core/team.ts'
import type { Turn } from '../../../mock/core/turn.ts'
import * as reading from '../../../mock/http/reading.ts'
import * as deletion from '../../../mock/rules/record-deletion.ts'
import type { PromiseId } from '../../../spec/promises.ts'
import { changeOperation, doBefore } from '../broken-operations.ts'
import { type Break, replaceIn, together } from '../broken-places.ts'
import { changeRefusalEnvelope, changeStatusOfRefusal } from '../broken-refusals.ts'

/** The refusals of requests that are carried out all the same. */
const refusedLate = new WeakMap<Asked, unknown>()

export const errors = {
  'error.successIsFalse': changeRefusalEnvelope(({ message }) => ({ message })),
  'error.messageIsText': changeRefusalEnvelope(({ success, message }) => ({ success, error: message })),
  'error.carriesNoData': changeRefusalEnvelope((failure) => ({ ...failure, data: {} })),
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
      return page('History found', [], { total: 0, currentPage: 1, totalPages: 0, hasMore: false })
    }
  }),
  'error.updatingTheUnknownIs404': doBefore('updateProduct', async ({ path, turn: { team } }) => {
    const { productId: _id } = path
    if (!(await team.products.get(_id))) await team.products.insert({ _id, name: '', sku: '', unitPrice: 0 })
  }),
  'error.deletingTheUnknownIs404': replaceIn(
    deletion,
    'removeRecord',
    (original) =>
      async <K extends Kind>(records: Stamped<K>, id: string, turn: Turn) => {
        try {
          return await original(records, id, turn)
        } catch (refusal) {
          if (!(refusal instanceof NotFound)) throw refusal
          return { record: { _id: id } as Kinds[K], isRepeat: true }
        }
      },
  ),
  'error.refusalChangesNothing': together(
    replaceIn(reading, 'readRequest', (original) => (request, operation, assumed) => {
      try {
        return original(request, operation, assumed)
      } catch (refusal) {
        const { params: path, query, body } = request
        const asked = { path, query, body, media: undefined } as Asked
        refusedLate.set(asked, refusal)
        return asked
      }
    }),
    replaceIn(performing, 'performer', (original) => (options) => {
      const perform = original(options)
      return async (request) => {
        let asked: Asked | undefined
        const read = () => (asked = request.read())
        const answered = await perform({ ...request, read })
        const refusal = asked && refusedLate.get(asked)
        if (refusal !== undefined) throw refusal as Error
        return answered
      }
    }),
  ),
} satisfies Partial<Record<PromiseId, Break>>
