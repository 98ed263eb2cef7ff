import { createTarget } from '../../client/target/target.ts'
import type { CheckResult, Finding } from '../../contracts/judge/outcome.ts'
import { buildReport } from '../../contracts/report.ts'
import { operations } from '../../spec/operations.ts'
import { promises } from '../../spec/promises.ts'

export const promise = 'contact.createAnswers201'
export const finding: Finding = { promise, expected: '201', actual: '200', operation: 'createContact' }

export const kept = (id: CheckResult['promise']): CheckResult => ({
  promise: id,
  outcome: 'kept',
  faults: [],
  answers: [],
  observed: [],
  seconds: 0.01,
})

/** A run in which every operation has answered and every promise was kept. */
export const conformant: readonly CheckResult[] = promises.map(({ id }, index) => ({
  ...kept(id),
  answers:
    index === 0
      ? Object.values(operations).map((one) => ({ operation: one.id, successes: 1, refusals: 0, unlisted: [] }))
      : [],
}))

type Facts = Parameters<typeof buildReport>[0]

/** The report of a run with these results and, unless they are named, no other facts. */
export function reportOf(results: readonly CheckResult[], facts: Partial<Facts> = {}, problems: string[] = []) {
  return buildReport({
    target: createTarget({ baseUrl: 'http://127.0.0.1:4010' }, { team: 'acme-key' }),
    selection: { only: [], operations: [] },
    run: { results, problems },
    residue: [],
    known: [],
    startedAt: new Date('2026-03-01T09:30:00.000Z'),
    endedAt: new Date('2026-03-01T09:51:07.250Z'),
    ...facts,
  })
}
