import { fieldsOf, idOf, withIds } from '../../client/answer.ts'
import { withBody } from '../../../spec/operation-groups.ts'
import { factsOf } from '../facts.ts'
import { type Law, state } from './law.ts'
import { isNone, isSame } from './same-value.ts'

/** How long the same request with the same key is compared with the first, in milliseconds. */
const retryTime = 60_000

/** Fields that only a write changes, other than the category that a platform may give a template. */
const kept = new Set([...Object.values(factsOf).flat(), 'channel', 'direction', 'conversationId', 'contactId'])
for (const field of ['status', 'lifecycleStage', 'category']) kept.delete(field)

/** A request that is repeated with its key is not carried out twice, and its answer shows the same values. */
export const retries: readonly Law[] = [
  {
    promises: ['envelope.retriesAreSafe'],
    operations: withBody,
    judge: ({ request, answer, open, wasAlone }, facts) => {
      const first = facts.firstWithKey(request)
      const id = idOf(answer.fields.data)
      const isRetry = first?.url === request.url && first.text === request.bytes?.toString()
      if (!isRetry || first.id === undefined || id === undefined || request.at - first.at >= retryTime) return []
      const { data = {}, ended = 0 } = first
      const found = state('envelope.retriesAreSafe', first.id === id, `the record ${first.id} again`, id)
      // An answer with the record as it is now may show later writes to it, or to its contact.
      const isUnchanged = wasAlone && open.touched.every(([{ changed }]) => changed <= ended)
      if (first.id !== id || !isUnchanged) return [found]
      const shown = withIds(fieldsOf(answer.fields.data))
      const isShown = ([field, value]: [string, unknown]) => kept.has(field) && !isNone(value) && !isNone(shown[field])
      return [
        found,
        ...Object.entries(data)
          .filter(isShown)
          .map(([field, value]) =>
            state('envelope.retriesAreSafe', isSame(field, value, shown[field]), value, shown[field], { field }),
          ),
      ]
    },
  },
]
