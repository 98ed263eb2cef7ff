import { promises, type PromiseId } from '../../spec/promises.ts'
import type { Outcome } from './outcome.ts'

interface Judged {
  readonly id: PromiseId
  readonly outcome: Outcome | 'known'
  readonly reason?: string
}

/** Promises that keep one team from another. */
export const isolation: readonly PromiseId[] = promises
  .map(({ id }) => id)
  .filter((id) => /InTheTeam$|InTwoTeams$/.test(id) || id === 'access.recordsCarryTheirTeam')

/** Sentences about what was left without a verdict, though it must have one before a server counts as conformant. */
export function unjudgedIn(reports: readonly Judged[]): string[] {
  const hasVerdict = ({ outcome }: Judged) =>
    outcome !== 'skipped' && outcome !== 'inconclusive' && outcome !== 'failed'
  const unclear = reports.filter((report) => isolation.includes(report.id) && couldNotBeJudged(report))
  return [
    ...(reports.some(hasVerdict) ? [] : ['Nothing was judged: every check was skipped or inconclusive.']),
    ...(unclear.length > 0
      ? [`It could not be judged whether teams are kept apart: ${unclear.map(({ id }) => id).join(', ')}.`]
      : []),
  ]
}

/** What the operator did not allow or give a credential for is a choice, which the report tells. */
const isChosen = (reason = '') => /--up-to|CRM_|off this machine/.test(reason)

const couldNotBeJudged = ({ outcome, reason }: Judged) =>
  outcome === 'inconclusive' || (outcome === 'skipped' && !isChosen(reason))

/** Sentences about what the operator left out, which a verdict therefore says nothing about. */
export function limitsOf(reports: readonly Judged[]): string[] {
  const apart = reports.filter(({ id, outcome }) => isolation.includes(id) && outcome === 'skipped')
  const reasons = [...new Set(apart.map(({ reason = '' }) => reason))]
  return [
    ...(reports.length < promises.length
      ? [`Only ${reports.length} of ${promises.length} promises were selected.`]
      : []),
    ...(apart.length > 0
      ? [
          `Not judged is whether teams are kept apart in all ways: ${apart.map(({ id }) => id).join(', ')} (${reasons.join('; ')}).`,
        ]
      : []),
  ]
}
