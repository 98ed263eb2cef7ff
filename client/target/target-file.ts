import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { fileError } from '../../shared/file-errors.ts'
import { CannotVerify } from '../../contracts/judge/outcome.ts'
import { variables, type Credentials, type Wanted, type Who } from './target.ts'

/** What a file, then the environment and then the command line say of a target; credentials are never an argument. */
export interface Said {
  readonly wanted: Wanted
  readonly credentials: Credentials<string>
}

export function saidInAll(options: Wanted & { readonly target?: string | undefined }, env: NodeJS.ProcessEnv): Said {
  const { target: path } = options
  const file: Said = path === undefined ? { wanted: {}, credentials: {} } : readTargetFile(path)
  return {
    wanted: { ...file.wanted, ...stated({ baseUrl: env.CRM_BASE_URL }), ...stated(options) },
    credentials: { ...file.credentials, ...credentialsIn((name) => env[name]) },
  }
}

/** A YAML or JSON file that only its owner may read, with the names of the options and of the variables. */
export function readTargetFile(path: string): Said {
  const said: unknown = parsed(readPrivately(path), path)
  if (typeof said !== 'object' || said === null || Array.isArray(said)) {
    throw new CannotVerify(`The target file ${path} must give names their values, such as baseUrl: https://….`)
  }
  const values = new Map<string, unknown>(Object.entries(said))
  const stray = [...values.keys()].find((name) => !known.includes(name))
  if (stray !== undefined) {
    throw new CannotVerify(`The target file ${path} has an entry that nobody knows; it takes ${known.join(', ')}.`)
  }
  const wanted = stated(Object.fromEntries([...values].map(([name, value]) => [name, written(name, value)])))
  const credentials = credentialsIn((name) => {
    const value = values.get(name)
    return typeof value === 'string' ? value : undefined
  })
  return { wanted, credentials }
}

/** A list of texts where several may be named, and else one text. */
function written(name: string, value: unknown): string | string[] {
  return name === 'emailTo' || name === 'phoneTo' ? [value].flat().map(String) : String(value)
}

const wantedNames = [
  'baseUrl',
  'upTo',
  'emailProvider',
  'smsProvider',
  'whatsappProvider',
  'emailTo',
  'phoneTo',
  'groupId',
  'pipelineId',
  'stageId',
  'rate',
  'timeout',
] as const satisfies (keyof Wanted)[]

const known: readonly string[] = [...wantedNames, ...Object.values(variables)]

function credentialsIn(read: (name: string) => string | undefined): Credentials<string> {
  const all = Object.entries(variables).map(([who, name]) => [who as Who, read(name)] as const)
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== ''))
}

/** What is said of those names. */
function stated(values: Wanted): Wanted {
  const said = [...wantedNames, 'confirmHost' as const].map((name) => [name, values[name]] as const)
  return Object.fromEntries(said.filter(([, value]) => value !== undefined))
}

/** Its mode is asked of the very file that is then read. */
function readPrivately(path: string): string {
  const file = opened(path)
  try {
    const { mode } = fstatSync(file)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new CannotVerify(`Others can read the target file ${path}; close it with: chmod 600 ${path}`)
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw new CannotVerify(`${fileError(`The target file ${path}`, 'read', error)}.`)
  }
}

/** A parser quotes what it cannot read, which may be a credential: so its own words are not repeated. */
function parsed(text: string, path: string): unknown {
  try {
    return parse(text)
  } catch {
    throw new CannotVerify(`The target file ${path} is neither YAML nor JSON.`)
  }
}
