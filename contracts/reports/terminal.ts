import { type Paint, plain } from './paint.ts'
import { plainLines } from '../../lib/text.ts'
import type { Part, ReportDocument } from './document.ts'

const colours = { good: 'green', bad: 'red', doubtful: 'yellow', muted: 'grey' } as const

/** The parts, the counts and, last, the verdict. */
export function toTerminal({ parts, summary, notes, verdict, tone }: ReportDocument, paint: Paint = plain): string {
  const shown = parts.filter(({ forms }) => forms?.includes('terminal') ?? true)
  return [
    ...shown.map((part) => show(part, paint)),
    plainLines(['', summary, ...notes.map(wrap), ''].join('\n')),
    paint(plainLines(`Verdict: ${verdict}.`), colours[tone]),
    '\n',
  ].join('')
}

/** Breaks a long sentence, such as one with many names, at its spaces. */
const wrap = (sentence: string) => sentence.replace(/(.{1,100})(?: |$)/gm, '$1\n').trimEnd()

function show({ title, lines = [], details = [] }: Part, paint: Paint): string {
  if (lines.length + details.length === 0) return ''
  if (title === undefined) return details.map((detail) => `\n${showDetail(detail, '', paint)}`).join('')
  const list = lines.map((line) => indent(line, '  ')).join('')
  return `\n${paint(plainLines(title), 'bold')}\n${list}${details.map((detail) => showDetail(detail, '  ', plain)).join('')}`
}

function showDetail({ title, text = [], code }: NonNullable<Part['details']>[number], margin: string, paint: Paint) {
  const lines = [...text.map(wrap), ...(code === undefined ? [] : code.split('\n'))]
  return `${margin}${paint(plainLines(title), 'bold')}\n${lines.map((line) => indent(line, `${margin}  `)).join('')}`
}

const indent = (text: string, margin: string) =>
  plainLines(text)
    .split('\n')
    .map((line) => (line === '' ? '\n' : `${margin}${line}\n`))
    .join('')
