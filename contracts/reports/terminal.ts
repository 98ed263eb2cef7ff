import { quoteUnlessPlain } from '../../shared/printable.ts'
import { promise, type PromiseGroup } from '../../spec/promises.ts'
import type { CheckResult, Outcome } from '../judge/outcome.ts'
import { type Paint, plain } from '../../shared/paint.ts'
import { plainLines } from '../../shared/plain-lines.ts'
import type { PromiseReport, Report } from './report.ts'
import { allDeleted } from '../../client/ledger/stays.ts'
import type { FirstAnswers } from '../../client/first-requests.ts'
import type { Target } from '../../client/target/target.ts'
import type { Progress } from '../verify.ts'
import { pluralize } from '../../shared/pluralize.ts'
import { capitalize } from '../../shared/capitalize.ts'

type Write = (text: string) => void

const signs: Readonly<Record<PromiseReport['outcome'], string>> = {
  kept: '✓',
  broken: '✗',
  warned: '!',
  skipped: '-',
  inconclusive: '?',
  failed: '✗',
  known: '~',
}

const colours = {
  kept: 'green',
  broken: 'red',
  warned: 'yellow',
  skipped: 'grey',
  inconclusive: 'grey',
  failed: 'red',
  known: 'yellow',
} as const satisfies Readonly<Record<PromiseReport['outcome'], string>>

/** Prints each check as it ends, under the headings of the specification. */
export function progressOn(write: Write, paint: Paint = plain): Progress {
  let heading = ''
  let lastReason = ''
  return {
    began({ origin, upTo }: Target, { team, doubts }: FirstAnswers) {
      const asTeam = team === undefined ? '' : ` as team ${quoteUnlessPlain(team)},`
      write(`Verifying ${origin},${asTeam} up to ${upTo}.\n`)
      for (const doubt of doubts) write(`${doubt}\n`)
    },
    ended({ promise: id, outcome, reason = '' }: CheckResult) {
      const { group, section, words } = promise(id)
      const next = headingOf(group, section)
      if (next !== heading) write(`\n${paint(next, 'bold')}\n`)
      heading = next
      const why = reason === '' || reason === lastReason ? '' : ` (${firstLine(reason)})`
      lastReason = reason
      write(`  ${paint(signs[outcome], colours[outcome])} ${plainLines(`${words}${why}\n`)}`)
    },
  }
}

const headingOf = (group: PromiseGroup, section: string) =>
  group === section.toLowerCase() ? section : `${capitalize(group)}: ${section}`

/** The findings and the verdict. */
export function summarize(report: Report, paint: Paint = plain): string {
  const { promises, observed, unlisted, residue, stays, reasons, limits, verdict, seconds } = report
  const of = (...outcomes: PromiseReport['outcome'][]) => promises.filter(({ outcome }) => outcomes.includes(outcome))
  const lines = [
    ...section('Broken', of('broken').flatMap(findingsOf)),
    ...section(
      'Went wrong',
      of('failed').map(({ id, reason = '' }) => `${id}: ${reason}`),
    ),
    ...section('Warnings: promises that are only usual', of('warned').flatMap(findingsOf)),
    ...section(
      'Known deviations',
      of('known').map(({ id, reason = '' }) => `${id}: ${reason}`),
    ),
    ...section('Not judged', byReason(of('skipped', 'inconclusive'))),
    ...section(
      'Observed, where the specification leaves it open',
      observed.map(({ assumption, choices }) => `${assumption}: ${choices.join(', ')}`),
    ),
    ...section(
      'Fields that are not documented',
      unlisted.map(({ operation, fields }) => `${operation}: ${fields.join(', ')}`),
    ),
    ...section(
      'May be left behind',
      residue.map(({ kind, what, why }) => `${kind} ${what}: ${why}`),
    ),
    ...section('Stays, since no operation takes it back', stays),
    '',
    `${countOutcomes(promises)}, in ${seconds.toFixed(1)} seconds.`,
    ...(residue.length === 0 ? [allDeleted(stays)] : []),
    ...reasons,
    ...limits,
  ]
  const colour = report.exitCode === 0 ? 'green' : report.exitCode === 1 ? 'red' : 'yellow'
  return `${plainLines(lines.join('\n'))}\n${paint(`Verdict: ${verdict}.`, colour)}\n`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`)]
}

function findingsOf({ id, words, findings }: PromiseReport): string[] {
  return findings.map(({ expected, actual, answered, curl }) =>
    [
      id,
      `  requirement  ${words}`,
      `  expected     ${expected}`,
      `  actual       ${actual}`,
      ...(answered === undefined ? [] : [`  answer       ${answered}`]),
      ...(curl === undefined ? [] : [`  $ ${curl}`]),
    ].join('\n'),
  )
}

function byReason(reports: readonly PromiseReport[]): string[] {
  const reasons = [...new Set(reports.map(({ reason = '' }) => reason))]
  return reasons.map((reason) => {
    const ids = reports.filter((one) => (one.reason ?? '') === reason).map(({ id }) => id)
    return `${reason}: ${ids.length > 4 ? pluralize(ids.length, 'promise') : ids.join(', ')}`
  })
}

export function countOutcomes(promises: readonly PromiseReport[]): string {
  const words: readonly (readonly [Outcome | 'known', string])[] = [
    ['kept', 'kept'],
    ['broken', 'broken'],
    ['failed', 'failed'],
    ['warned', 'warned of'],
    ['known', 'known to be broken'],
    ['skipped', 'skipped'],
    ['inconclusive', 'inconclusive'],
  ]
  const parts = words
    .map(([outcome, word]) => [promises.filter((one) => one.outcome === outcome).length, word] as const)
    .filter(([count]) => count > 0)
  return `${pluralize(promises.length, 'promise')}: ${parts.map(([count, word]) => `${count} ${word}`).join(', ')}`
}

const firstLine = (text: string) => text.split('\n')[0] ?? ''
