import { createHash } from 'node:crypto'
import { escapeMarkup } from '../../shared/escape-markup.ts'
import { inWords } from './markdown.ts'
import type { EntryReport, LearnReport } from './report.ts'

/** One page with everything, which loads no files and runs no scripts. */
export function toHtml({ origin, verdict, at, seconds, entries, residue, stays, exitCode }: LearnReport): string {
  const digest = createHash('sha256').update(style).digest('base64')
  const left = residue.map(({ kind, what, why }) => `left behind: ${kind} ${what} (${why})`)
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest}'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(`${origin}: ${verdict}`)}</title><style>${style}</style></head><body>`,
    `<h1>${escapeMarkup(origin)}: <span class="${exitCode === 0 ? 'same' : 'differs'}">${escapeMarkup(verdict)}</span></h1>`,
    `<p>${entries.length} entries, on ${escapeMarkup(at)}, in ${seconds.toFixed(1)} seconds.</p>`,
    ...[...left, ...stays.map((what) => `stays: ${what}`)].map((line) => `<p>${escapeMarkup(line)}</p>`),
    '<table><thead><tr><th>entry</th><th>outcome</th><th>was</th><th>is</th></tr></thead><tbody>',
    ...bySeverity(entries).map(rowOf),
    '</tbody></table></body></html>',
    '',
  ].join('\n')
}

const order: readonly EntryReport['outcome'][] = ['differs', 'other', 'unstable', 'cannotTell', 'seen', 'same']

const bySeverity = (entries: readonly EntryReport[]) =>
  entries.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome))

function rowOf({ name, question = '', outcome, was = '', is }: EntryReport): string {
  const cells = [was, is].map((text) => `<td>${escapeMarkup(text)}</td>`).join('')
  return (
    `<tr class="${outcome}"><th title="${escapeMarkup(question)}"><code>${escapeMarkup(name)}</code></th>` +
    `<td>${inWords[outcome]}</td>${cells}</tr>`
  )
}

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1b1f24 }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; font-weight: normal; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #e4e7eb; overflow-wrap: anywhere }
thead th { color: #57606a }
.same, .seen { color: #116329 } .differs { color: #b3261e } .other, .unstable { color: #8a5300 } .cannotTell { color: #57606a }
`
