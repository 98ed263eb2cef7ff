import type { Residue } from '../client/clean.ts'
import { allDeleted, describeStays } from '../client/clean.ts'
import { type CaseReport, leftBehind, type Part, type ReportDocument, type Tone } from '../client/reports/document.ts'
import { type ReportFiles, toJson, writeReportFiles } from '../client/reports/files.ts'
import { toHtml } from '../client/reports/html.ts'
import { toJunit } from '../client/reports/junit.ts'
import { toMarkdown } from '../client/reports/markdown.ts'
import { plainLines } from '../shared/text.ts'
import { assumption } from '../spec/assumptions.ts'
import type { WrittenChoices } from '../spec/choices.ts'
import type { Finding } from './probe.ts'
import type { Learned, LearnProgress, Lesson } from './learn.ts'
import { meaningOf } from './profile.ts'

/** The findings of a run, or the differences between a server and its profile, as plain data. */
export interface LearnReport {
  readonly version: 1
  readonly origin: string
  /** When it began, as an ISO 8601 time. */
  readonly at: string
  readonly seconds: number
  readonly verdict: string
  readonly exitCode: number
  /** The file of `--check`. */
  readonly profile?: string
  readonly entries: readonly EntryReport[]
  readonly residue: readonly Residue[]
  readonly stays: readonly string[]
}

export interface EntryReport {
  /** An entry of the register. */
  readonly name: string
  readonly question?: string
  /** `same` and `differs`: as, or unlike, the profile of `--check` says. */
  readonly outcome: Finding['outcome'] | 'same' | 'differs'
  /** The choice in the profile. */
  readonly was?: string
  /** The observed choice, or the reason why none was determined. */
  readonly is: string
}

/** A profile that a server was checked against, and what came of it. */
export interface Checked {
  readonly path: string
  readonly choices: WrittenChoices
  readonly differences: readonly Difference[]
}

export function toReport(lesson: Lesson, exitCode: number, checked?: Checked): LearnReport {
  const { origin, at, seconds, residue, stays } = lesson
  const entries = checked ? checkedEntries(lesson.entries, checked) : lesson.entries.map(learnedEntry)
  return {
    version: 1,
    origin,
    at,
    seconds,
    verdict: verdictOn(lesson, entries, checked),
    exitCode,
    ...(checked ? { profile: checked.path } : {}),
    entries,
    residue,
    stays: describeStays(stays),
  }
}

function learnedEntry({ name, finding }: Learned): EntryReport {
  const is = finding.outcome === 'seen' ? finding.written : finding.words
  return { name, question: assumption(name).question, outcome: finding.outcome, is }
}

/** Each choice of the profile with the observed one. */
function checkedEntries(learned: readonly Learned[], { choices, differences }: Checked): EntryReport[] {
  return learned.map(learnedEntry).flatMap((entry): EntryReport[] => {
    const was = (choices as Readonly<Record<string, string | undefined>>)[entry.name]
    if (was === undefined) return []
    const isOther = differences.some(({ name }) => name === entry.name)
    const outcome = entry.outcome === 'cannotTell' ? entry.outcome : isOther ? 'differs' : 'same'
    return [{ ...entry, outcome, was }]
  })
}

function verdictOn({ stopped }: Lesson, entries: readonly EntryReport[], checked?: Checked): string {
  const count = (outcome: EntryReport['outcome']) => entries.filter((entry) => entry.outcome === outcome).length
  const differing = count('differs')
  const told = checked
    ? `${differing === 0 ? 'no' : differing} ${differing === 1 ? 'difference' : 'differences'} from ${checked.path}`
    : `${count('seen')} of ${entries.length} learned`
  return stopped === undefined ? told : `${told}; the run ended early: ${stopped}`
}

/** An entry of the profile that the server no longer matches. */
export interface Difference {
  readonly name: string
  readonly was: string
  readonly is: string
}

/** The entries of the profile that the server does not match. An undetermined entry is no difference. */
export function differencesFrom(choices: WrittenChoices, { entries }: Pick<Lesson, 'entries'>): readonly Difference[] {
  return entries.flatMap(({ name, finding }) => {
    const was: string | undefined = choices[name]
    if (was === undefined || finding.outcome === 'cannotTell') return []
    const is = finding.outcome === 'seen' ? finding.written : finding.words
    return withoutDelay(was) === withoutDelay(is) ? [] : [{ name, was, is }]
  })
}

/** A delay is never measured twice alike. */
const withoutDelay = (written: string) => written.replace(/^(afterDelay):\d+$/, '$1')

/** Writes the progress: a terminal shows one line, which changes; a log gets a line for every tenth entry. */
export function progressOn(write: (text: string) => void, isTerminal: boolean): LearnProgress {
  let count = 0
  let all = 0
  return {
    began({ origin, upTo }, { team }, total) {
      all = total
      write(
        `Asking ${origin}${team === undefined ? '' : ` as team ${plainLines(team)}`}, up to ${upTo}, about ${total} assumptions.\n`,
      )
    },
    learned({ name }) {
      count++
      if (isTerminal) write(`\r\u001b[K${count} of ${all}: ${name}${count === all ? '\r\u001b[K' : ''}`)
      else if (count % 10 === 0 || count === all) write(`${count} of ${all}\n`)
    },
  }
}

/** Writes the report to each file that the options name. */
export function writeReports(report: LearnReport, lesson: Lesson, files: ReportFiles): void {
  writeReportFiles(files, {
    junit: () => toJunit(toCases(report)),
    json: () => toJson(report),
    html: () => toHtml(toDocument(report, lesson)),
    markdown: () => toMarkdown(toDocument(report, lesson)),
  })
}

/** The terminal lists the findings; the files compare them with the profile. */
export function toDocument(report: LearnReport, { entries }: Lesson): ReportDocument {
  const { origin, verdict, exitCode, seconds, residue, stays } = report
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
    notes: [...(residue.length === 0 ? [allDeleted(stays)] : [])],
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
      ...leftBehind(residue, stays),
      tableOf(report.entries, 'html'),
      tableOf(
        report.entries.filter(({ outcome }) => outcome !== 'same' && outcome !== 'seen'),
        'markdown',
      ),
    ],
  }
}

function byReason(entries: readonly Learned[]): string[] {
  const names = new Map<string, string[]>()
  for (const { name, finding } of entries) {
    if (finding.outcome === 'cannotTell') names.set(finding.words, [...(names.get(finding.words) ?? []), name])
  }
  return [...names].map(([reason, of]) => `${of.join(', ')}: ${reason}`)
}

/** The most severe first. */
const looks: Readonly<Record<EntryReport['outcome'], readonly [words: string, tone: Tone]>> = {
  differs: ['differs', 'bad'],
  other: ['no choice describes it', 'doubtful'],
  unstable: ['not the same twice', 'doubtful'],
  cannotTell: ['cannot be told', 'muted'],
  seen: ['learned', 'good'],
  same: ['as the profile says', 'good'],
}

function tableOf(entries: readonly EntryReport[], form: 'html' | 'markdown'): Part {
  const rows = Object.entries(looks).flatMap(([severity, [words, tone]]) =>
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
