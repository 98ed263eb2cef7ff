import { readText } from '../lib/files.ts'
import { assumeVariable } from './marks.ts'
import { readChoices, readProfile, UnreadableChoice, type WrittenChoices } from '../spec/choices.ts'
import { CannotStart } from '../mock/cannot-start.ts'

/** A profile: the path of a JSON or YAML file, or its parsed content. */
export type ProfileSource = string | Readonly<Record<string, unknown>>

export async function loadProfile(source: ProfileSource): Promise<WrittenChoices> {
  return typeof source === 'string' ? readProfileFrom(source) : readProfile(source)
}

const option = 'profile'

async function readProfileFrom(path: string): Promise<WrittenChoices> {
  const text = readText(path, `The profile ${path}`, (sentence) => new CannotStart(sentence, { option }))
  try {
    const { readYaml } = await import('../lib/read-yaml.ts')
    return readProfile(readYaml(text))
  } catch (error) {
    const why = error instanceof UnreadableChoice ? error.message : 'It is neither JSON nor YAML.'
    throw new CannotStart(`The profile ${path} cannot be used. ${why}`, { option })
  }
}

/** The choices in CRM_SANDBOX_ASSUME, such as `contactMatching=phoneThenEmail rateLimit=perMinute:60`. */
export function choicesIn({ [assumeVariable]: written = '' }: NodeJS.ProcessEnv): WrittenChoices {
  return readChoices(written)
}
