import { allDeleted, describeStays } from '../../client/ledger/stays.ts'
import { type Paint, plain } from '../../shared/paint.ts'
import { plainLines } from '../../shared/plain-lines.ts'
import { operations } from '../../spec/operations.ts'
import { type Comparison, type CompareProgress, exitCodeOf } from './compare.ts'
import type { Told } from './tell.ts'

type Write = (text: string) => void

/** A line as the run begins, and as each walk ends. */
export function progressOn(write: Write, { steps, seed }: { steps: number; seed: number }): CompareProgress {
  return {
    began({ origin, upTo }, { team }) {
      const as = team === undefined ? '' : ` as team ${plainLines(team)}`
      write(`Comparing ${origin}${as} with a sandbox, up to ${upTo}: ${steps} steps, seed ${seed}.\n`)
    },
    took(taken) {
      write(`${taken} of ${steps}\n`)
    },
  }
}

/** What was found, for a terminal. */
export function summarize(comparison: Comparison, paint: Paint = plain): string {
  const { differences, learned, residue, stays, stopped, noise } = comparison
  const lines = [
    ...differences.flatMap((told, index) => ['', paint(titleOf(told, index), 'bold'), ...detailsOf(told).map(indent)]),
    ...residue.map(({ kind, what, why }) => `May be left behind: ${kind} ${what}: ${why}`),
    ...describeStays(stays).map((what) => `Stays, since no operation takes it back: ${what}`),
    '',
    ...(stopped ? [`The run ended early: ${stopped.reason}.`] : []),
    ...(noise > 0
      ? [`Left out, since the server did not do the same twice: ${noise} ${noise === 1 ? 'answer' : 'answers'}.`]
      : []),
    ...newsOf(learned),
    verdictOf(comparison),
    ...(residue.length === 0 ? [allDeleted(stays)] : []),
  ]
  return `${plainLines(lines.join('\n'))}\n`
}

/** The same for the page of a CI job. */
export function toMarkdown(comparison: Comparison): string {
  const parts = comparison.differences.flatMap((told, index) => [
    '',
    `### ${titleOf(told, index)}`,
    '',
    '```text',
    ...detailsOf(told),
    '```',
  ])
  const news = newsOf(comparison.learned).flatMap((line) => ['', line])
  return plainLines([`## ${comparison.origin}`, '', verdictOf(comparison), ...news, ...parts, ''].join('\n'))
}

export function toJson(comparison: Comparison): string {
  const { successes, stays, learned, ...rest } = comparison
  const content = {
    exitCode: exitCodeOf(comparison),
    ...rest,
    learned: learned.map(({ name, written }) => ({ name, choice: written })),
    stays: describeStays(stays),
    successes: Object.fromEntries(successes),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

const newsOf = (learned: Comparison['learned']) =>
  learned.map(({ name, written }) => `The profile could not tell ${name}; the server does as with ${written}.`)

function verdictOf({ differences, steps, seed, seconds, successes }: Comparison): string {
  const found =
    differences.length === 0
      ? 'No difference'
      : differences.length === 1
        ? '1 difference'
        : `${differences.length} differences`
  const all = Object.keys(operations).length
  return `${found} in ${steps} steps with seed ${seed}; ${successes.size} of ${all} operations succeeded, in ${seconds.toFixed(1)} seconds.`
}

function titleOf({ operation, requests }: Told, index: number): string {
  return `Difference ${index + 1}: ${operation}, after ${requests.length} request${requests.length === 1 ? '' : 's'}`
}

function detailsOf({ requests, places, curl, explainedBy, draft }: Told): string[] {
  const rows = [
    ['request', 'server', 'sandbox'],
    ...requests.map(({ request, server, sandbox }, index) => [`${index + 1}. ${request}`, server, sandbox]),
    ...places
      .filter(({ path }) => path !== 'status')
      .map(({ path, server, sandbox }) => [`   ${path}`, server, sandbox]),
  ]
  return [...inColumns(rows), '', ...curl, '', ...explain(explainedBy), ...showDraft(draft)]
}

const explain = (by: Told['explainedBy']) =>
  by.map(({ name, choice, instead }) => `The sandbox does the same with ${name}=${choice}, in place of ${instead}.`)

const showDraft = (draft: string | undefined) =>
  draft === undefined ? [] : ['No entry of the register explains it. A draft of one:', ...draft.split('\n')]

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const indent = (line: string) => (line === '' ? '' : `  ${line}`)
