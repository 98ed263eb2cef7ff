import { idOf } from '../../client/answer.ts'
import { withBody } from '../../../spec/operation-groups.ts'
import { type Law, state } from './law.ts'

/** How long the same request with the same key is compared with the first, in milliseconds. */
const retryTime = 60_000

/** A request that is repeated with its key is not carried out twice. */
export const retries: readonly Law[] = [
  {
    promises: ['envelope.retriesAreSafe'],
    operations: withBody,
    judge: ({ request, answer }, facts) => {
      const first = facts.firstWithKey(request)
      const id = idOf(answer.fields.data)
      const isRetry = first?.url === request.url && first.text === request.bytes?.toString()
      if (!isRetry || first.id === undefined || id === undefined || request.at - first.at >= retryTime) return []
      return [state('envelope.retriesAreSafe', first.id === id, `the record ${first.id} again`, id)]
    },
  },
]
