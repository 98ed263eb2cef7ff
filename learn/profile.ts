import { assumption, type AssumptionName, assumptionNames } from '../spec/assumptions.ts'
import { type Profile, profileOf } from '../spec/profile.ts'
import type { WrittenChoices } from '../spec/choices.ts'
import { explain } from '../spec/register-in-words.ts'
import { CannotRun } from '../client/errors.ts'
import { readText } from '../shared/file-errors.ts'
import { readYaml, UnreadableYaml } from '../shared/read-yaml.ts'
import type { Learned, Lesson } from './learn.ts'
import { mergeVoices, writeVoice } from './voice/write-voice.ts'

/**
 * What a server did, as a YAML file that `serve --profile` takes: a line for each entry that was learned, and a comment
 * for each that was not. What an older profile says stays, with its comment, where
 * this run could not tell.
 */
export function toProfile(
  { origin, at, entries, voice }: Lesson,
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
  const spoken = voice || older.voice ? ['', ...writeVoice(mergeVoices(older.voice, voice))] : []
  return [`# What ${comment(origin)} did on ${at}, asked by crm-sandbox ${version}.`, ...lines, ...spoken, ''].join(
    '\n',
  )
}

/** A profile with the comments behind its lines, which say what was seen and when. */
export interface OlderProfile extends Profile {
  readonly comments?: ReadonlyMap<string, string>
}

/** A profile with the days on which its lines were seen. */
export interface DatedProfile extends Profile {
  readonly path: string
  /** The day on which an entry, or the voice, was seen as the profile says; undefined where it was written by hand. */
  readonly seenOn: (name: string) => string | undefined
}

/** Reads a profile to ask again what it says. */
export async function readProfile(path: string): Promise<DatedProfile> {
  const text = readText(path, `The profile ${path}`, (sentence) => new CannotRun(sentence))
  const [, written] = /^# What .* did on (\d{4}-\d\d-\d\d)T/.exec(text) ?? []
  const seen = new Map([...text.matchAll(/^(\w+):.*; seen (\d{4}-\d\d-\d\d)$/gm)].map(([, name, day]) => [name, day]))
  return {
    path,
    ...(await parseProfile(text, path)),
    seenOn: (name) => (name.startsWith('voice.') ? written : seen.get(name)),
  }
}

/** Reads the choices of a profile. */
export const readProfileFile = async (path: string): Promise<WrittenChoices> => (await readWholeProfile(path)).choices

/** Reads a profile for a run that adds to it. */
export async function readWholeProfile(path: string): Promise<OlderProfile> {
  const text = readText(path, `The profile ${path}`, (sentence) => new CannotRun(sentence))
  const comments = [...text.matchAll(/^(\w+): [^#\n]*# (.+)$/gm)].map(
    ([, name = '', words = '']) => [name, words] as const,
  )
  return { ...(await parseProfile(text, path)), comments: new Map(comments) }
}

async function parseProfile(text: string, path: string): Promise<Profile> {
  try {
    return profileOf((await readYaml(text)) ?? {})
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
