import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { fileError } from '../../shared/files.ts'
import { readYaml } from '../../shared/read-yaml.ts'
import { CannotRun } from '../errors.ts'
import { type Credentials, variables, type Who } from './credentials.ts'
import type { TargetOptions } from './target.ts'

export interface Settings {
  readonly wanted: TargetOptions
  readonly credentials: Credentials<string>
}

/** The target file, then the environment, then the command line; each overrides the one before. */
export function gatherSettings(
  options: TargetOptions & { readonly target?: string | undefined },
  env: NodeJS.ProcessEnv,
): Settings {
  const { target: path } = options
  const file: Settings = path === undefined ? { wanted: {}, credentials: {} } : readTargetFile(path)
  return {
    wanted: { ...file.wanted, ...pickGiven({ baseUrl: env.CRM_BASE_URL }), ...pickGiven(options) },
    credentials: { ...file.credentials, ...readCredentials((name) => env[name]) },
  }
}

/** A YAML or JSON file that only its owner may read, with the names of the options and of the variables. */
export function readTargetFile(path: string): Settings {
  const content = parseYaml(readPrivately(path), `The target file ${path}`)
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new CannotRun(`The target file ${path} must give names their values, such as baseUrl: https://….`)
  }
  const values = new Map<string, unknown>(Object.entries(content))
  const stray = [...values.keys()].find((name) => !known.includes(name))
  if (stray !== undefined) {
    throw new CannotRun(`The target file ${path} has an entry that is not known; it takes ${known.join(', ')}.`)
  }
  const wanted = pickGiven(Object.fromEntries([...values].map(([name, value]) => [name, toOption(name, value)])))
  const credentials = readCredentials((name) => {
    const value = values.get(name)
    return typeof value === 'string' ? value : undefined
  })
  return { wanted, credentials }
}

/** A list of texts for the options that may be repeated, and else one text. */
function toOption(name: string, value: unknown): string | string[] | boolean {
  if (name === 'insecure') return value === true
  return ['emailTo', 'phoneTo', 'header'].includes(name) ? [value].flat().map(String) : String(value)
}

const optionNames = [
  'baseUrl',
  'upTo',
  'emailProvider',
  'smsProvider',
  'whatsappProvider',
  'otherEmailProvider',
  'otherSmsProvider',
  'otherWhatsappProvider',
  'otherPipelineId',
  'otherStageId',
  'emailTo',
  'phoneTo',
  'emailDomain',
  'mediaUrl',
  'groupId',
  'pipelineId',
  'stageId',
  'rate',
  'timeout',
  'ca',
  'insecure',
  'header',
] as const satisfies (keyof TargetOptions)[]

const known: readonly string[] = [...optionNames, ...Object.values(variables)]

function readCredentials(read: (name: string) => string | undefined): Credentials<string> {
  const all = Object.entries(variables).map(([who, name]) => [who as Who, read(name)] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== ''))
}

/** The options of a target that have a value, out of all options of a command. */
function pickGiven(options: TargetOptions): TargetOptions {
  const all = [...optionNames, 'confirmHost' as const].map((name) => [name, options[name]] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== undefined))
}

/** Checks the mode of the very file that it then reads. */
function readPrivately(path: string): string {
  const file = open(path)
  try {
    const { mode } = fstatSync(file)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new CannotRun(`Others can read the target file ${path}; close it with: chmod 600 ${path}`)
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function open(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw new CannotRun(`${fileError(`The target file ${path}`, 'read', error)}.`)
  }
}

/** Parses YAML or JSON. The parser's message is not repeated: it quotes the text, which may be a credential. */
export function parseYaml(text: string, file: string): unknown {
  try {
    return readYaml(text)
  } catch {
    throw new CannotRun(`${file} is neither YAML nor JSON.`)
  }
}
