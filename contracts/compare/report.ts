import { allDeleted, describeStays } from '../client/clean.ts'
import { leftBehind, type ReportDocument } from '../reports/document.ts'
import { plainLines, pluralize } from '../../lib/text.ts'
import { operations } from '../../spec/operations.ts'
import { type Comparison, type CompareProgress, exitCodeOf } from './compare.ts'
import type { DifferenceReport } from './reproduction.ts'

type Write = (text: string) => void

/** A line at the start, and one after each list of requests. */
export function progressOn(write: Write, { steps, seed }: { steps: number; seed: number }): CompareProgress {
  return {
    began({ origin, upTo }, { team, doubts }) {
      const as = team === undefined ? '' : ` as team ${plainLines(team)}`
      write(`Comparing ${origin}${as} with a sandbox, up to ${upTo}: ${steps} steps, seed ${seed}.\n`)
      for (const doubt of doubts) write(`${doubt}\n`)
    },
    took(taken) {
      write(`${taken} of ${steps}\n`)
    },
  }
}

export function toDocument(comparison: Comparison): ReportDocument {
  const { origin, at, differences, learned, residue, stays, stopped, noise } = comparison
  const { steps, seed, seconds, successes } = comparison
  const count = differences.length
  return {
    subject: origin,
    verdict: count === 0 ? 'no difference' : pluralize(count, 'difference'),
    tone: count === 0 ? 'good' : 'bad',
    at,
    summary:
      `${steps} steps with seed ${seed}; ${successes.size} of ${Object.keys(operations).length} operations succeeded, ` +
      `in ${seconds.toFixed(1)} seconds.`,
    notes: [
      ...(stopped ? [`The run ended early: ${stopped.reason}.`] : []),
      ...(noise > 0 ? [`Left out, since the server did not do the same twice: ${pluralize(noise, 'response')}.`] : []),
      ...learned.map(
        ({ name, written }) => `The profile leaves ${name} undetermined; the server does as with ${written}.`,
      ),
      ...(residue.length === 0 ? [allDeleted(stays)] : []),
    ],
    parts: [
      {
        details: differences.map((difference, index) => ({
          title: `Difference ${index + 1}: ${difference.operation}, after ${pluralize(difference.requests.length, 'request')}`,
          code: detailsOf(difference).join('\n'),
        })),
      },
      ...leftBehind(residue, describeStays(stays)),
    ],
  }
}

export function toPlainData(comparison: Comparison): object {
  const { successes, stays, learned, ...rest } = comparison
  return {
    exitCode: exitCodeOf(comparison),
    ...rest,
    learned: learned.map(({ name, written }) => ({ name, choice: written })),
    stays: describeStays(stays),
    successes: Object.fromEntries(successes),
  }
}

function detailsOf({ requests, places, seen, curl, breaks, explainedBy, ignore }: DifferenceReport): string[] {
  const rows = [
    ['request', 'server', 'sandbox'],
    ...requests.map(({ request, server, sandbox }, index) => [`${index + 1}. ${request}`, server, sandbox]),
    ...places
      .filter(({ path }) => path !== 'status')
      .map(({ path, server, sandbox }) => [`   ${path}`, server, sandbox]),
  ]
  return [
    ...inColumns(rows),
    ...seenIn(seen),
    '',
    ...curl,
    '',
    ...(breaks.length === 0 ? [] : [`The server breaks ${breaks.join(', ')}.`]),
    ...explainedBy.map(
      ({ name, choice, instead }) => `The sandbox does the same with ${name}=${choice}, in place of ${instead}.`,
    ),
    ...(explainedBy.length + breaks.length === 0 ? ['No entry of the register explains it.'] : []),
    ...(ignore.length === 0 ? [] : [`To leave it out: ${ignore.map((name) => `--ignore ${name}`).join(' ')}`]),
  ]
}

function seenIn(seen: DifferenceReport['seen']): string[] {
  const [responses, names] = [Object.values(seen).reduce((sum, count) => sum + count, 0), Object.keys(seen)]
  const others = names.length > 4 ? ` and ${names.length - 3} others` : ''
  return responses > 1
    ? ['', `Seen in ${responses} responses: ${names.slice(0, others ? 3 : 4).join(', ')}${others}.`]
    : []
}

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
