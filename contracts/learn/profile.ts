import { CannotRun } from '../client/errors.ts'
import { readText } from '../../lib/files.ts'
import { readYaml } from '../../lib/read-yaml.ts'
import { assumption, type AssumptionName, assumptionNames } from '../../spec/assumptions.ts'
import { readProfile, type WrittenChoices } from '../../spec/choices.ts'
import { explain } from '../../spec/register-in-words.ts'
import type { ProbeFinding } from '../questions/finding.ts'
import type { LearnResult } from './learn.ts'

/** A profile as a file has it. */
export interface ProfileFile {
  readonly path: string
  readonly choices: WrittenChoices
  /** The comments behind the lines, which `learn` wrote. */
  readonly comments: ReadonlyMap<string, string>
  /** The entries that `learn` could not determine: it wrote them as comments, with the reason. */
  readonly undetermined: ReadonlySet<AssumptionName>
}

/** The findings of a run, or of the traffic of others. */
interface LearnedChoices extends Pick<LearnResult, 'origin' | 'at'> {
  readonly entries: readonly { readonly name: AssumptionName; readonly finding: ProbeFinding }[]
  readonly how?: 'asked' | 'seen'
}

/**
 * Writes a profile for `serve --profile`, in YAML: a line for each entry that the run learned, and a comment for each entry
 * that it could not determine. Where the run learned nothing, the line of the older profile stays.
 */
export function toProfile(
  { origin, at, entries, how = 'asked' }: LearnedChoices,
  version: string,
  older: Pick<ProfileFile, 'choices' | 'comments'> = { choices: {}, comments: new Map() },
): string {
  const learned = new Map<AssumptionName, ProbeFinding>(entries.map((entry) => [entry.name, entry.finding]))
  const lines = assumptionNames.flatMap((name) => {
    const finding = learned.get(name)
    const earlier = older.choices[name]
    if (finding?.outcome === 'seen') {
      const where = finding.where === undefined ? `seen ${at.slice(0, 10)}` : `as ${finding.where}`
      return `${name}: ${finding.written} # ${comment(`${meaningOf(name, finding.written)}; ${where}`)}`
    }
    if (earlier !== undefined) return `${name}: ${earlier} # ${older.comments.get(name) ?? 'from an earlier profile'}`
    return finding ? `# ${name}: ${comment(prefixes[finding.outcome] + finding.words)}` : []
  })
  return [`# What ${comment(origin)} did on ${at}, ${how} by crm-sandbox ${version}.`, ...lines, ''].join('\n')
}

const prefixes = {
  other: 'something that no choice describes: ',
  unstable: 'not the same twice: ',
  cannotTell: '',
}

/** Shortens a text of a server to one line. */
const comment = (text: string) => text.replaceAll(/[^\x20-\x7e\u00a1-\ud7ff\ue000-\ufffd]+/gu, ' ').slice(0, 300)

/** Throws with the option that names the file. */
export function readProfileFile(path: string, option = 'profile'): ProfileFile {
  const text = readText(path, `The profile ${path}`, (sentence) => new CannotRun(sentence, { option }))
  const comments = text.matchAll(/^(\w+): [^#\n]*# (.+)$/gm)
  return {
    path,
    choices: parseProfile(text, path, option),
    comments: new Map([...comments].map(([, name = '', words = '']) => [name, words])),
    undetermined: undeterminedIn(text),
  }
}

function parseProfile(text: string, path: string, option: string): WrittenChoices {
  const content = readYaml(text, (message) => {
    throw new CannotRun(`The profile ${path} is not YAML: ${message}.`, { option })
  })
  return readProfile(content ?? {})
}

export function undeterminedIn(profile: string): ReadonlySet<AssumptionName> {
  const comments = [...profile.matchAll(/^# (\w+): (\S*)/gm)]
  const undetermined = comments.flatMap(([, name, word = '']) => {
    const known = assumptionNames.find((one) => one === name)
    // A comment that begins with a choice is a learned line that a user has commented out.
    return known && !Object.hasOwn(assumption(known).choices, word.replace(/:.*/, '')) ? [known] : []
  })
  return new Set(undetermined)
}

/** Returns a choice in the words of the register. */
export function meaningOf(name: AssumptionName, written: string): string {
  const [choice = ''] = written.split(':')
  const meaning = assumption(name).choices[choice]
  return meaning === undefined ? written : explain(meaning)
}
