import { promises, type PromiseId } from '../../spec/promises.ts'
import type { Outcome } from './outcome.ts'

interface Judged {
  readonly id: PromiseId
  readonly outcome: Outcome | 'known'
}

/** Promises that keep one team from another. */
export const isolation: readonly PromiseId[] = promises
  .map(({ id }) => id)
  .filter((id) => /InTheTeam$|InTwoTeams$/.test(id) || id === 'access.recordsCarryTheirTeam')

/** Sentences about what was left without a verdict, though it must have one before a server counts as conformant. */
export function unjudgedIn(reports: readonly Judged[]): string[] {
  const hasVerdict = ({ outcome }: Judged) =>
    outcome !== 'skipped' && outcome !== 'inconclusive' && outcome !== 'failed'
  const unclear = reports.filter(({ id, outcome }) => isolation.includes(id) && outcome === 'inconclusive')
  return [
    ...(reports.some(hasVerdict) ? [] : ['Nothing was judged: every check was skipped or inconclusive.']),
    ...(unclear.length > 0
      ? [`It could not be judged whether teams are kept apart: ${unclear.map(({ id }) => id).join(', ')}.`]
      : []),
  ]
}
