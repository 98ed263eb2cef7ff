import type { FirstAnswers } from '../client/first-requests.ts'
import { allDeleted } from '../client/clean.ts'
import { type CaseReport, leftBehind, type Detail, type ReportDocument, type Part, type Tone } from './document.ts'
import type { ReportFiles } from './files.ts'
import { writeReportFiles } from './write.ts'
import type { Target } from '../client/target/target.ts'
import { capitalize, plainLines, pluralize, quoteUnlessPlain } from '../../lib/text.ts'
import { type Paint, plain } from './paint.ts'
import { operations } from '../../spec/operations.ts'
import { promise, type PromiseGroup } from '../../spec/promises.ts'
import type { Finding } from '../judge/outcome.ts'
import type { StoryStep } from '../judge/steps.ts'
import type { Cause, CausedFinding } from './causes.ts'
import { firstOf, type PromiseReport, type Report } from './report.ts'
import type { Progress } from '../verify.ts'

type Outcome = PromiseReport['outcome']

const looks: Readonly<Record<Outcome, { sign: string; words: string; tone: Tone; colour: Parameters<Paint>[1] }>> = {
  kept: { sign: '✓', words: 'kept', tone: 'good', colour: 'green' },
  broken: { sign: '✗', words: 'broken', tone: 'bad', colour: 'red' },
  failed: { sign: '✗', words: 'failed', tone: 'bad', colour: 'red' },
  warned: { sign: '!', words: 'warned of', tone: 'doubtful', colour: 'yellow' },
  known: { sign: '~', words: 'known to be broken', tone: 'doubtful', colour: 'yellow' },
  skipped: { sign: '-', words: 'skipped', tone: 'muted', colour: 'grey' },
  inconclusive: { sign: '?', words: 'inconclusive', tone: 'muted', colour: 'grey' },
}

/** Prints each check as it ends, under the headings of the specification. */
export function progressOn(write: (text: string) => void, paint: Paint = plain): Progress {
  let heading = ''
  let lastReason = ''
  return {
    began({ origin, upTo }: Target, { team, doubts }: FirstAnswers, cost: string) {
      const asTeam = team === undefined ? '' : ` as team ${quoteUnlessPlain(team)},`
      write(`Verifying ${origin},${asTeam} up to ${upTo}.\n`)
      for (const sentence of [cost, ...doubts]) if (sentence !== '') write(`${sentence}\n`)
    },
    ended({ promise: id, outcome, reason = '' }) {
      const { group, section, words } = promise(id)
      const next = headingOf(group, section)
      if (next !== heading) write(`\n${paint(next, 'bold')}\n`)
      heading = next
      const why = reason === '' || reason === lastReason ? '' : ` (${reason.split('\n')[0] ?? ''})`
      lastReason = reason
      write(`  ${paint(looks[outcome].sign, looks[outcome].colour)} ${plainLines(`${words}${why}\n`)}`)
    },
  }
}

const headingOf = (group: PromiseGroup, section: string) =>
  group === section.toLowerCase() ? section : `${capitalize(group)}: ${section}`

/** Writes the report to each file that the options name. */
export function writeReports(report: Report, files: ReportFiles): void {
  writeReportFiles(files, { json: { version: 1, ...report }, document: toDocument(report), cases: toCases(report) })
}

export function toDocument(report: Report): ReportDocument {
  const { promises, observed, unlisted, residue, stays, exitCode, target } = report
  const of = (...outcomes: Outcome[]) => promises.filter(({ outcome }) => outcomes.includes(outcome))
  const warnings = of('warned').length
  const isLoose = exitCode === 0 && warnings > 0
  const withReason = ({ id, reason = '' }: PromiseReport) => `${id}: ${reason}`
  return {
    subject: target.origin,
    verdict: isLoose
      ? `${report.verdict}, with ${pluralize(warnings, 'warning')} that --strict counts as broken`
      : report.verdict,
    tone: exitCode === 0 && !isLoose ? 'good' : exitCode === 1 ? 'bad' : 'doubtful',
    at: report.startedAt,
    summary: `${countOutcomes(promises)}; up to ${target.upTo}, in ${report.seconds.toFixed(1)} seconds.`,
    notes: [...(residue.length === 0 ? [allDeleted(stays)] : []), ...report.reasons, ...report.limits],
    parts: [
      { title: 'Broken', details: blocksOf(report, 'broken') },
      { title: 'Went wrong', lines: of('failed').map(withReason) },
      { title: 'Warnings: promises that are only usual', details: blocksOf(report, 'warned') },
      { title: 'Known deviations', lines: of('known').map(withReason) },
      { title: 'Not judged', lines: byReason(of('skipped', 'inconclusive')) },
      {
        title: 'Observed, where the specification leaves it open',
        lines: observed.map(({ assumption, choices }) => `${assumption}: ${choices.join(', ')}`),
      },
      {
        title: 'Fields that are not documented',
        lines: unlisted.map(({ operation, fields }) => `${operation}: ${fields.join(', ')}`),
      },
      ...leftBehind(residue, stays),
      tableOf(promises),
    ],
  }
}

