import { escapeMarkdown } from '../../shared/escape-markdown.ts'
import { plainLines } from '../../shared/plain-lines.ts'
import type { EntryReport, LearnReport } from './report.ts'

/** A summary for the page of a CI job: all that is not as the profile says, or not a choice. */
export function toMarkdown({ origin, verdict, seconds, entries, residue, stays }: LearnReport): string {
  const told = entries.filter(({ outcome }) => outcome !== 'same' && outcome !== 'seen')
  const lines = [
    `## ${escapeMarkdown(origin)}: ${escapeMarkdown(verdict)}`,
    '',
    `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}, in ${seconds.toFixed(1)} seconds.`,
    '',
    ...residue.map(({ kind, what, why }) => `- left behind: ${escapeMarkdown(`${kind} ${what} (${why})`)}`),
    ...stays.map((what) => `- stays: ${escapeMarkdown(what)}`),
    ...(told.length === 0 ? [] : ['', '| entry | outcome | was | is |', '|---|---|---|---|', ...told.map(rowOf)]),
    '',
  ]
  return plainLines(lines.join('\n'))
}

function rowOf({ name, outcome, was = '', is }: EntryReport): string {
  return `| ${[name, inWords[outcome], was, is].map(escapeMarkdown).join(' | ')} |`
}

export const inWords: Readonly<Record<EntryReport['outcome'], string>> = {
  same: 'as the profile says',
  differs: 'differs',
  seen: 'learned',
  other: 'no choice describes it',
  unstable: 'not the same twice',
  cannotTell: 'cannot be told',
}
