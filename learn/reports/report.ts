import type { Residue } from '../../client/ledger/clean.ts'
import { describeStays } from '../../client/ledger/stays.ts'
import { assumption } from '../../spec/assumptions.ts'
import type { WrittenChoices } from '../../spec/choices.ts'
import type { Finding } from '../probe.ts'
import type { Learned, Lesson } from '../learn.ts'
import type { Difference } from '../summary.ts'

/** What a run has learned, or how a server differs from its profile, as plain data. */
export interface LearnReport {
  readonly version: 1
  readonly origin: string
  /** When it began, as an ISO 8601 time. */
  readonly at: string
  readonly seconds: number
  readonly verdict: string
  readonly exitCode: number
  /** The file of `--check`. */
  readonly profile?: string
  readonly entries: readonly EntryReport[]
  readonly residue: readonly Residue[]
  readonly stays: readonly string[]
}

export interface EntryReport {
  /** An entry of the register, or a part of the voice. */
  readonly name: string
  readonly question?: string
  /** `same` and `differs`: as, or unlike, the profile of `--check` says. */
  readonly outcome: Finding['outcome'] | 'same' | 'differs'
  /** What the profile says. */
  readonly was?: string
  /** What was seen, or why nothing can be determined. */
  readonly is: string
}

/** A profile that a server was checked against, and what came of it. */
export interface Checked {
  readonly path: string
  readonly choices: WrittenChoices
  readonly differences: readonly Difference[]
}

export function toReport(lesson: Lesson, exitCode: number, checked?: Checked): LearnReport {
  const { origin, at, seconds, residue, stays } = lesson
  const entries = checked ? checkedEntries(lesson.entries, checked) : lesson.entries.map(learnedEntry)
  return {
    version: 1,
    origin,
    at,
    seconds,
    verdict: verdictOn(lesson, entries, checked),
    exitCode,
    ...(checked ? { profile: checked.path } : {}),
    entries,
    residue,
    stays: describeStays(stays),
  }
}

function learnedEntry({ name, finding }: Learned): EntryReport {
  const is = finding.outcome === 'seen' ? finding.written : finding.words
  return { name, question: assumption(name).question, outcome: finding.outcome, is }
}

/** What the profile says, each with what was seen, and where the server speaks otherwise. */
function checkedEntries(learned: readonly Learned[], { choices, differences }: Checked): EntryReport[] {
  const entries = learned.map(learnedEntry).flatMap((entry): EntryReport[] => {
    const was = (choices as Readonly<Record<string, string | undefined>>)[entry.name]
    if (was === undefined) return []
    const isOther = differences.some(({ name }) => name === entry.name)
    const outcome = entry.outcome === 'cannotTell' ? entry.outcome : isOther ? 'differs' : 'same'
    return [{ ...entry, outcome, was }]
  })
  const ofVoice = differences.filter(({ name }) => !entries.some((entry) => entry.name === name))
  return [...entries, ...ofVoice.map((difference) => ({ ...difference, outcome: 'differs' as const }))]
}

function verdictOn({ stopped }: Lesson, entries: readonly EntryReport[], checked?: Checked): string {
  const count = (outcome: EntryReport['outcome']) => entries.filter((entry) => entry.outcome === outcome).length
  const differing = count('differs')
  const told = checked
    ? `${differing === 0 ? 'no' : differing} ${differing === 1 ? 'difference' : 'differences'} from ${checked.path}`
    : `${count('seen')} of ${entries.length} learned`
  return stopped === undefined ? told : `${told}; the run ended early: ${stopped}`
}
