import { isNegated, type OptionSchema, type ValueOf } from '../lib/option-schemas.ts'
import { CannotStart, flagOf, type NameOf } from '../lib/user-error.ts'
import { options as table, readValue, type SandboxOptions } from '../mock/options.ts'
import { closeTo } from '../spec/close-to.ts'
import { marksVariable } from './marks.ts'

type Table = typeof table

/** The parsed options. */
export type Settings = {
  readonly [Name in keyof Table]: ValueOf<Table[Name]> extends infer Value
    ? Value extends readonly unknown[]
      ? Value
      : Value | undefined
    : never
}

type Listed = OptionSchema & { readonly variable: string }

/** The options of `serve`. The variable of `--allow-host` is CRM_SANDBOX_ALLOW_HOST. */
export const options = Object.fromEntries(
  Object.entries<OptionSchema>(table).map(([name, schema]) => {
    const flag = flagOf(schema.flag ?? name)
    return [name, { ...schema, variable: `CRM_SANDBOX${flag.slice(1).replaceAll('-', '_').toUpperCase()}` }]
  }),
) as { readonly [Name in keyof Table]: Listed }

/** A flag overrides its variable, and the variable overrides the default. */
export function readSettings(
  flags: Written,
  variables: Readonly<Record<string, string | undefined>>,
  schemas: Readonly<Record<string, Listed>> = options,
): Settings {
  const read = Object.entries(schemas).map(([name, schema]) => {
    const variable = variables[schema.variable] === '' ? undefined : variables[schema.variable]
    const readAny = schema.items ? readSeveral : readOne
    const flag = schema.flag ?? name
    return [name, readAny(flag, schema, flags[flag], variable)]
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

/** The sandbox options that flags and variables set, without loaded files. Ignores the options of the command itself. */
export function optionsFrom({ world, profile, faults, assume, log, ...settings }: Settings) {
  const { public: isPublic = false, host = isPublic ? '0.0.0.0' : '127.0.0.1' } = settings
  const write = (line: string) => process.stderr.write(line)
  return {
    ...withoutUndefined(settings),
    host,
    allowHosts: settings.allowHosts,
    cors: settings.cors,
    ...(log && { log: { form: formOn(process.stderr), ...log, write } }),
  } satisfies SandboxOptions
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

export const withoutUndefined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>

/** A line to read for people, and JSON for whatever collects the log. */
const formOn = ({ isTTY }: NodeJS.WriteStream) => (isTTY ? 'text' : 'json')
