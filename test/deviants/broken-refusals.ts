import type { Answered } from '../../mock/core/answered.ts'
import * as refusals from '../../mock/core/refusals.ts'
import { type Break, replaceIn } from './broken-places.ts'

interface Failure {
  readonly success?: boolean
  readonly message?: string
}

/** Every refusal is answered differently. */
function changeRefusal(change: (answered: Answered) => Answered): Break {
  return replaceIn(refusals, 'answerTo', (original) => (refusal, assumed) => change(original(refusal, assumed)))
}

export const changeStatusOfRefusal = (from: number, to: number): Break =>
  changeRefusal((answered) => (answered.status === from ? { ...answered, status: to } : answered))

/** The envelope of every refusal, or of those with a status, is different. */
export function changeRefusalEnvelope(change: (failure: Failure) => object, status?: number): Break {
  return changeRefusal((answered) =>
    status === undefined || answered.status === status
      ? { ...answered, body: JSON.stringify(change(JSON.parse(answered.body) as Failure)) }
      : answered,
  )
}
