import type { PromiseReport, Report } from './report.ts'
import { escapeMarkup } from '../../shared/escape-markup.ts'
import { withoutCommands } from '../../shared/plain-lines.ts'

/** JUnit XML: a suite for each group, a case for each promise. A promise that was not judged counts as skipped. */
export function toJunit({ promises, seconds, startedAt }: Report): string {
  const groups = [...new Set(promises.map(({ group }) => group))]
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="crm-sandbox verify" ${countsOf(promises)} time="${seconds.toFixed(3)}">`,
    ...groups.flatMap((group) =>
      suite(
        group,
        promises.filter((one) => one.group === group),
        startedAt,
      ),
    ),
    '</testsuites>',
    '',
  ]
  return withoutCommands(lines.join('\n'))
}

function suite(group: string, promises: readonly PromiseReport[], startedAt: string): string[] {
  const time = promises.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3)
  return [
    `  <testsuite name="${escapeMarkup(group)}" ${countsOf(promises)} skipped="${countSkipped(promises)}" time="${time}" timestamp="${escapeMarkup(startedAt)}">`,
    ...promises.map(testcase),
    '  </testsuite>',
  ]
}

function testcase(report: PromiseReport): string {
  const { id, words, section, seconds } = report
  const opening = `    <testcase classname="${escapeMarkup(section)}" name="${escapeMarkup(`${id}: ${words}`)}" time="${seconds.toFixed(3)}"`
  const body = bodyOf(report)
  return body === '' ? `${opening}/>` : `${opening}>${body}</testcase>`
}

function bodyOf({ outcome, reason = '', words, findings }: PromiseReport): string {
  const details = findings
    .map(
      ({ expected, actual, answered = 'nothing', curl = '' }) =>
        `requirement: ${words}\nexpected: ${expected}\nactual: ${actual}\nanswer: ${answered}\n${curl}`,
    )
    .join('\n\n')
  const [first] = findings
  if (outcome === 'broken') {
    return `<failure message="${escapeMarkup(`expected ${first?.expected ?? ''}, got ${first?.actual ?? ''}`)}">${escapeMarkup(details)}</failure>`
  }
  if (outcome === 'failed') return `<error message="${escapeMarkup(reason)}"/>`
  if (outcome === 'skipped' || outcome === 'inconclusive') return `<skipped message="${escapeMarkup(reason)}"/>`
  return outcome === 'kept' ? '' : `<system-out>${escapeMarkup(`${outcome}: ${reason}\n${details}`)}</system-out>`
}

/** Without those that were skipped, which the schema of Jenkins knows of a single suite only. */
function countsOf(promises: readonly PromiseReport[]): string {
  return `tests="${promises.length}" failures="${count(promises, 'broken')}" errors="${count(promises, 'failed')}"`
}

const countSkipped = (promises: readonly PromiseReport[]) => count(promises, 'skipped', 'inconclusive')

const count = (promises: readonly PromiseReport[], ...outcomes: PromiseReport['outcome'][]) =>
  promises.filter(({ outcome }) => outcomes.includes(outcome)).length
