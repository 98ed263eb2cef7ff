import { withoutCommands } from '../../lib/text.ts'
import type { Case, CaseReport } from './document.ts'
import { escapeMarkup } from './html.ts'

/** JUnit XML, with no more than the schema of Jenkins allows. */
export function toJunit({ command, cases, seconds, at }: CaseReport): string {
  const suites = [...new Set(cases.map(({ suite }) => suite))]
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="crm-sandbox ${command}" ${countsOf(cases)} time="${seconds.toFixed(3)}">`,
    ...suites.flatMap((suite) =>
      showSuite(
        suite,
        cases.filter((one) => one.suite === suite),
        at,
      ),
    ),
    '</testsuites>',
    '',
  ]
  return withoutCommands(lines.join('\n'))
}

function showSuite(name: string, cases: readonly Case[], at: string): string[] {
  const time = cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3)
  const counts = `${countsOf(cases)} skipped="${count(cases, 'skipped')}"`
  return [
    `  <testsuite name="${escapeMarkup(name)}" ${counts} time="${time}" timestamp="${escapeMarkup(at)}">`,
    ...cases.map(showCase),
    '  </testsuite>',
  ]
}

function showCase({ classname, name, seconds, result, message = '', text = '' }: Case): string {
  const element = result === 'passed' ? 'system-out' : result
  const attribute = result === 'passed' ? '' : ` message="${escapeMarkup(message)}"`
  const body = text === '' ? '/>' : `>${escapeMarkup(text)}</${element}>`
  const inside = result === 'passed' && text === '' ? '' : `<${element}${attribute}${body}`
  const head = `    <testcase classname="${escapeMarkup(classname)}" name="${escapeMarkup(name)}" time="${seconds.toFixed(3)}"`
  return inside === '' ? `${head}/>` : `${head}>${inside}</testcase>`
}

/** The schema knows a count of skipped cases of a single suite only. */
const countsOf = (cases: readonly Case[]) =>
  `tests="${cases.length}" failures="${count(cases, 'failure')}" errors="${count(cases, 'error')}"`

const count = (cases: readonly Case[], wanted: Case['result']) => cases.filter(({ result }) => result === wanted).length
