import { createHash } from 'node:crypto'
import type { OperationId } from '../../spec/types.ts'
import type { PromiseReport, Report } from './report.ts'
import { escapeMarkup } from '../../shared/escape-markup.ts'
import { withoutCommands } from '../../shared/plain-lines.ts'
import { countOutcomes } from './terminal.ts'

/** One page with everything, which loads no files and runs no scripts. */
export function toHtml(report: Report): string {
  const { promises, verdict, target, startedAt, seconds, reasons } = report
  const groups = [...new Set(promises.map(({ group }) => group))]
  const digest = createHash('sha256').update(style).digest('base64')
  const broken = promises.filter(({ findings }) => findings.length > 0)
  const lines = [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest}'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(`${target.origin}: ${verdict}`)}</title><style>${style}</style></head><body>`,
    `<h1>${escapeMarkup(target.origin)}: <span class="${report.exitCode === 0 ? 'kept' : 'broken'}">${escapeMarkup(verdict)}</span></h1>`,
    `<p>${escapeMarkup(`${countOutcomes(promises)}; up to ${target.upTo}, on ${startedAt}, in ${seconds.toFixed(1)} seconds.`)}</p>`,
    list(reasons),
    ...broken.map(findingsOf),
    ...groups.map((group) =>
      matrix(
        group,
        promises.filter((one) => one.group === group),
      ),
    ),
    section(
      'Observed, where the specification leaves it open',
      report.observed.map(({ assumption, choices }) => `${assumption}: ${choices.join(', ')}`),
    ),
    section(
      'Fields that are not documented',
      report.unlisted.map(({ operation, fields }) => `${operation}: ${fields.join(', ')}`),
    ),
    section(
      'May be left behind',
      report.residue.map(({ kind, what, why }) => `${kind} ${what}: ${why}`),
    ),
    section('Stays, since no operation takes it back', report.stays),
    '</body></html>',
    '',
  ]
  return withoutCommands(lines.join('\n'))
}

function findingsOf({ id, words, outcome, findings }: PromiseReport): string {
  const details = findings.map(
    ({ expected, actual, answered = 'nothing', curl = '', asked = [] }) =>
      `<dl><dt>requirement</dt><dd>${escapeMarkup(words)}</dd><dt>expected</dt><dd>${escapeMarkup(expected)}</dd>` +
      `<dt>actual</dt><dd>${escapeMarkup(actual)}</dd><dt>answer</dt><dd>${escapeMarkup(answered)}</dd><dt>asked</dt><dd>${escapeMarkup(asked.join(', '))}</dd></dl>` +
      `<pre>${escapeMarkup(curl)}</pre>`,
  )
  return `<section id="${escapeMarkup(id)}"><h2 class="${outcome}">${escapeMarkup(`${id}: ${outcome}`)}</h2>${details.join('')}</section>`
}

/** A row for each promise, a column for each operation. */
function matrix(group: string, promises: readonly PromiseReport[]): string {
  const operations = [...new Set(promises.flatMap((one) => one.operations))]
  const head = operations.map((operation) => `<th><span>${escapeMarkup(operation)}</span></th>`).join('')
  const rows = promises.map(
    (one) =>
      `<tr><th title="${escapeMarkup(one.reason ?? one.words)}">${named(one)}</th>` +
      `${operations.map((operation) => cellOf(one, operation)).join('')}</tr>`,
  )
  return `<h2>${escapeMarkup(group)}</h2><table><thead><tr><td></td>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`
}

function named({ id, words, findings }: PromiseReport): string {
  const text = `<code>${escapeMarkup(id)}</code> ${escapeMarkup(words)}`
  return findings.length > 0 ? `<a href="#${escapeMarkup(id)}">${text}</a>` : text
}

function cellOf({ operations, outcome, findings, reason = '' }: PromiseReport, operation: OperationId): string {
  if (!operations.includes(operation)) return '<td></td>'
  const own = findings.filter((finding) => finding.operation === operation)
  // When another operation broke the promise, this one has not.
  const isElsewhere = own.length === 0 && findings.some((finding) => operations.some((id) => id === finding.operation))
  const shown = isElsewhere ? 'inconclusive' : outcome
  return `<td class="${shown}" title="${escapeMarkup(reason)}">${signs[shown]}</td>`
}

const signs: Readonly<Record<PromiseReport['outcome'], string>> = {
  kept: '✓',
  broken: '✗',
  failed: '✗',
  warned: '!',
  known: '~',
  skipped: '–',
  inconclusive: '?',
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<h2>${escapeMarkup(title)}</h2>${list(lines)}`
}

function list(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${escapeMarkup(line)}</li>`).join('')}</ul>`
}

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1b1f24 }
table { border-collapse: collapse; margin-bottom: 2rem }
tbody th { text-align: left; font-weight: normal; padding: .1rem .8rem .1rem 0 }
thead th { height: 12rem; vertical-align: bottom; font-weight: normal }
thead th span { writing-mode: vertical-rl; transform: rotate(180deg) }
td { text-align: center; min-width: 1.6rem; border: 1px solid #e4e7eb }
pre { background: #f6f8fa; padding: .6rem; white-space: pre-wrap; overflow-wrap: anywhere }
dt { color: #57606a } dd { margin: 0 0 .3rem 0; overflow-wrap: anywhere }
a { color: inherit }
.kept { color: #116329 } .broken, .failed { color: #b3261e } .warned, .known { color: #8a5300 }
.skipped, .inconclusive { color: #57606a }
td.broken, td.failed { background: #ffebe9 } td.warned { background: #fff4d6 }
`
