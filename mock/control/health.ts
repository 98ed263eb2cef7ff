import { type AssumptionName, assumption, assumptionNames } from '../../spec/assumptions.ts'
import type { Chosen } from '../../spec/choices.ts'
import { ok } from '../core/replies.ts'
import { version } from '../version.ts'
import type { ControlRoute } from './route.ts'

export const health: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/health',
    answer: async ({ storeName, chosen, startedAt }) =>
      ok('The sandbox is up', {
        version,
        store: storeName,
        uptimeSeconds: Math.floor((performance.now() - startedAt) / 1000),
        assumptions: worthTelling(chosen),
      }),
  },
]

/** These two are in every answer, and so in the mark of none. */
const envelopeWide: readonly AssumptionName[] = ['statedEnvelope', 'metaInEnvelope']

/** What was chosen otherwise than we assume, and what no answer tells. */
function worthTelling(chosen: Chosen): Record<string, string> {
  const telling = assumptionNames.filter(
    (name) => envelopeWide.includes(name) || chosen[name].choice !== assumption(name).assumed,
  )
  return Object.fromEntries(telling.map((name) => [name, asWritten(chosen[name])]))
}

const asWritten = ({ choice, amount }: { choice: string; amount?: number }) =>
  amount === undefined ? choice : `${choice}:${amount}`
