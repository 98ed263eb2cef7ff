import { quoteUnlessPlain } from '../lib/text.ts'
import { closeTo } from '../spec/close-to.ts'
import { CannotStart } from '../mock/cannot-start.ts'
import type { SandboxOptions } from '../mock/create-sandbox.ts'
import { readInterceptedOrigin } from '../mock/http/guard.ts'
import { logForms, logLevels } from '../mock/http/log.ts'
import type { OptionSchema } from '../lib/option-schemas.ts'
import { options as flags, readValue } from './options.ts'

/** Checks the options of createSandbox, as TypeScript does. Throws CannotStart with one sentence. */
export function checkOptions(options: unknown): void {
  if (!isObject(options)) throw new CannotStart('createSandbox takes an object with its options, such as { port: 0 }.')
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name))
      throw new CannotStart(`createSandbox has no option ${quoteUnlessPlain(name)}; ${suggest(name)}`)
    if (value !== undefined) checkOption(name as Name, value)
  }
}

type Name = keyof Omit<SandboxOptions, 'tls'>

function checkOption(name: Name, value: unknown): void {
  try {
    checks[name](value)
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    throw new CannotStart(`The option ${name} of createSandbox ${error.message}.`)
  }
}

/** Throws CannotStart with what a value must be, such as `must be a port, from 0 to 65535`. */
type Check = (value: unknown) => void

const checks: Readonly<Record<Name, Check>> = {
  port: checkAs(flags.port),
  host: checkAs(flags.host),
  public: checkAs(flags.public),
  allowHosts: checkAs(flags.allowHost),
  cors: checkAs(flags.cors),
  intercept: checkAs({ type: 'string', read: readInterceptedOrigin }),
  controlToken: checkAs(flags.controlToken),
  metricsOpen: checkAs(flags.metricsOpen),
  keepAlive: checkAs({ type: 'integer', read: readMilliseconds }),
  log: (value) => isLog(value) || must(`{ level, write }, and perhaps a form: ${logWords}`),
  store: checkAs(flags.store),
  world: (value) => typeof value === 'string' || isObject(value) || must('a name, a file, or an object with teams'),
  profile: (value) => typeof value === 'string' || isObject(value) || must('a file, or an object with choices'),
  assume: (value) => isObject(value) || must('an object, such as { contactMatching: "phoneThenEmail" }'),
  seed: checkAs(flags.seed),
  faultsByHeader: checkAs(flags.faultsByHeader),
  strict: checkAs(flags.strict),
  faults: (value) => typeof value === 'string' || Array.isArray(value) || must('a file, or a list of faults'),
  clock: (value) => isClock(value) || must('an object whose now() gives milliseconds: { now: () => Date.now() }'),
}

function readMilliseconds(text: string): void {
  if (!(Number(text) >= 1_000 && Number(text) <= 3_600_000)) must('a number of milliseconds, from 1,000 to 3,600,000')
}

function suggest(name: string): string {
  const names = Object.keys(checks)
  const [meant] = closeTo(name, names)
  return meant === undefined ? `it has ${names.join(', ')}.` : `did you mean ${meant}?`
}

function must(be: string): never {
  throw new CannotStart(`must be ${be}`)
}

/** The schema of the flag says which values are fine. */
function checkAs(schema: OptionSchema): Check {
  const { items, 'x-form': form = '' } = schema
  if (!items) return (value) => checkValue(schema, value, typeWords[String(schema.type)] ?? '')
  return (value) => {
    if (!Array.isArray(value)) must(form)
    for (const item of value as readonly unknown[]) checkValue(items, item, form)
  }
}

function checkValue(schema: OptionSchema, value: unknown, form: string): void {
  if (typeof value !== (schema.type === 'integer' ? 'number' : schema.type)) must(form)
  readValue(schema, String(value))
}

const typeWords: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'a number',
  string: 'a string',
}

const logWords = `the level is one of ${logLevels.join(', ')}, the form ${logForms.join(' or ')}, and write takes a line`

function isLog(value: unknown): boolean {
  if (!isObject(value)) return false
  const { level, form = 'json', write } = value
  return isOneOf(logLevels, level) && isOneOf(logForms, form) && typeof write === 'function'
}

const isOneOf = (known: readonly unknown[], value: unknown) => known.includes(value)

function isClock(value: unknown): boolean {
  if (!isObject(value) || typeof value.now !== 'function') return false
  const now = (value as { now(): unknown }).now()
  return typeof now === 'number' && !Number.isNaN(new Date(now).getTime())
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
