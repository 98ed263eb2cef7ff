import { createHash } from 'node:crypto'
import { withoutCommands } from '../../lib/text.ts'
import type { Cell, Detail, Part, ReportDocument } from './document.ts'

/** One page with everything, which loads no files and runs no scripts. */
export function toHtml({ subject, verdict, tone, at, summary, notes, parts }: ReportDocument): string {
  const digest = createHash('sha256').update(style).digest('base64')
  const shown = parts.filter(({ forms }) => forms?.includes('html') ?? true)
  const lines = [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest}'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeMarkup(`${subject}: ${verdict}`)}</title><style>${style}</style></head><body>`,
    `<h1>${escapeMarkup(subject)}: <span class="${tone}">${escapeMarkup(verdict)}</span></h1>`,
    `<p>${escapeMarkup(`${summary} Began at ${at}.`)}</p>${listOf(notes)}`,
    ...shown.map(show),
    '</body></html>',
    '',
  ]
  return withoutCommands(lines.join('\n'))
}

function show({ title, lines = [], details = [], table }: Part): string {
  if (lines.length + details.length + (table?.rows.length ?? 0) === 0) return ''
  const head = table?.head.map((text) => `<th>${escapeMarkup(text)}</th>`).join('') ?? ''
  const rows = table?.rows.map((cells) => `<tr>${cells.map(cellOf).join('')}</tr>`).join('\n') ?? ''
  const shownTable = table ? `<table><thead><tr>${head}</tr></thead><tbody>\n${rows}</tbody></table>` : ''
  const heading = title === undefined ? '' : `<h2>${escapeMarkup(title)}</h2>`
  return `${heading}${listOf(lines)}${details.map(showDetail).join('\n')}${shownTable}`
}

const showDetail = ({ title, text = [], code = '' }: Detail) =>
  `<h3>${escapeMarkup(title)}</h3>${text.map((line) => `<p>${escapeMarkup(line)}</p>`).join('')}<pre>${escapeMarkup(code)}</pre>`

function cellOf({ text, tone, hint }: Cell): string {
  const look = tone === undefined ? '' : ` class="${tone}"`
  const title = hint === undefined ? '' : ` title="${escapeMarkup(hint)}"`
  return `<td${look}${title}>${escapeMarkup(text)}</td>`
}

const listOf = (lines: readonly string[]) =>
  lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${escapeMarkup(line)}</li>`).join('')}</ul>`

/** A text inside an element or an attribute of HTML or XML; characters that XML cannot hold are replaced. */
export const escapeMarkup = (text: string) =>
  text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1b1f24 }
table { border-collapse: collapse; margin-bottom: 2rem }
th, td { vertical-align: top; border: 1px solid #e4e7eb; padding: .1rem .5rem; overflow-wrap: anywhere }
th { vertical-align: bottom; font-weight: normal }
pre { background: #f6f8fa; padding: .6rem; white-space: pre-wrap; overflow-wrap: anywhere }
.good { color: #116329 } .bad { color: #b3261e } .doubtful { color: #8a5300 } .muted { color: #57606a }
td.bad { background: #ffebe9 } td.doubtful { background: #fff4d6 }
`
