import { readText } from '../lib/files.ts'
import { assumeVariable } from './marks.ts'
import { isList } from '../lib/option-schemas.ts'
import { readChoices, readProfile, UnreadableChoice, type WrittenChoices } from '../spec/choices.ts'
import { CannotStart } from '../lib/user-error.ts'
import type { FaultsSource, FaultToAdd, ProfileSource } from '../mock/options.ts'

export async function loadProfile(source: ProfileSource): Promise<WrittenChoices> {
  return typeof source === 'string' ? readProfileFrom(source) : readProfile(source)
}

async function readProfileFrom(path: string): Promise<WrittenChoices> {
  const option = 'profile'
  const content = await readContent(path, `The profile ${path}`, option)
  try {
    return readProfile(content)
  } catch (error) {
    if (!(error instanceof UnreadableChoice)) throw error
    throw new CannotStart(`The profile ${path} cannot be used. ${error.message}`, { option })
  }
}

/** The sandbox checks each fault when it adds it. */
export async function loadFaults(source: FaultsSource): Promise<readonly FaultToAdd[]> {
  if (typeof source !== 'string') return source
  const option = 'faults'
  const name = isList(source) ? 'The list of faults' : `The file of faults ${source}`
  const content = isList(source) ? await parse(source, name, option) : await readContent(source, name, option)
  if (Array.isArray(content)) return content as FaultToAdd[]
  throw new CannotStart(
    `${name} cannot be used. It must be a list, such as [{ "operation": "sendMessage", "status": 503 }].`,
    { option },
  )
}

const readContent = (path: string, name: string, option: string) =>
  parse(
    readText(path, name, (sentence) => new CannotStart(sentence, { option })),
    name,
    option,
  )

async function parse(text: string, name: string, option: string): Promise<unknown> {
  // Loaded on demand: most sandboxes have no such file.
  const { readYaml } = await import('../lib/read-yaml.ts')
  return readYaml(text, (message, line, column) => {
    const at = line === undefined ? '' : `line ${line}, column ${column}: `
    throw new CannotStart(`${name} cannot be used. It is neither JSON nor YAML (${at}${message}).`, { option })
  })
}

/** The choices in CRM_SANDBOX_ASSUME, such as `contactMatching=phoneThenEmail rateLimit=perMinute:60`. */
export function choicesIn({ [assumeVariable]: written = '' }: NodeJS.ProcessEnv): WrittenChoices {
  return readChoices(written)
}
