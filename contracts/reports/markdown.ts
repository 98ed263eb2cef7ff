import { plainLines } from '../../lib/text.ts'
import type { Cell, Detail, Part, ReportDocument } from './document.ts'

/** A summary for the page of a CI job. */
export function toMarkdown({ subject, verdict, summary, notes, parts }: ReportDocument): string {
  const shown = parts.filter(({ forms }) => forms?.includes('markdown') ?? true)
  const lines = [
    `## ${escape(subject)}: ${escape(verdict)}`,
    '',
    escape(summary),
    '',
    ...listOf(notes),
    ...shown.flatMap(show),
  ]
  return plainLines(lines.join('\n'))
}

function show({ title, lines = [], details = [], table }: Part): string[] {
  if (lines.length + details.length + (table?.rows.length ?? 0) === 0) return []
  return [
    ...(title === undefined ? [] : [`### ${escape(title)}`, '']),
    ...listOf(lines),
    ...details.flatMap((detail) => showDetail(detail, title === undefined ? '###' : '####')),
    ...(table ? [rowOf(table.head.map((text) => ({ text }))), `|${'---|'.repeat(table.head.length)}`] : []),
    ...(table ? [...table.rows.map(rowOf), ''] : []),
  ]
}

const listOf = (lines: readonly string[]) =>
  lines.length === 0 ? [] : [...lines.map((line) => `- ${escape(line)}`), '']

const rowOf = (cells: readonly Cell[]) => `| ${cells.map(({ text }) => escape(text)).join(' | ')} |`

const showDetail = ({ title, text = [], code = '' }: Detail, marks: string) => [
  `${marks} ${escape(title)}`,
  '',
  ...text.flatMap((line) => [escape(line), '']),
  ...(code.trim() === '' ? [] : [...toCodeBlock(code), '']),
]

/** One line without HTML, and without Markdown but for names in backticks. */
const escape = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/`[\w.:-]+`|[\\`*_{}[\]<>|#~]/g, (found) => (found.length > 1 ? found : `&#${found.charCodeAt(0)};`))

/** A block of code, with a fence longer than any in the text. */
function toCodeBlock(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}text`, text, fence]
}
