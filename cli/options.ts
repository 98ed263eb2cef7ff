import { marksVariable } from './marks.ts'
import type { NameOf } from '../lib/user-error.ts'
import { closeTo } from '../spec/close-to.ts'
import { CannotStart } from '../mock/cannot-start.ts'
import type { SandboxOptions } from '../mock/create-sandbox.ts'
import { readHostName, readOrigin } from '../mock/http/guard.ts'
import { logForms, type LogForm, type LogLevel, logLevels } from '../mock/http/log.ts'

/** One option of `serve`. */
export interface Option<Value = unknown> {
  /** As commander takes it, such as `--port <number>`. */
  readonly flag: string
  readonly variable: string
  readonly words: string
  /** The default, as the user would write it. */
  readonly usual?: string
  /** Whether it can be repeated; its variable then holds values separated by spaces. */
  readonly several?: true
  /** Parses the text; throws CannotStart with the form that it must have. */
  read(text: string): Value
}

/** All options; the flags, the variables and the table in the documentation are generated from them. */
export const options = {
  port: {
    flag: '--port <number>',
    variable: 'CRM_SANDBOX_PORT',
    words: 'port to listen on; 0 picks a free one',
    usual: '4010',
    read: readPort,
  },
  host: {
    flag: '--host <address>',
    variable: 'CRM_SANDBOX_HOST',
    words: 'address to listen on; 127.0.0.1, or 0.0.0.0 with --public',
    read: (text) => text,
  },
  public: {
    flag: '--public',
    variable: 'CRM_SANDBOX_PUBLIC',
    words: 'listen on all interfaces, so that other machines can connect',
    read: readBoolean,
  },
  allowHost: {
    flag: '--allow-host <name>',
    variable: 'CRM_SANDBOX_ALLOW_HOST',
    words: 'additional Host name to accept, such as the name of a container; repeatable',
    several: true,
    read: readHostName,
  },
  cors: {
    flag: '--cors <origin>',
    variable: 'CRM_SANDBOX_CORS',
    words: 'origin whose pages may use the API in a browser, such as http://localhost:5173; repeatable',
    several: true,
    read: readOrigin,
  },
  https: {
    flag: '--https',
    variable: 'CRM_SANDBOX_HTTPS',
    words: 'serve HTTPS with a certificate generated at the start; the banner names the file that clients must trust',
    read: readBoolean,
  },
  tlsCert: {
    flag: '--tls-cert <file>',
    variable: 'CRM_SANDBOX_TLS_CERT',
    words: 'serve HTTPS with this certificate and those that signed it, in PEM',
    read: readName,
  },
  tlsKey: {
    flag: '--tls-key <file>',
    variable: 'CRM_SANDBOX_TLS_KEY',
    words: 'the private key of the certificate, in PEM',
    read: readName,
  },
  controlToken: {
    flag: '--control-token <token>',
    variable: 'CRM_SANDBOX_CONTROL_TOKEN',
    words: 'token that /_sandbox requires; generated and printed when not listening on loopback',
    read: readToken,
  },
  world: {
    flag: '--world <name or file>',
    variable: 'CRM_SANDBOX_WORLD',
    words: 'initial data, restored by a reset: demo, two-teams, empty, story:shop, or a JSON or YAML file',
    usual: 'demo',
    read: readName,
  },
  store: {
    flag: '--store <store>',
    variable: 'CRM_SANDBOX_STORE',
    words: 'where to keep the data: memory, file:PATH, or postgres://USER@HOST/DATABASE',
    usual: 'memory',
    read: readStore,
  },
  seed: {
    flag: '--seed <number>',
    variable: 'CRM_SANDBOX_SEED',
    words: 'seed for generated ids: the same requests get the same ids',
    read: readSeed,
  },
  assume: {
    flag: '--assume <name=choice>',
    variable: 'CRM_SANDBOX_ASSUME',
    words: 'change an assumption, such as contactMatching=phoneThenEmail; repeatable',
    several: true,
    read: readName,
  },
  profile: {
    flag: '--profile <file>',
    variable: 'CRM_SANDBOX_PROFILE',
    words: 'JSON or YAML file with choices that were learned from a server',
    read: readName,
  },
  faultsByHeader: {
    flag: '--no-faults-by-header',
    variable: 'CRM_SANDBOX_FAULTS_BY_HEADER',
    words: 'ignore the header Prefer: code=404, with which a request asks for a documented error',
    read: readBoolean,
  },
  strict: {
    flag: '--strict',
    variable: 'CRM_SANDBOX_STRICT',
    words: 'answer 400 to fields and parameters that an operation would ignore; the real service may not',
    read: readBoolean,
  },
  log: {
    flag: '--log [form,level]',
    variable: 'CRM_SANDBOX_LOG',
    words: 'log requests to stderr; form: text (on a terminal) or json (elsewhere); lowest level: info, warn or error',
    read: readLog,
  },
  open: {
    flag: '--open',
    variable: 'CRM_SANDBOX_OPEN',
    words: 'open the console in the browser of this machine',
    read: readBoolean,
  },
  printJson: {
    flag: '--print-json',
    variable: 'CRM_SANDBOX_PRINT_JSON',
    words:
      'print one line of JSON at the start, for scripts: the URL, the console, the control token, and the teams with their keys',
    read: readBoolean,
  },
} as const satisfies Readonly<Record<string, Option>>

