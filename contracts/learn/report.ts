import { allDeleted, describeStays, type Residue } from '../client/clean.ts'
import { type CaseReport, leftBehind, type Part, type ReportDocument, type Tone } from '../reports/document.ts'
import type { Finding } from '../judge/outcome.ts'
import type { ReportFiles } from '../reports/files.ts'
import { writeReportFiles } from '../reports/write.ts'
import { plainLines, pluralize } from '../../lib/text.ts'
import { assumption } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import { type ProbeFinding, withoutDelay, wordsOf } from '../questions/finding.ts'
import type { LearnedEntry, LearnProgress, LearnResult } from './learn.ts'
import { meaningOf } from './profile.ts'

/** The findings of a run, or the differences between a server and its profile, as plain data. */
export interface LearnReport {
  readonly version: 1
  readonly origin: string
  /** When the run began, as an ISO 8601 time. */
  readonly at: string
  readonly seconds: number
  readonly verdict: string
  readonly exitCode: number
  /** The file of `--check`. */
  readonly profile?: string
  readonly entries: readonly EntryReport[]
  /** Promises that the server broke meanwhile, which only `verify` judges. */
  readonly broken: readonly Finding[]
  readonly residue: readonly Residue[]
  readonly stays: readonly string[]
}

export interface EntryReport {
  /** An entry of the register. */
  readonly name: string
  readonly question?: string
  /** `same` and `differs` compare the server with the profile of `--check`. */
  readonly outcome: ProbeFinding['outcome'] | 'same' | 'differs'
  /** The choice in the profile. */
  readonly was?: string
  /** The observed choice, or the reason why none was determined. */
  readonly is: string
}

/** Returns the report of a run, compared with the profile of `--check` if there is one. */
export function toReport(
  result: LearnResult,
  checked?: { readonly path: string; readonly choices: WrittenChoices },
): LearnReport {
  const { origin, at, seconds, broken, residue, stays } = result
  const entries = result.entries.flatMap((entry) => toEntry(entry, checked?.choices))
  const differing = entries.filter(({ outcome }) => outcome === 'differs').length
  return {
    version: 1,
    origin,
    at,
    seconds,
    verdict: verdictOn(result, differing, checked?.path),
    exitCode: exitCodeOf(result, differing),
    ...(checked ? { profile: checked.path } : {}),
    entries,
    broken,
    residue,
    stays: describeStays(stays),
  }
}

/** An undetermined entry does not differ from the profile. */
function toEntry({ name, finding }: LearnedEntry, choices?: WrittenChoices): EntryReport[] {
  const is = wordsOf(finding)
  const entry = { name, question: assumption(name).question, outcome: finding.outcome, is }
  if (!choices) return [entry]
  const was: string | undefined = choices[name]
  if (was === undefined) return []
  if (finding.outcome === 'cannotTell') return [{ ...entry, was }]
  return [{ ...entry, outcome: withoutDelay(was) === withoutDelay(is) ? 'same' : 'differs', was }]
}

export const hasLearned = ({ entries }: LearnResult) => entries.some(({ finding }) => finding.outcome === 'seen')

function exitCodeOf(result: LearnResult, differing: number): number {
  if (result.isUnreachable) return 2
  if (differing > 0) return 1
  if (result.residue.length > 0) return 4
  return result.stopped !== undefined || !hasLearned(result) ? 3 : 0
}

function verdictOn({ stopped, entries }: LearnResult, differing: number, path?: string): string {
  const seen = entries.filter(({ finding }) => finding.outcome === 'seen').length
  const verdict =
    path === undefined
      ? `${seen} of ${entries.length} learned`
      : `${differing === 0 ? 'no differences' : pluralize(differing, 'difference')} from ${path}`
  return stopped === undefined ? verdict : `${verdict}; the run ended early: ${stopped}`
}

/** Writes the progress: a terminal shows one changing line, a log gets a line for every tenth entry. */
export function progressOn(write: (text: string) => void, isTerminal: boolean): LearnProgress {
  let count = 0
  let all = 0
  return {
    began({ origin, upTo }, { team, doubts }, total) {
      all = total
      const asTeam = team === undefined ? '' : ` as team ${plainLines(team)}`
      write(`Asking ${origin}${asTeam}, up to ${upTo}, about ${pluralize(total, 'assumption')}.\n`)
      for (const doubt of doubts) write(`${doubt}\n`)
    },
    learned({ name }) {
      count++
      if (isTerminal) write(`\r\u001b[K${count} of ${all}: ${name}${count === all ? '\r\u001b[K' : ''}`)
      else if (count % 10 === 0 || count === all) write(`${count} of ${all}\n`)
    },
  }
}

