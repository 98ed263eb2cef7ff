import { readText } from '../shared/file-errors.ts'
import { readYaml } from '../shared/read-yaml.ts'
import { UnreadableChoice } from '../spec/choices.ts'
import { type Profile, profileOf } from '../spec/profile.ts'
import { CannotStart } from './cannot-start.ts'

/** A profile as it is given: a JSON or YAML file, or what stands in one. */
export type GivenProfile = string | Readonly<Record<string, unknown>>

export async function loadProfile(given: GivenProfile): Promise<Profile> {
  return typeof given === 'string' ? readProfileFrom(given) : profileOf(given)
}

async function readProfileFrom(path: string): Promise<Profile> {
  const text = readText(path, `The profile ${path}`, (sentence) => new CannotStart(sentence))
  try {
    return profileOf(await readYaml(text))
  } catch (error) {
    const why = error instanceof UnreadableChoice ? error.message : 'It is neither JSON nor YAML.'
    throw new CannotStart(`The profile ${path} cannot be used. ${why}`)
  }
}
