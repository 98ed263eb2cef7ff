import type { Static } from 'typebox'
import { marksVariable } from './marks.ts'
import {
  file,
  isList,
  isNegated,
  listOf,
  onOff,
  type OptionSchema,
  optionalText,
  text,
  wholeNumber,
} from '../lib/option-schemas.ts'
import type { NameOf } from '../lib/user-error.ts'
import { readDuration } from '../lib/time.ts'
import { closeTo } from '../spec/close-to.ts'
import { CannotStart } from '../mock/cannot-start.ts'
import type { SandboxOptions } from '../mock/create-sandbox.ts'
import { readHostName, readOrigin } from '../mock/http/guard.ts'
import { logForms, type LogForm, type LogLevel, logLevels } from '../mock/http/log.ts'

/** The options of `serve`. Its flags, its variables, the config file, the checks of createSandbox and the table in the documentation follow from them. */
const schemas = {
  port: wholeNumber('port to listen on; 0 picks a free one', {
    default: 4010,
    maximum: 65_535,
    'x-form': 'a port, from 0 to 65535',
  }),
  host: text('address', 'address to listen on; 127.0.0.1, or 0.0.0.0 with --public'),
  public: onOff('listen on all interfaces, so that other machines can connect'),
  allowHost: listOf(
    text('name', 'additional Host name to accept, such as the name of a container; repeatable', { read: readHostName }),
    { 'x-form': 'a list of names, such as ["crm.test"]' },
  ),
  cors: listOf(
    text('origin', 'origin whose pages may use the API in a browser, such as http://localhost:5173; repeatable', {
      read: readOrigin,
    }),
    { 'x-form': 'a list of origins, such as ["http://localhost:5173"]' },
  ),
  https: onOff(
    'serve HTTPS with a certificate generated at the start; the banner names the file that clients must trust',
  ),
  tlsCert: file('serve HTTPS with this certificate and those that signed it, in PEM', { read: readName }),
  tlsKey: file('the private key of the certificate, in PEM', { read: readName }),
  controlToken: text('token', 'token that /_sandbox requires; generated and printed when not listening on loopback', {
    pattern: '^[\\w.~+/=-]{16,200}$',
    'x-form': '16 to 200 letters, digits or one of - _ . ~ + / =',
  }),
  drain: text('duration', 'how long to serve after SIGTERM, while /_sandbox/ready answers 503', {
    default: '0s',
    read: durationFrom(0),
  }),
  keepAlive: text('duration', 'how long a connection may be idle; longer than in the load balancer before it', {
    default: '75s', // common load balancers close a connection after 60 seconds, and must be the first to do so
    read: durationFrom(1_000),
  }),
  metricsOpen: onOff('answer GET /_sandbox/metrics without the control token'),
  world: text(
    'name or file',
    'initial data, restored by a reset: demo, two-teams, empty, story:shop, or a JSON or YAML file',
    { default: 'demo', format: 'nameOrPath', read: readName },
  ),
  watch: onOff('load the files of --world, --profile and --faults again whenever they change'),
  store: text('store', 'where to keep the data: memory, file:PATH, or postgres://USER@HOST/DATABASE', {
    default: 'memory',
    format: 'store',
    pattern: '^(memory$|file:\\P{Cc}|postgres(ql)?://)\\P{Cc}*$',
    'x-form': 'memory, file:PATH, or postgres://USER@HOST/DATABASE',
  }),
  seed: wholeNumber('seed for generated ids: the same requests get the same ids', {
    maximum: 999_999_999_999_999,
    'x-form': 'a whole number of at most 15 digits',
  }),
  assume: listOf(
    text('name=choice', 'change an assumption, such as contactMatching=phoneThenEmail; repeatable', { read: readName }),
    { format: 'pairs' },
  ),
  profile: file('JSON or YAML file with choices that were learned from a server', { read: readName }),
  faultsByHeader: onOff('ignore the header Prefer: code=404, with which a request asks for a documented error', {
    default: true,
  }),
  faults: text(
    'file or list',
    'faults that apply from the start on: a JSON or YAML file with a list, or the list in JSON',
    {
      format: 'pathOrList',
      read: (text) => (isList(text) ? text : readName(text)),
    },
  ),
  strict: onOff('answer 400 to fields and parameters that an operation would ignore; the real service may not'),
  log: optionalText(
    'form,level',
    'log requests to stderr; form: text (on a terminal) or json (elsewhere); lowest level: info, warn or error',
    readLog,
  ),
  open: onOff('open the console in the browser of this machine'),
  printJson: onOff(
    'print one line of JSON at the start, for scripts: the URL, the console, the control token, and the teams with their keys',
  ),
}

type OptionName = keyof typeof schemas

/** The parsed options. */
export type Settings = {
  readonly [Name in OptionName]: Static<(typeof schemas)[Name]> extends infer Value
    ? Value extends readonly unknown[]
      ? Value
      : Value | undefined
    : never
}

