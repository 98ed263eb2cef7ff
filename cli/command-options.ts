import { type Command, InvalidArgumentError, Option } from 'commander'
import { onEndOfNpm } from './npm.ts'
import { targetOptions } from '../contracts/client/target/target.ts'
import { type ReportForm, reportForms } from '../contracts/reports/files.ts'
import { capitalize } from '../lib/text.ts'
import { file, flagsOf, type OptionSchema, text } from '../lib/option-schemas.ts'

/** An option of a command. Its help names its environment variable, and perhaps its default before. */
export class SchemaOption extends Option {
  readonly schema: OptionSchema

  constructor(name: string, schema: OptionSchema) {
    super(flagsOf(name, schema), wordsOf(schema))
    this.schema = schema
    if (schema.items) this.argParser(collect)
    else if (schema.enum) this.choices(schema.enum)
    // `readSettings` parses an option with a variable.
    else if (schema.read && schema.variable === undefined) this.argParser(schema.read)
    if (schema.conflicts) this.conflicts([...schema.conflicts])
    if (schema.variable === undefined && schema.type !== 'boolean') this.default(schema.default)
  }
}

function wordsOf({ description = '', type, default: usual, variable }: OptionSchema): string {
  if (variable === undefined) return description
  return `${description} (${usual === undefined || type === 'boolean' ? '' : `default ${usual}; `}${variable})`
}

/** Adds the value of an option that is repeated. */
export const collect = (value: string, before: readonly string[] = []) => [...before, value]

export function addOptions(command: Command, schemas: Readonly<Record<string, OptionSchema>>): Command {
  for (const [name, schema] of Object.entries(schemas)) command.addOption(new SchemaOption(name, schema))
  return command
}

/** Adds `--config` to all commands with options, and before them. */
export function addConfigOption(program: Command): void {
  const words = 'read options from this file (default crm-sandbox.config.yaml, .yml or .json here or in a folder above)'
  for (const command of [program, ...program.commands])
    if (command.options.length > 0) command.addOption(new Option('--config <file>', words))
}

/** The options of a command that a config file may have. */
export const configurable = (command: Command): readonly SchemaOption[] =>
  command.options.filter((option) => option instanceof SchemaOption)

/** The name of an option in a config file: its long name, such as `base-url`; a `--no-` option is a switch that can be off. */
export const keyOf = ({ long }: Option): string => (long ?? '').replace(/^--(no-)?/, '')

/** The options of a command that sends requests to a server: the server, the allowed effects, and the connection. */
export function addTargetOptions(command: Command, purpose: string): Command {
  const { baseUrl, ...others } = targetOptions
  return addOptions(command, {
    baseUrl: { ...baseUrl, description: `the server to ${purpose}` },
    target: file('a YAML file, readable by its owner alone, with these options and the credentials'),
    ...others,
    ledgers: text('folder', 'the folder for the ledgers, which record what runs create (default .crm-sandbox)', {
      format: 'path',
    }),
  })
}

/** Adds options such as `--report-junit`. */
export function addReportOptions(command: Command, forms: readonly ReportForm[]): Command {
  return addOptions(
    command,
    Object.fromEntries(forms.map((form) => [`report${capitalize(form)}`, file(reportForms[form])])),
  )
}

/** The help of such a command about credentials. */
export const credentialsHelp = `
Credentials are read from the environment or from the file of --target, never from arguments:
  CRM_API_KEY        the key of a team
  CRM_OTHER_API_KEY  the key of a second team, to check that teams are separated
  CRM_ADMIN_TOKEN    a bearer token of an admin
  CRM_AGENT_TOKEN    a bearer token of an agent

Where they are missing, a sandbox on this machine is asked for its keys, tokens and providers, with CRM_SANDBOX_CONTROL_TOKEN if it
requires a token. HTTPS_PROXY, HTTP_PROXY and NO_PROXY set a proxy.`

export function readWholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, such as 7.')
  return Number(text)
}

const cleaningUp = 'the run ends and cleans up. To stop at once, interrupt again; verify --clean then cleans up.'

/** The first signal, or the end of the npm that started it, ends the run as `what` says; the second signal exits at once. */
export function abortOnSignals(write: (text: string) => void, what = cleaningUp): AbortSignal {
  const controller = new AbortController()
  const stop = () => {
    if (controller.signal.aborted) process.exit(2)
    write(`\nInterrupted: ${what}\n`)
    controller.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  onEndOfNpm(() => {
    if (!controller.signal.aborted) stop()
  })
  return controller.signal
}
