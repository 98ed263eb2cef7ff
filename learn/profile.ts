import { CannotRun } from '../client/errors.ts'
import { readText } from '../shared/files.ts'
import { readYaml, UnreadableYaml } from '../shared/read-yaml.ts'
import { assumption, type AssumptionName, assumptionNames } from '../spec/assumptions.ts'
import { readProfileContent, type WrittenChoices } from '../spec/choices.ts'
import { explain } from '../spec/register-in-words.ts'
import type { Learned, Lesson } from './learn.ts'

/**
 * What a server did, as a YAML file that `serve --profile` takes: a line for each entry that was learned, and a comment
 * for each that was not. What an older profile says stays, with its comment, where
 * this run could not tell.
 */
export function toProfile(
  { origin, at, entries }: Lesson,
  version: string,
  older: OlderProfile = { choices: {} },
): string {
  const learned = new Map(entries.map((entry) => [entry.name, entry.finding]))
  const day = at.slice(0, 10)
  const lines = assumptionNames.flatMap((name) => {
    const finding = learned.get(name)
    const kept = older.choices[name]
    if (finding?.outcome === 'seen')
      return `${name}: ${finding.written} # ${comment(meaningOf(name, finding.written))}; seen ${day}`
    if (kept !== undefined) return `${name}: ${kept} # ${older.comments?.get(name) ?? 'from an earlier profile'}`
    return finding ? `# ${name}: ${commentOn({ name, finding })}` : []
  })
  return [`# What ${comment(origin)} did on ${at}, asked by crm-sandbox ${version}.`, ...lines, ''].join('\n')
}

/** A profile with the comments behind its lines, which say what was seen and when. */
export interface OlderProfile {
  readonly choices: WrittenChoices
  readonly comments?: ReadonlyMap<string, string>
}

/** A profile with the days on which its lines were seen. */
export interface DatedProfile {
  readonly choices: WrittenChoices
  readonly path: string
  /** The day on which an entry was seen as the profile says; undefined where it was written by hand. */
  readonly seenOn: (name: string) => string | undefined
}

/** Reads a profile to ask again what it says. */
export async function readProfile(path: string): Promise<DatedProfile> {
  const text = readText(path, `The profile ${path}`, (sentence) => new CannotRun(sentence))
  const seen = new Map([...text.matchAll(/^(\w+):.*; seen (\d{4}-\d\d-\d\d)$/gm)].map(([, name, day]) => [name, day]))
  return {
    path,
    choices: parseProfile(text, path),
    seenOn: (name) => seen.get(name),
  }
}

/** Reads the choices of a profile. */
export const readProfileFile = async (path: string): Promise<WrittenChoices> => (await readWholeProfile(path)).choices

/** The entries that `learn` could not determine: it wrote them as comments, with the reason. */
export function undeterminedIn(profile: string): ReadonlySet<AssumptionName> {
  const comments = [...profile.matchAll(/^# (\w+): (\S*)/gm)]
  const undetermined = comments.flatMap(([, name, word = '']) => {
    const known = assumptionNames.find((one) => one === name)
    // Somebody may have commented out what was learned.
    return known && !Object.hasOwn(assumption(known).choices, word.replace(/:.*/, '')) ? [known] : []
  })
  return new Set(undetermined)
}

/** Reads a profile for a run that adds to it. */
export async function readWholeProfile(path: string): Promise<OlderProfile> {
  const text = readText(path, `The profile ${path}`, (sentence) => new CannotRun(sentence))
  const comments = [...text.matchAll(/^(\w+): [^#\n]*# (.+)$/gm)].map(
    ([, name = '', words = '']) => [name, words] as const,
  )
  return { choices: parseProfile(text, path), comments: new Map(comments) }
}

function parseProfile(text: string, path: string): WrittenChoices {
  try {
    return readProfileContent(readYaml(text) ?? {})
  } catch (error) {
    if (error instanceof UnreadableYaml) throw new CannotRun(`The profile ${path} is not YAML: ${error.message}.`)
    throw error
  }
}

/** A choice in the words of the register. */
export function meaningOf(name: AssumptionName, written: string): string {
  const [choice = ''] = written.split(':')
  const meaning = assumption(name).choices[choice]
  return meaning === undefined ? written : explain(meaning)
}

function commentOn({ finding }: Learned): string {
  if (finding.outcome === 'seen') return finding.written
  return comment(
    { other: 'something that no choice describes: ', unstable: 'not the same twice: ', cannotTell: '' }[
      finding.outcome
    ] + finding.words,
  )
}

/** On one line, whatever the server said. */
const comment = (text: string) => text.replaceAll(/[^\x20-\x7e\u00a1-\ud7ff\ue000-\ufffd]+/gu, ' ').slice(0, 300)
