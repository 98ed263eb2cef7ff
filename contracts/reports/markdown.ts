import type { PromiseReport, Report } from './report.ts'
import { escapeMarkdown, toCodeBlock } from '../../shared/escape-markdown.ts'
import { plainLines } from '../../shared/plain-lines.ts'
import { countOutcomes } from './terminal.ts'

/** A summary for the page of a CI job. */
export function toMarkdown(report: Report): string {
  const { verdict, reasons, target, promises, residue, stays } = report
  const groups = [...new Set(promises.map(({ group }) => group))]
  const lines = [
    `## ${escapeMarkdown(target.origin)}: ${verdict}`,
    '',
    `${countOutcomes(promises)}; up to ${target.upTo}, in ${report.seconds.toFixed(1)} seconds.`,
    '',
    ...reasons.map((reason) => `- ${escapeMarkdown(reason)}`),
    ...residue.map(({ kind, what, why }) => `- left behind: ${escapeMarkdown(`${kind} ${what} (${why})`)}`),
    ...stays.map((what) => `- stays: ${escapeMarkdown(what)}`),
    '',
    '| group | kept | broken | warned | not judged |',
    '|---|---|---|---|---|',
    ...groups.map((group) =>
      rowOf(
        group,
        promises.filter((one) => one.group === group),
      ),
    ),
    '',
    ...promises.filter(({ outcome }) => outcome === 'broken').flatMap(detailsOf),
  ]
  return plainLines(lines.join('\n'))
}

function rowOf(group: string, promises: readonly PromiseReport[]): string {
  const count = (...outcomes: PromiseReport['outcome'][]) =>
    promises.filter(({ outcome }) => outcomes.includes(outcome)).length
  const notJudged = count('skipped', 'inconclusive', 'failed')
  return `| ${group} | ${count('kept')} | ${count('broken')} | ${count('warned', 'known')} | ${notJudged} |`
}

function detailsOf({ id, words, findings }: PromiseReport): string[] {
  return findings.flatMap(({ expected, actual, answered = 'nothing', curl = '' }) => [
    `### ${id}`,
    '',
    escapeMarkdown(words),
    '',
    ...toCodeBlock([`expected: ${expected}`, `actual:   ${actual}`, `answer:   ${answered}`, curl].join('\n')),
    '',
  ])
}
