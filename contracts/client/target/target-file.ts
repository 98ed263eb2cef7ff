import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { fileError } from '../../../lib/files.ts'
import { readYaml } from '../../../lib/read-yaml.ts'
import { suggest } from '../../../spec/close-to.ts'
import { CannotRun } from '../errors.ts'
import { type Credentials, variables } from './credentials.ts'
import { isList, optionNames, optionsOnFile, type TargetOptions } from './target.ts'

export interface Settings {
  readonly wanted: TargetOptions
  readonly credentials: Credentials
}

/** Merges the target file, the environment and the command line; the last one wins. */
export function gatherSettings(
  options: TargetOptions & { readonly target?: string | undefined },
  env: NodeJS.ProcessEnv = process.env,
): Settings {
  const file = options.target === undefined ? undefined : readTargetFile(options.target)
  const ownOptions = optionNames.map((name) => [name, options[name]] as const)
  return {
    wanted: { ...file?.wanted, ...pickDefined([['baseUrl', env.CRM_BASE_URL], ...ownOptions]) },
    credentials: { ...file?.credentials, ...credentialsIn(env) },
  }
}

const option = 'target'

/** Reads a YAML or JSON file that only its owner may read, with the names of the options and of the variables. */
export function readTargetFile(path: string): Settings {
  const content = parseYaml(readPrivately(path), `The target file ${path}`, option)
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new CannotRun(`The target file ${path} must give names their values, such as baseUrl: https://….`, { option })
  const known: readonly string[] = [...optionsOnFile, ...Object.values(variables)]
  const entries = Object.entries(content as Readonly<Record<string, unknown>>)
  const unknown = entries.map(([name]) => name).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    // Another text than a word may contain a credential.
    const named = /^\w+$/.test(unknown) ? `no entry ${unknown}` : 'an entry that is not known'
    const hint = suggest(unknown, known) || `; it takes ${known.join(', ')}`
    throw new CannotRun(`The target file ${path} has ${named}${hint}.`, { option })
  }
  const options = entries.filter(([name]) => optionsOnFile.some((option) => option === name))
  return {
    wanted: pickDefined(options.map(([name, value]) => [name, toOption(name, value)])),
    credentials: credentialsIn(Object.fromEntries(entries)),
  }
}

function toOption(name: string, value: unknown): string | string[] | boolean {
  if (name === 'insecure') return value === true
  return isList(name) ? [value].flat().map(String) : String(value)
}

function credentialsIn(values: Readonly<Record<string, unknown>>): Credentials {
  const all = Object.entries(variables).map(([who, name]) => [who, values[name]] as const)
  return Object.fromEntries(all.filter((one): one is [string, string] => typeof one[1] === 'string' && one[1] !== ''))
}

const pickDefined = (entries: readonly (readonly [string, unknown])[]): TargetOptions =>
  Object.fromEntries(entries.filter(([, value]) => value !== undefined))

/** Checks the mode of the open file, so that the check and the read apply to the same file. */
function readPrivately(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      if (process.platform !== 'win32' && (fstatSync(file).mode & 0o077) !== 0)
        throw new CannotRun(`Others can read the target file ${path}; close it with: chmod 600 ${path}`, { option })
      return readFileSync(file, 'utf8')
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if (error instanceof CannotRun) throw error
    throw new CannotRun(`${fileError(`The target file ${path}`, 'read', error)}.`, { option })
  }
}

/** Parses YAML or JSON. The message of the parser is not repeated: it quotes the text, which may contain a credential. */
export function parseYaml(text: string, file: string, option: string): unknown {
  return readYaml(text, (_, line) => {
    const place = line === undefined ? '' : ` (line ${line})`
    throw new CannotRun(`${file} is neither YAML nor JSON${place}.`, { option })
  })
}