/** Writes the report to each file that the options name. */
export function writeReports(report: LearnReport, result: LearnResult, files: ReportFiles): void {
  writeReportFiles(files, { json: report, document: toDocument(report, result), cases: toCases(report) })
}

/** The terminal lists the findings; the files compare them with the profile. */
export function toDocument(report: LearnReport, { entries }: LearnResult): ReportDocument {
  const { origin, verdict, exitCode, seconds, broken, residue, stays } = report
  const seen = entries.flatMap(({ name, finding }) => (finding.outcome === 'seen' ? [{ name, ...finding }] : []))
  const different = seen.filter(({ name, written }) => written.split(':')[0] !== assumption(name).assumed)
  const of = (outcome: 'other' | 'unstable') =>
    entries.flatMap(({ name, finding }) => (finding.outcome === outcome ? [`${name}: ${finding.words}`] : []))
  const inTerminal = (title: string, lines: readonly string[]): Part => ({ title, lines, forms: ['terminal'] })
  return {
    subject: origin,
    verdict,
    tone: exitCode === 0 ? 'good' : exitCode === 1 ? 'bad' : 'doubtful',
    at: report.at,
    summary: `${seen.length} of ${entries.length} learned, ${different.length} of them differ, in ${seconds.toFixed(1)} seconds.`,
    notes: residue.length === 0 ? [allDeleted(stays)] : [],
    parts: [
      inTerminal(
        'Where this server differs from what is assumed',
        different.map(
          ({ name, written }) =>
            `${name}=${written}: ${meaningOf(name, written)} (assumed: ${assumption(name).assumed})`,
        ),
      ),
      inTerminal('Something that no choice describes', of('other')),
      inTerminal('Not the same twice, and so not learned', of('unstable')),
      inTerminal('Cannot be told', byReason(entries)),
      {
        title: 'Promises that were broken meanwhile: `verify` shows how',
        lines: broken.map(
          ({ promise, operation, expected, actual }) =>
            `${promise}: ${operation ?? 'a request'}: expected ${expected}, got ${shorten(actual)}`,
        ),
      },
      ...leftBehind(residue, stays),
      tableOf(report.entries, 'html'),
      tableOf(
        report.entries.filter(({ outcome }) => outcome !== 'same' && outcome !== 'seen'),
        'markdown',
      ),
    ],
  }
}

const shorten = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

function byReason(entries: readonly LearnedEntry[]): string[] {
  const undecided = entries.filter(({ finding }) => finding.outcome === 'cannotTell')
  const reasons = new Set(undecided.map(({ finding }) => wordsOf(finding)))
  return [...reasons].map((reason) => {
    const names = undecided.filter(({ finding }) => wordsOf(finding) === reason).map(({ name }) => name)
    return `${names.join(', ')}: ${reason}`
  })
}

/** The most severe first. */
const outcomes: Readonly<Record<EntryReport['outcome'], readonly [words: string, tone: Tone]>> = {
  differs: ['differs', 'bad'],
  other: ['no choice describes it', 'doubtful'],
  unstable: ['not the same twice', 'doubtful'],
  cannotTell: ['cannot be told', 'muted'],
  seen: ['learned', 'good'],
  same: ['as the profile says', 'good'],
}

function tableOf(entries: readonly EntryReport[], form: 'html' | 'markdown'): Part {
  const rows = Object.entries(outcomes).flatMap(([severity, [words, tone]]) =>
    entries
      .filter(({ outcome }) => outcome === severity)
      .map(({ name, question = '', was = '', is }) => [
        { text: name, hint: question },
        { text: words, tone },
        { text: was },
        { text: is },
      ]),
  )
  return { forms: [form], table: { head: ['entry', 'outcome', 'was', 'is'], rows } }
}

/** For JUnit: a case for each entry. A difference from the profile is a failure; an undetermined entry is skipped. */
export function toCases({ entries, seconds, at, origin }: LearnReport): CaseReport {
  const cases = entries.map(({ name, outcome, was = '', is, question = '' }) => {
    const known = { suite: origin, classname: 'assumptions', name, seconds: 0 }
    if (outcome === 'cannotTell') return { ...known, result: 'skipped' as const, message: is }
    if (outcome !== 'differs') return { ...known, result: 'passed' as const, text: `${outcome}: ${is}` }
    const message = `was ${was}, and is ${is}`
    return { ...known, result: 'failure' as const, message, text: `${question}\n${message}`.trim() }
  })
  return { command: 'learn', at, seconds, cases }
}