/** The variable of `allowHost` is CRM_SANDBOX_ALLOW_HOST. */
const withVariable = ([name, schema]: [string, OptionSchema]) => [
  name,
  { ...schema, variable: `CRM_SANDBOX_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}` },
]

export const options = Object.fromEntries(Object.entries(schemas).map(withVariable)) as {
  readonly [Name in OptionName]: (typeof schemas)[Name] & { readonly variable: string }
}

type Listed = OptionSchema & { readonly variable: string }

/** A flag overrides its variable, and the variable overrides the default. */
export function readSettings(flags: Written, variables: Readonly<Record<string, string | undefined>>): Settings {
  const read = Object.entries<Listed>(options).map(([name, schema]) => {
    const variable = variables[schema.variable] === '' ? undefined : variables[schema.variable]
    const readAny = schema.items ? readSeveral : readOne
    return [name, readAny(name, schema, flags[name], variable)]
  })
  return Object.fromEntries(read) as Settings
}

/** A sentence for each variable with a misspelt name. Our own tests use variables that begin with `CRM_SANDBOX_TEST_`. */
export function misspeltVariables(variables: Readonly<Record<string, unknown>>): string[] {
  const prefix = 'CRM_SANDBOX_'
  const known = [...Object.values(options).map(({ variable }) => variable), marksVariable, 'CRM_SANDBOX_URL']
  const words = known.map((variable) => variable.slice(prefix.length))
  return Object.keys(variables).flatMap((name) => {
    if (!/^CRM_SANDBOX_(?!TEST_)/.test(name) || known.includes(name)) return []
    const [close] = closeTo(name.slice(prefix.length), words)
    return close === undefined ? [] : [`${name} is not a variable of crm-sandbox; close to it: ${prefix}${close}`]
  })
}

/** Flags by option name, as commander hands them over; `true` for a flag without a value. */
export type Written = Readonly<Record<string, string | boolean | readonly string[] | undefined>>

function readOne(name: string, schema: Listed, flag: Written[string], variable: string | undefined): unknown {
  // Commander says true where a flag such as --no-faults-by-header is not given.
  const hasFlag = flag !== undefined && !(flag === true && isNegated(schema))
  if (hasFlag) return readAs((nameOf) => nameOf(name), schema, String(flag))
  const written = variable ?? schema.default
  return written === undefined ? undefined : readAs(() => schema.variable, schema, String(written))
}

/** Values of the variable come first, so that a later flag overrides them. */
function readSeveral(
  name: string,
  { items, variable: source }: Listed,
  flag: Written[string],
  variable = '',
): unknown[] {
  const texts = variable.split(/\s+/).filter((text) => text !== '')
  const written = Array.isArray(flag) ? (flag as readonly string[]) : []
  return [
    ...texts.map((text) => readAs(() => source, items, text)),
    ...written.map((text) => readAs((nameOf) => nameOf(name), items, text)),
  ]
}

function readAs(source: (nameOf: NameOf) => string, schema: OptionSchema = {}, text: string): unknown {
  try {
    return readValue(schema, text)
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    const { message } = error
    throw new CannotStart((nameOf) => `${source(nameOf)} ${message}.`)
  }
}

/** Parses the text of a value. Throws CannotStart with what it must be. */
export function readValue(
  { type, read, pattern = '', maximum, 'x-form': form = '' }: OptionSchema,
  text: string,
): unknown {
  if (read) return read(text)
  if (type === 'boolean') return /^(true|1)$/.test(text) || (!/^(false|0)$/.test(text) && must('be true or false'))
  if (type === 'string') return new RegExp(pattern, 'u').test(text) ? text : must(`be ${form}`)
  return /^\d+$/.test(text) && Number(text) <= (maximum ?? Infinity) ? Number(text) : must(`be ${form}`)
}

function must(words: string): never {
  throw new CannotStart(`must ${words}`)
}

function readName(text: string): string {
  return /^[^\p{Cc}]+$/u.test(text) ? text : must('not be empty, nor hold control characters')
}

/** Parses a duration of at most an hour to milliseconds. */
function durationFrom(shortest: number) {
  return (text: string): number => {
    const time = readDuration(text) ?? -1
    return time >= shortest && time <= 3_600_000
      ? time
      : must(`be a duration from ${shortest / 1000}s to 1h, such as 90s`)
  }
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
  const {
    allowHost: allowHosts,
    cors,
    store,
    seed,
    controlToken,
    keepAlive,
    metricsOpen,
    faultsByHeader,
    strict,
  } = settings
  const write = (line: string) => process.stderr.write(line)
  return {
    port,
    host,
    public: isPublic,
    allowHosts,
    cors,
    ...withoutUndefined({ store, seed, controlToken, keepAlive, metricsOpen, faultsByHeader, strict }),
    ...(log && { log: { form: formOn(process.stderr), ...log, write } }),
  } satisfies Omit<SandboxOptions, 'world'>
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

export const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>

/** A line to read for people, and JSON for whatever collects the log. */
const formOn = ({ isTTY }: NodeJS.WriteStream) => (isTTY ? 'text' : 'json')
