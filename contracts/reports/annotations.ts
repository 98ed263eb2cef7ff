import { plainLines } from '../../shared/plain-lines.ts'
import type { PromiseReport, Report } from './report.ts'

/** Commands with which a GitHub workflow shows what is broken beside its job. */
export function toAnnotations({ promises, exitCode, reasons }: Report): string {
  const lines = promises.flatMap((one) => {
    if (one.outcome === 'broken') return [command('error', one.id, wordsOf(one))]
    return one.outcome === 'warned' ? [command('warning', one.id, wordsOf(one))] : []
  })
  const failed = exitCode === 0 || exitCode === 1 ? [] : reasons.map((reason) => command('error', 'verify', reason))
  return [...lines, ...failed].map((line) => `${line}\n`).join('')
}

function wordsOf({ words, findings: [finding] }: PromiseReport): string {
  const { expected = '', actual = '', answered = 'nothing' } = finding ?? {}
  return `${words}\nexpected: ${expected}\nactual: ${actual}\nanswer: ${answered}`
}

const command = (level: string, title: string, text: string) =>
  `::${level} title=${escapeData(title).replace(/:/g, '%3A').replace(/,/g, '%2C')}::${escapeData(plainLines(text))}`

/** As the workflow reads it back; nothing in it can end the line. */
const escapeData = (text: string) =>
  text.replace(/%/g, '%25').replace(/[\r\n\p{Zl}\p{Zp}\p{Cc}]/gu, (character) => encodeURIComponent(character))