function countOutcomes(promises: readonly PromiseReport[]): string {
  const counts = Object.entries(looks).flatMap(([outcome, { words }]) => {
    const count = promises.filter((one) => one.outcome === outcome).length
    return count === 0 ? [] : [`${count} ${words}`]
  })
  return `${pluralize(promises.length, 'promise')}: ${counts.join(', ')}`
}

/** A block for each cause: what each of its findings has in common, and the shortest story. */
function blocksOf({ causes, promises }: Report, wanted: 'broken' | 'warned'): Detail[] {
  return causes.flatMap((cause, index) => {
    const about = promises.filter(({ findings }) => findings.some((one) => one.cause === index + 1))
    const broken = about.filter(({ outcome }) => outcome === 'broken')
    if (wanted !== (broken.length > 0 ? 'broken' : 'warned')) return []
    const ofCause = (reports: readonly PromiseReport[]) =>
      reports.flatMap(({ findings }) => findings.filter((one) => one.cause === index + 1))
    const [first, ...others] = [...ofCause(broken), ...ofCause(about)]
      .filter((one, at, all) => all.indexOf(one) === at)
      .toSorted((one, other) => (one.story?.length ?? 0) - (other.story?.length ?? 0))
    return first ? [describeCause(cause, about, first, others)] : []
  })
}

function describeCause(
  { isTotal, operations }: Cause,
  about: readonly PromiseReport[],
  first: Finding,
  others: readonly Finding[],
): Detail {
  const { id = '', words = '' } = about.find((one) => one.id === first.promise) ?? {}
  const names = about.map((one) => one.id)
  if (names.length === 1) return { title: id, text: [words], code: inWords(first, others) }
  const title = isTotal
    ? `No promised response from ${firstOf(operations)}`
    : `${id}, and ${pluralize(names.length - 1, 'other promise')}`
  const text = [`${pluralize(names.length, 'promise')}: ${inGroups(names)}.`]
  return { title, text, code: inWords(first, isTotal ? [] : others) }
}

/** Such as `contact.createdAtStays, delete; deal.create`; of very many, their number in each group. */
function inGroups(names: readonly string[]): string {
  const groups = [...new Set(names.map((name) => name.split('.')[0] ?? ''))]
  return groups
    .map((group) => {
      const own = names.filter((name) => name.startsWith(`${group}.`))
      if (names.length > mostListed) return `${own.length} about ${group}`
      return `${group}.${own.map((name) => name.slice(group.length + 1)).join(', ')}`
    })
    .join(names.length > mostListed ? ', ' : '; ')
}

const mostListed = 24

const inWords = (first: Finding, others: readonly Finding[] = []) =>
  [
    `expected: ${first.expected}${first.setBy === undefined ? '' : `, by line ${first.setBy}`}`,
    // Where a field is missing, the whole body is the actual value.
    `actual:   ${isBody(first) ? 'not in the response' : first.actual}`,
    `response: ${first.answered ?? 'nothing'}`,
    ...alsoIn(first, others),
    ...(first.story?.length ? ['repeat it with:', ...first.story.map(lineOf)] : []),
  ].join('\n')

const isBody = ({ actual, answered = '' }: Finding) => actual.length > 40 && answered.endsWith(` ${actual}`)

/** The other fields of the same update, or the other operations with the same response. */
function alsoIn({ operation, field }: Finding, others: readonly Finding[]): string[] {
  if (field !== undefined)
    return others.map(({ expected, actual }) => `also:     expected ${expected}, actual ${actual}`).slice(0, mostAlso)
  const operations = [...new Set(others.flatMap((other) => other.operation ?? []))].filter((one) => one !== operation)
  return operations.length === 0 ? [] : [`also in:  ${firstOf(operations)}`]
}