type OptionName = keyof typeof options

type ValueOf<Name extends OptionName> = ReturnType<(typeof options)[Name]['read']>

/** The parsed options. */
export type Settings = {
  readonly [Name in OptionName]: (typeof options)[Name] extends { several: true }
    ? readonly ValueOf<Name>[]
    : ValueOf<Name> | undefined
}

/** A flag overrides its variable, and the variable overrides the default. */
export function readSettings(flags: Written, variables: Readonly<Record<string, string | undefined>>): Settings {
  const read = Object.entries<Option>(options).map(([name, option]) => {
    const flag = flags[name]
    const variable = variables[option.variable] === '' ? undefined : variables[option.variable]
    const readAny = option.several ? readSeveral : readOne
    return [name, readAny(name, option, flag, variable)]
  })
  return Object.fromEntries(read) as Settings
}

/** A sentence for each variable with a misspelt name. Our own tests use variables that begin with `CRM_SANDBOX_TEST_`. */
export function misspeltVariables(variables: Readonly<Record<string, unknown>>): string[] {
  const prefix = 'CRM_SANDBOX_'
  const known = [...Object.values<Option>(options).map(({ variable }) => variable), marksVariable, 'CRM_SANDBOX_URL']
  const words = known.map((variable) => variable.slice(prefix.length))
  return Object.keys(variables).flatMap((name) => {
    if (!/^CRM_SANDBOX_(?!TEST_)/.test(name) || known.includes(name)) return []
    const [close] = closeTo(name.slice(prefix.length), words)
    return close === undefined ? [] : [`${name} is not a variable of crm-sandbox; close to it: ${prefix}${close}`]
  })
}

/** Flags by option name, as commander hands them over; `true` for a flag without a value. */
export type Written = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

function readOne(name: string, option: Option, flag: Written[string], variable: string | undefined): unknown {
  // Commander says true where a flag such as --no-faults-by-header is not given.
  const hasFlag = flag !== undefined && !(flag === true && option.flag.startsWith('--no-'))
  if (hasFlag) return readAs((nameOf) => nameOf(name), option, String(flag))
  if (variable !== undefined) return readAs(() => option.variable, option, variable)
  return option.usual === undefined ? undefined : option.read(option.usual)
}

/** Values of the variable come first, so that a later flag overrides them. */
function readSeveral(name: string, option: Option, flag: Written[string], variable = ''): unknown[] {
  const texts = variable.split(/\s+/).filter((text) => text !== '')
  const written = Array.isArray(flag) ? (flag as readonly string[]) : []
  return [
    ...texts.map((text) => readAs(() => option.variable, option, text)),
    ...written.map((text) => readAs((nameOf) => nameOf(name), option, text)),
  ]
}

function readAs(source: (nameOf: NameOf) => string, option: Option, text: string): unknown {
  try {
    return option.read(text)
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    const { message } = error
    throw new CannotStart((nameOf) => `${source(nameOf)} ${message}.`)
  }
}

function must(words: string): never {
  throw new CannotStart(`must ${words}`)
}

function readPort(text: string): number {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : must('be a port, from 0 to 65535')
}

function readSeed(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : must('be a whole number of at most 15 digits')
}

function readBoolean(text: string): boolean {
  return /^(true|1)$/.test(text) || (!/^(false|0)$/.test(text) && must('be true or false'))
}

function readName(text: string): string {
  return /^[^\p{Cc}]+$/u.test(text) ? text : must('not be empty, nor hold control characters')
}

function readStore(text: string): string {
  const isKnown = /^(memory$|file:.|postgres(ql)?:\/\/)/.test(readName(text))
  return isKnown ? text : must('be memory, file:PATH, or postgres://USER@HOST/DATABASE')
}

function readToken(text: string): string {
  return /^[\w.~+/=-]{16,200}$/.test(text) ? text : must('be 16 to 200 letters, digits or one of - _ . ~ + / =')
}

/** A form, a level, or both. */
function readLog(text: string): { readonly form?: LogForm; readonly level: LogLevel } {
  const words = text === 'true' ? [] : text.split(',')
  const form = logForms.find((known) => words.includes(known))
  const level = logLevels.find((known) => words.includes(known))
  if (words.length !== [form, level].filter((word) => word !== undefined).length) {
    must(`be ${logForms.join(' or ')}, or one of ${logLevels.join(', ')}, or both, such as json,warn`)
  }
  return { level: level ?? 'info', ...(form === undefined ? {} : { form }) }
}

/** The options of a sandbox that flags and variables set, apart from its world and its choices. */
export function optionsFrom(settings: Settings) {
  const { port = 0, public: isPublic = false, host = isPublic ? '0.0.0.0' : '127.0.0.1', log } = settings
  const { allowHost: allowHosts, cors, store, seed, controlToken, faultsByHeader, strict } = settings
  const write = (line: string) => process.stderr.write(line)
  return {
    port,
    host,
    public: isPublic,
    allowHosts,
    cors,
    ...withoutUndefined({ store, seed, controlToken, faultsByHeader, strict }),
    ...(log && { log: { form: formOn(process.stderr), ...log, write } }),
  } satisfies Omit<SandboxOptions, 'world'>
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

export const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>

/** A line to read for people, and JSON for whatever collects the log. */
const formOn = ({ isTTY }: NodeJS.WriteStream) => (isTTY ? 'text' : 'json')
