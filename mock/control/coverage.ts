import { type Static, Type } from 'typebox'
import { type Operation, operations } from '../../spec/operations.ts'
import { integer, listOf, output, text, texts } from '../core/schemas.ts'
import type { OperationCounts } from '../http/journal/journal.ts'
import { noun, route } from './route.ts'

const OperationCoverage = output('OperationCoverage', {
  operation: text('The operationId.'),
  outcomes: listOf(
    Type.Object({
      outcome: text(
        '`success`, a refusal such as `404`, or `repeatedKey`: the response to a repeated Idempotency-Key.',
      ),
      times: integer('How many responses there were.'),
    }),
  ),
})
type OperationCoverage = Static<typeof OperationCoverage>

const Coverage = output(
  'Coverage',
  {
    percent: integer('The share of the outcomes that were met, rounded down.'),
    met: integer('How many outcomes were met.'),
    total: integer('How many outcomes there are.'),
    neverCalled: texts('The operations that no request called.'),
    operations: listOf(OperationCoverage, 'All operations.'),
    assumptions: listOf(
      Type.Object({ name: text(), times: integer('How many responses relied on it.') }),
      'The assumptions that responses relied on, the most frequent first.',
    ),
  },
  'What the requests since the start have met.',
)

export const coverage = noun('coverage', 'What the requests have covered.', ({ journal }) => ({
  getCoverage: route('GET /coverage', 'Say which operations were called, and which outcomes were met', {
    call: 'coverage',
    description:
      'Counted since the start of this process; neither a reset nor the bounds of the journal remove anything. The outcomes of an operation are success, the documented refusals that the sandbox can give without a fault, and the response to a repeated key.',
    message: ({ percent, met, total }) => `${met} of ${total} outcomes (${percent}%)`,
    data: Coverage,
    async handler() {
      const covered = Object.values(operations).map((operation) =>
        coverageOf(operation, journal.counts.get(operation.id)),
      )
      const outcomes = covered.flatMap((one) => one.outcomes)
      const met = outcomes.filter(({ times }) => times > 0).length
      return {
        percent: Math.floor((100 * met) / outcomes.length),
        met,
        total: outcomes.length,
        neverCalled: covered
          .filter((one) => one.outcomes.every(({ times }) => times === 0))
          .map(({ operation }) => operation),
        operations: covered,
        assumptions: [...journal.reliedSinceStart]
          .map(([name, times]) => ({ name, times }))
          .toSorted((one, other) => other.times - one.times),
      }
    },
  }),
}))

/** Without a fault and with the usual choices: 404 is about the id in a path, 400 about a body or a required parameter. */
function canRefuse({ path, contentTypes, query }: Operation, status: number): boolean {
  if (status === 404) return path.includes('{')
  return status === 400 ? contentTypes.length > 0 || query.check({}) !== undefined : status < 500
}

function coverageOf(operation: Operation, counts: OperationCounts | undefined): OperationCoverage {
  const timesOf = (status: number) => counts?.ofStatus.get(status) ?? 0
  const { id, statuses, successStatuses, takesIdempotencyKey } = operation
  const successes = successStatuses.reduce((sum, status) => sum + timesOf(status), 0)
  const refusals = statuses.filter((status) => status >= 400 && (canRefuse(operation, status) || timesOf(status) > 0))
  return {
    operation: id,
    outcomes: [
      { outcome: 'success', times: successes },
      ...refusals.map((status) => ({ outcome: String(status), times: timesOf(status) })),
      ...(takesIdempotencyKey ? [{ outcome: 'repeatedKey', times: counts?.repeatedKeys ?? 0 }] : []),
    ],
  }
}