const mostAlso = 10

function lineOf({ line, status, beside = [] }: StoryStep, index: number): string {
  const others = beside.length === 0 ? '' : `, at the same time as ${beside.join(', ')}`
  return `${line} # ${index + 1}: ${status ?? 'no response'}${others}`
}

function byReason(reports: readonly PromiseReport[]): string[] {
  const groups = [...new Set(reports.map(({ reason = '' }) => reason))]
    .map((reason) => ({ reason, ids: reports.filter((one) => (one.reason ?? '') === reason).map(({ id }) => id) }))
    .toSorted((one, other) => other.ids.length - one.ids.length)
  const others = groups.slice(mostReasons).flatMap(({ ids }) => ids)
  return [
    ...groups
      .slice(0, mostReasons)
      .map(({ reason, ids }) => `${reason}: ${ids.length > 4 ? pluralize(ids.length, 'promise') : ids.join(', ')}`),
    ...(others.length === 0 ? [] : [`for other reasons, which the JSON report has: ${firstOf(others)}`]),
  ]
}

const mostReasons = 8

/** A row for each promise. */
const tableOf = (promises: readonly PromiseReport[]): Part => ({
  title: 'All promises',
  forms: ['html'],
  table: {
    head: ['promise', 'outcome', 'operations'],
    rows: promises.map(({ id, words, outcome, reason = '', operations: about }) => [
      { text: `${id}: ${words}`, hint: reason },
      { text: looks[outcome].words, tone: looks[outcome].tone },
      { text: about.length === Object.keys(operations).length ? 'all' : about.join(', ') },
    ]),
  },
})

/** For JUnit: a suite for each group, a case for each promise. A promise that was not judged counts as skipped. */
export function toCases({ promises, causes, startedAt, seconds }: Report): CaseReport {
  const results = { broken: 'failure', failed: 'error', skipped: 'skipped', inconclusive: 'skipped' } as const
  const cases = promises.map(({ id, words, group, section, outcome, reason = '', findings, ...report }) => {
    const numbers = [...new Set(findings.map(({ cause }) => cause))]
    const details = numbers
      .map((number) => {
        const [first, ...others] = findings.filter(({ cause }) => cause === number) as [CausedFinding]
        const [main = id] = causes[(number ?? 0) - 1]?.promises ?? []
        const isElsewhere = main !== id
        const story = isElsewhere ? [`cause:    the same as that of ${main}`] : []
        const { story: _, ...short } = first
        return [`requirement: ${words}`, inWords(isElsewhere ? short : first, others), ...story].join('\n')
      })
      .join('\n\n')
    const [first] = findings
    const isKnown = outcome === 'warned' || outcome === 'known'
    return {
      suite: group,
      classname: section,
      name: `${id}: ${words}`,
      seconds: report.seconds,
      result: outcome in results ? results[outcome as keyof typeof results] : ('passed' as const),
      message: outcome === 'broken' ? `expected ${first?.expected ?? ''}, got ${first?.actual ?? ''}` : reason,
      text: isKnown ? `${outcome}: ${reason}\n${details}` : outcome === 'broken' ? details : '',
    }
  })
  return { command: 'verify', at: startedAt, seconds, cases }
}

/** GitHub workflow commands, which show each cause as an annotation of the job. */
export function toAnnotations(report: Report): string {
  const { exitCode, reasons } = report
  const levels = { broken: 'error', warned: 'warning' } as const
  const lines = (['broken', 'warned'] as const).flatMap((outcome) =>
    blocksOf(report, outcome).map(({ title, text = [], code = '' }) =>
      annotation(levels[outcome], title, [...text, code].join('\n')),
    ),
  )
  const failed = exitCode === 0 || exitCode === 1 ? [] : reasons.map((reason) => annotation('error', 'verify', reason))
  return [...lines, ...failed].map((line) => `${line}\n`).join('')
}

const annotation = (level: string, title: string, text: string) =>
  `::${level} title=${escapeData(title).replace(/:/g, '%3A').replace(/,/g, '%2C')}::${escapeData(plainLines(text))}`

/** No character in it ends the line. */
const escapeData = (text: string) =>
  text.replace(/%/g, '%25').replace(/[\r\n\p{Zl}\p{Zp}\p{Cc}]/gu, (character) => encodeURIComponent(character))
