import { type Paint, plain } from '../shared/paint.ts'
import { plainLines } from '../shared/plain-lines.ts'
import { allDeleted, describeStays } from '../client/ledger/stays.ts'
import { assumption } from '../spec/assumptions.ts'
import type { Profile } from '../spec/profile.ts'
import type { Learned, LearnProgress, Lesson } from './learn.ts'
import { meaningOf } from './profile.ts'
import { compareVoices } from './voice/compare-voices.ts'

type Write = (text: string) => void

/** A line while a run goes on: on a terminal one that is replaced, elsewhere one for every tenth entry. */
export function progressOn(write: Write, isTerminal: boolean): LearnProgress {
  let count = 0
  let all = 0
  return {
    began({ origin, upTo }, { team }, total) {
      all = total
      write(
        `Asking ${origin}${team === undefined ? '' : ` as team ${plainLines(team)}`}, up to ${upTo}, about ${total} assumptions.\n`,
      )
    },
    learned({ name }) {
      count++
      if (isTerminal) write(`\r\u001b[K${count} of ${all}: ${name}${count === all ? '\r\u001b[K' : ''}`)
      else if (count % 10 === 0 || count === all) write(`${count} of ${all}\n`)
    },
  }
}

/** What was learned; where the server differs from what is assumed comes first. */
export function summarize({ entries, seconds, residue, stays, stopped }: Lesson, paint: Paint = plain): string {
  const seen = entries.flatMap(({ name, finding }) =>
    finding.outcome === 'seen' ? [{ name, written: finding.written }] : [],
  )
  const different = seen.filter(({ name, written }) => written.split(':')[0] !== assumption(name).assumed)
  const of = (outcome: 'other' | 'unstable') =>
    entries.flatMap(({ name, finding }) => (finding.outcome === outcome ? [`${name}: ${finding.words}`] : []))
  const lines = [
    ...section(
      'Where this server differs from what is assumed',
      different.map(
        ({ name, written }) => `${name}=${written}: ${meaningOf(name, written)} (assumed: ${assumption(name).assumed})`,
      ),
    ),
    ...section('Something that no choice describes', of('other')),
    ...section('Not the same twice, and so not learned', of('unstable')),
    ...section('Cannot be told', byReason(entries)),
    ...section(
      'May be left behind',
      residue.map(({ kind, what, why }) => `${kind} ${what}: ${why}`),
    ),
    ...section('Stays, since no operation takes it back', describeStays(stays)),
    '',
    ...(stopped === undefined ? [] : [`The run ended early: ${stopped}.`]),
    `${seen.length} of ${entries.length} learned, ${different.length} of them differ, in ${seconds.toFixed(1)} seconds.`,
    ...(residue.length === 0 ? [allDeleted(stays)] : []),
  ]
  return `${plainLines(lines.join('\n')).replace(/^(Where this.*|Something.*|Not the same.*|Cannot be told)$/gm, (title) => paint(title, 'bold'))}\n`
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]
}

function byReason(entries: readonly Learned[]): string[] {
  const names = new Map<string, string[]>()
  for (const { name, finding } of entries) {
    if (finding.outcome === 'cannotTell') names.set(finding.words, [...(names.get(finding.words) ?? []), name])
  }
  return [...names].map(([reason, of]) => `${of.join(', ')}: ${reason}`)
}

/** What a server no longer does, or says, as its profile does. */
export interface Difference {
  readonly name: string
  readonly was: string
  readonly is: string
}

/** What the profile says, and the server does not do or say. What cannot be told is no difference. */
export function differencesFrom(
  { choices, voice }: Profile,
  { entries, heard }: Pick<Lesson, 'entries' | 'heard'>,
): readonly Difference[] {
  const done = entries.flatMap(({ name, finding }) => {
    const was: string | undefined = choices[name]
    if (was === undefined || finding.outcome === 'cannotTell') return []
    const is = finding.outcome === 'seen' ? finding.written : finding.words
    return withoutDelay(was) === withoutDelay(is) ? [] : [{ name, was, is }]
  })
  return [...done, ...(voice && heard ? compareVoices(voice, heard) : [])]
}

/** A delay is never measured twice alike. */
const withoutDelay = (written: string) => written.replace(/^(afterDelay):\d+$/, '$1')
