import type { World } from '../fixtures/world.ts'
import {
  alsoInCode,
  file,
  isList,
  listOf,
  ofCommand,
  onOff,
  type OptionOf,
  type OptionSchema,
  optionalText,
  text,
  wholeNumber,
} from '../lib/option-schemas.ts'
import { readDuration } from '../lib/time.ts'
import type { WrittenChoices } from '../spec/choices.ts'
import { CannotStart } from '../lib/user-error.ts'
import type { Clock } from './core/clock.ts'
import { readHostName, readInterceptedOrigin, readOrigin } from './http/guard.ts'
import { type Log, logForms, type LogForm, type LogLevel, logLevels } from './http/log.ts'
import type { Controls } from './testing/control-client.ts'
import { isObject } from '../lib/json.ts'

/** As `faults.add` takes it. The type of its schema would bring the types of TypeBox. */
export type FaultToAdd = Parameters<Controls['faults']['add']>[0]

/** A profile: the path of a JSON or YAML file, or its parsed content. */
export type ProfileSource = string | Readonly<Record<string, unknown>>

/** Faults as `POST /_sandbox/faults` takes them: the path of a JSON or YAML file with a list, or the list, also in JSON. */
export type FaultsSource = string | readonly FaultToAdd[]

/**
 * The options of `serve`, of which createSandbox has most. The flags, the variables, the config file and its schema, the type
 * and the checks of createSandbox, and the table in docs/serve.md follow from them. Editors show the comments for createSandbox.
 */
export const options = {
  /** Where to listen; 0 picks a free port. Without a port nothing listens, and `fetch` works all the same. */
  port: wholeNumber('port to listen on; 0 picks a free one', {
    default: 4010,
    maximum: 65_535,
    'x-form': 'a port, from 0 to 65535',
  }),
  /** The address to listen on, 127.0.0.1 by default. */
  host: text('address', 'address to listen on; 127.0.0.1, or 0.0.0.0 with --public'),
  /** Whether a host may mean all interfaces, where other machines can reach it. */
  public: onOff('listen on all interfaces, so that other machines can connect'),
  /** Additional Host names to accept; a request with any other Host is refused. */
  allowHosts: listOf(
    text('name', 'additional Host name to accept, such as the name of a container; repeatable', { read: readHostName }),
    { flag: 'allowHost', 'x-form': 'a list of names, such as ["crm.test"]' },
  ),
  /** Web origins that may call the API from a browser, such as `http://localhost:5173`, but not the control plane. */
  cors: listOf(
    text('origin', 'origin whose pages may use the API in a browser, such as http://localhost:5173; repeatable', {
      read: readOrigin,
    }),
    { 'x-form': 'a list of origins, such as ["http://localhost:5173"]' },
  ),
  https: ofCommand(
    onOff('serve HTTPS with a certificate generated at the start; the banner names the file that clients must trust'),
  ),
  tlsCert: ofCommand(file('serve HTTPS with this certificate and those that signed it, in PEM', { read: readName })),
  tlsKey: ofCommand(file('the private key of the certificate, in PEM', { read: readName })),
  /** The token that `/_sandbox` requires. By default none on loopback, and a generated one on any other address. */
  controlToken: text('token', 'token that /_sandbox requires; generated and printed when not listening on loopback', {
    pattern: '^[\\w.~+/=-]{16,200}$',
    'x-form': '16 to 200 letters, digits or one of - _ . ~ + / =',
  }),
  drain: ofCommand(
    text('duration', 'how long to serve after SIGTERM, while /_sandbox/ready answers 503', {
      default: '0s',
      read: durationFrom(0),
    }),
  ),
  /** How long a connection may be idle, in milliseconds; 75 seconds by default. */
  keepAlive: alsoInCode(
    text('duration', 'how long a connection may be idle; longer than in the load balancer before it', {
      default: '75s', // common load balancers close a connection after 60 seconds, and must be the first to do so
      read: durationFrom(1_000),
    }),
    wholeNumber('', { maximum: 3_600_000, read: readMilliseconds }),
  ),
  /** Whether `GET /_sandbox/metrics` needs no control token. */
  metricsOpen: onOff('answer GET /_sandbox/metrics without the control token'),
  /** The initial data, restored by a reset: `demo`, `two-teams`, `empty`, `story:shop`, a JSON or YAML file, or a world. */
  world: alsoInCode(
    text(
      'name or file',
      'initial data, restored by a reset: demo, two-teams, empty, story:shop, or a JSON or YAML file',
      { default: 'demo', format: 'nameOrPath', read: readName },
    ),
    valueThat<string | World>((value) => isText(value) || isObject(value), 'a name, a file, or an object with teams'),
  ),
  watch: ofCommand(onOff('load the files of --world, --profile and --faults again whenever they change')),
  /** `memory`, `file:PATH` to keep everything in a file, or `postgres://USER@HOST/DATABASE` to share it. */
  store: text('store', 'where to keep the data: memory, file:PATH, or postgres://USER@HOST/DATABASE', {
    default: 'memory',
    format: 'store',
    pattern: '^(memory$|file:\\P{Cc}|postgres(ql)?://)\\P{Cc}*$',
    'x-form': 'memory, file:PATH, or postgres://USER@HOST/DATABASE',
  }),
  /** The MiB that requests in flight, faults and all that is kept beside the records may take together. */
  memory: wholeNumber('MiB for requests in flight, faults and all that is kept beside the records', {
    maximum: 1_000_000,
    read: readMebibytes,
  }),
  /** With a seed, the same requests get the same ids in every run. */
  seed: wholeNumber('seed for generated ids: the same requests get the same ids', {
    maximum: 999_999_999_999_999,
    'x-form': 'a whole number of at most 15 digits',
  }),
  /** Choices by hand for what the specification leaves open, such as `{ contactMatching: 'phoneThenEmail' }`. */
  assume: alsoInCode(
    listOf(
      text('name=choice', 'change an assumption, such as contactMatching=phoneThenEmail; repeatable', {
        read: readName,
      }),
      { format: 'pairs' },
    ),
    valueThat<WrittenChoices>(isObject, 'an object, such as { contactMatching: "phoneThenEmail" }'),
  ),
  /** The choices that `crm-sandbox learn` learned from a server: a JSON or YAML file, or its content. */
  profile: alsoInCode(
    file('JSON or YAML file with choices that were learned from a server', { read: readName }),
    valueThat<ProfileSource>((value) => isText(value) || isObject(value), 'a file, or an object with choices'),
  ),
  /** Whether a request may ask for a documented error by itself, with `Prefer: code=404`; it may by default. */
  faultsByHeader: onOff('ignore the header Prefer: code=404, with which a request asks for a documented error', {
    default: true,
  }),
  /** Faults that apply from the first request on, until a reset: a JSON or YAML file with a list, or the list. */
  faults: alsoInCode(
    text('file or list', 'faults that apply from the start on: a JSON or YAML file with a list, or the list in JSON', {
      format: 'pathOrList',
      read: (text) => (isList(text) ? text : readName(text)),
    }),
    valueThat<FaultsSource>((value) => isText(value) || Array.isArray(value), 'a file, or a list of faults'),
  ),
  /** Refuses fields and parameters that an operation ignores with 400; the real service may not. */
  strict: onOff('answer 400 to fields and parameters that an operation would ignore; the real service may not'),
  /** Receives a line for each request; off by default. */
  log: alsoInCode(
    optionalText(
      'form,level',
      'log requests to stderr; form: text (on a terminal) or json (elsewhere); lowest level: info, warn or error',
      readLog,
    ),
    valueThat<Log>(
      isLog,
      `{ level, write }, and perhaps a form: the level is one of ${logLevels.join(', ')}, the form ${logForms.join(' or ')}, and write takes a line`,
    ),
  ),
  open: ofCommand(onOff('open the console in the browser of this machine')),
  printJson: ofCommand(
    onOff(
      'print one line of JSON at the start, for scripts: the URL, the console, the control token, and the teams with their keys',
    ),
  ),
}

/** The options of createSandbox alone. */
const onlyInCode = {
  /**
   * The origin of a server to replace, such as `https://crm.example.com`: until it is closed, the sandbox answers all
   * requests of this process to that origin. It listens on a free port by default.
   */
  intercept: text('origin', '', { read: readInterceptedOrigin }),
  /** The clock of everything that depends on time. */
  clock: valueThat<Clock>(isClock, 'an object whose now() gives milliseconds: { now: () => Date.now() }'),
}

type InCode<Option> = Option extends OptionOf<unknown, infer Value> ? Value : never

type All = typeof options & typeof onlyInCode

/** The names of the options of createSandbox. */
type Name = { [Key in keyof All]: [InCode<All[Key]>] extends [never] ? never : Key }[keyof All]

export type SandboxOptions = { readonly [Key in keyof Pick<All, Name>]?: InCode<All[Key]> }

/** The schemas of the values that createSandbox takes. */
export const inCode: ReadonlyMap<string, OptionSchema> = new Map(
  Object.entries<OptionSchema>({ ...options, ...onlyInCode }).flatMap(([name, option]) =>
    option.inCode === false ? [] : [[name, option.inCode ?? option]],
  ),
)

function valueThat<Value>(is: (value: unknown) => boolean, form: string): OptionOf<Value> {
  return { is, 'x-form': form }
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

export function must(words: string): never {
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

function readMilliseconds(text: string): number {
  const time = Number(text)
  return time >= 1_000 && time <= 3_600_000 ? time : must('be a number of milliseconds, from 1,000 to 3,600,000')
}

function readMebibytes(text: string): number {
  const size = Number(text)
  return /^\d+$/.test(text) && size >= 16 && size <= 1_000_000 ? size : must('be a number of MiB, from 16 to 1,000,000')
}

/** A form, a level, or both. */
function readLog(text: string): { readonly form?: LogForm; readonly level: LogLevel } {
  const parts = text === 'true' ? [] : text.split(',')
  const form = logForms.find((known) => parts.includes(known))
  const level = logLevels.find((known) => parts.includes(known))
  if (parts.length !== [form, level].filter((word) => word !== undefined).length) {
    must(`be ${logForms.join(' or ')}, or one of ${logLevels.join(', ')}, or both, such as json,warn`)
  }
  return { level: level ?? 'info', ...(form === undefined ? {} : { form }) }
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isLog(value: unknown): boolean {
  if (!isObject(value)) return false
  const { level, form = 'json', write } = value as { level: LogLevel; form?: LogForm; write: unknown }
  return logLevels.includes(level) && logForms.includes(form) && typeof write === 'function'
}

function isClock(value: unknown): boolean {
  if (!isObject(value) || typeof value.now !== 'function') return false
  const now = (value as { now(): unknown }).now()
  return typeof now === 'number' && !Number.isNaN(new Date(now).getTime())
}
