import { type Command, Option } from 'commander'
import { parseJson } from '../lib/json.ts'
import { escapeInvisible, quoteForShell } from '../lib/text.ts'
import { readText } from '../lib/files.ts'
import { flagOf, UserError } from '../lib/user-error.ts'
import type { Action, ActionField, FieldSchema } from '../mock/control/actions.ts'
import { type Address, ask, follow } from '../mock/testing/control-requests.ts'
import { addOptions, collect } from './command-options.ts'
import { applyConfig } from './config/config-file.ts'
import { inTables } from './ctl-tables.ts'
import { onOff } from '../lib/option-schemas.ts'
import { addressOf, addUrlOption, sentenceFor, tokenHelp } from './running-sandbox.ts'

const help = `
Each action of the control plane is a noun and a verb, as the functions of createSandbox() are: faults add, clock advance.
A required field is an argument or an option: incoming add demo --channel sms --from +14155550123 --content Hello.
A field that is an object or a list is written as JSON, or as @FILE with a file of JSON; an object also as name=value.
${tokenHelp}

Examples:
  $ crm-sandbox ctl faults add --operation sendMessage --status 503 --times 1
  $ crm-sandbox ctl clock advance 1h
  $ crm-sandbox ctl outbox list --json
  $ crm-sandbox ctl snapshots restore before`

/** Adds `ctl`. Its nouns and verbs are added before it parses its arguments: loading them would slow the other commands down. */
export function addCtl(program: Command): void {
  const ctl = program
    .command('ctl')
    .description('Steer a running sandbox: each action of the control plane is a command.')
    .addHelpText('after', help)
    .helpCommand(false)
    .enablePositionalOptions(false) // so that `--url` and `--json` may follow the noun and the verb
    .hook('preAction', (command) => applyConfig(command, program))
  const subcommandTerm = (one: Command) =>
    one.commands.length > 0 ? one.name() : `${one.name()} ${one.usage().replace('[options]', '').trim()}`.trim()
  ctl.configureHelp({ ...ctl.configureHelp(), subcommandTerm })
  addUrlOption(ctl)
  addOptions(ctl, { json: onOff('print the data of the answer as JSON') })
  program.hook('preSubcommand', async (_, command) => {
    if (command !== ctl) return
    const { actions } = await import('../mock/control/actions.ts')
    for (const action of actions()) {
      if (!forPrograms.has(action.names[0]) && action.key !== expectation) addAction(ctl, action)
      for (const [verb, summary, fixed] of shortcuts[action.names.join('.')] ?? [])
        addAction(ctl, shortcutOf(action, verb, summary, fixed), fixed)
    }
  })
}

type Fixed = Readonly<Record<string, unknown>>

/** Functions of the client that send an action with a fixed value. */
const shortcuts: Readonly<Record<string, readonly (readonly [verb: string, summary: string, fixed: Fixed])[]>> = {
  'clock.set': [
    ['freeze', 'Freeze the clock, now or at a time', { frozen: true }],
    ['resume', 'Let the clock go on', { frozen: false }],
  ],
  'gates.get': [['wait', 'Wait until a request has arrived at the gate', { wait: '5s' }]],
}

function shortcutOf(action: Action, verb: string, summary: string, fixed: Fixed): Action {
  const fields = action.fields.filter(({ name }) => !(name in fixed))
  return { ...action, names: [action.names[0] ?? '', verb], summary, description: summary, fields, example: undefined }
}

/** Routes for load balancers, pages and generators of clients; a terminal has no use for their responses. */
const forPrograms: ReadonlySet<string | undefined> = new Set(['live', 'ready', 'document', 'events'])

/** It is the option `--expect` of `changes`. */
const expectation = 'POST /changes/expect'

/** The name of a function or a field in the command line: `bulk-sends` for `bulkSends`. */
const kebab = (name: string) => flagOf(name).slice(2)

function addAction(ctl: Command, action: Action, fixed: Fixed = {}): void {
  const { names, about, summary, description, fields, otherFields, example } = action
  const [noun = '', verb] = names.map(kebab)
  const parent =
    verb === undefined
      ? ctl
      : (ctl.commands.find((one) => one.name() === noun) ?? ctl.command(noun).description(about).helpCommand(false))
  const command = parent
    .command(verb ?? noun)
    .summary(summary)
    .description(description.startsWith(`${summary}.`) ? description : `${summary}. ${description}`)
  const inOrder = argumentsOf(fields)
  const shown = inOrder.map((field) => nameOfArgument(field, field.isRequired))
  command.usage(['[options]', ...shown].join(' '))
  // Optional, since a required field may also come as an option.
  for (const field of inOrder) command.argument(nameOfArgument(field, false), describe(field.schema))
  for (const field of fields) command.addOption(optionOf(field))
  if (otherFields) command.option('--where <name=value...>', 'a field and its value; repeatable')
  if (names.join('.') === 'changes')
    command.option(
      '--expect <file>',
      'a JSON or YAML file with all changes; exit status 1 with the differences, if any',
    )
  if (example)
    command.addHelpText('after', `\nExample:\n  $ crm-sandbox ${wordsOf(action, example).map(quoteIfNeeded).join(' ')}`)
  command.action(async () => {
    const { url, ca, json = false } = ctl.opts<{ url: string; ca?: string; json?: boolean }>()
    const address = addressOf(url, ca)
    const args = await readArguments(action, command, fixed)
    const { expect: file } = command.opts<{ expect?: string }>()
    const expected = file === undefined ? undefined : { expected: await readExpected(file), ...(args[0] as object) }
    const asked = expected
      ? run({ key: expectation, isStream: false }, [expected], address, json)
      : run(action, args, address, json)
    await asked.catch((error: unknown) => {
      throw sentenceFor(error, url)
    })
  })
}

/** The parameters of the path and the required fields, and the time of a clock. */
const argumentsOf = (fields: readonly ActionField[]) =>
  fields.filter(({ isRequired, schema }) => isRequired || schema.title === 'Instant')

function nameOfArgument({ name, schema }: ActionField, isRequired = true): string {
  const words = isDictionary(schema) ? `${kebab(name)}=value...` : kebab(name)
  return isRequired ? `<${words}>` : `[${words}]`
}

function optionOf({ name, schema }: ActionField): Option {
  const types = typesOf(schema)
  const value = types.every((type) => type === 'boolean') ? '[boolean]' : `<${wordFor(schema, types)}>`
  const option = new Option(`${flagOf(name)} ${value}`, describe(schema))
  return isDictionary(schema) ? option.argParser(collect) : option
}

const wordFor = (schema: FieldSchema, types: readonly string[]) =>
  isDictionary(schema)
    ? 'name=value'
    : types.includes('string')
      ? 'text'
      : types.includes('object') || types.includes('array')
        ? 'json'
        : 'number'

function describe({ description = '', enum: values, anyOf = [] }: FieldSchema): string {
  const known = values ?? anyOf.flatMap((one) => one.enum ?? [])
  return known.length === 0 ? description : `${description} One of ${known.join(', ')}.`.trim()
}

/** The JSON types that a value may have. */
const typesOf = ({ type, enum: values = [], anyOf = [] }: FieldSchema): readonly string[] => [
  ...(type === undefined ? values.map((value) => typeof value) : [type]),
  ...anyOf.flatMap(typesOf),
]

/** An object with any names. */
const isDictionary = ({ type, properties = {} }: FieldSchema) =>
  type === 'object' && Object.keys(properties).length === 0

type Written = string | boolean | readonly string[] | undefined

/** The arguments of the request: the parameters of the path, and the query or the body. */
async function readArguments(action: Action, command: Command, fixed: Fixed): Promise<unknown[]> {
  const { fields, otherFields } = action
  const options = command.opts<Record<string, Written>>()
  const positional = positionalOf(action, command.args, options)
  const params: string[] = []
  let input: Record<string, unknown> = { ...fixed }
  for (const field of fields) {
    const written = options[field.name] ?? positional.get(field)
    if (written === undefined) continue
    if (field.place === 'path') params.push(String([written].flat()[0]))
    else if (field.place === 'world') input = { ...(await readWorld(String([written].flat()[0]))) }
    else input[field.name] = field.place === 'query' ? String([written].flat()[0]) : readValue(field, written)
  }
  if (otherFields) Object.assign(input, readPairs('where', options.where, otherFields))
  return [...params, input]
}

async function readExpected(file: string): Promise<unknown> {
  const { readYaml } = await import('../lib/read-yaml.ts')
  return readYaml(readText(file, `The file ${file}`, userError), (message, line = 1) => {
    throw new UserError(`${file} is neither YAML nor JSON (line ${line}: ${message}).`)
  })
}

/** Gives the arguments, in their order, to the fields that no option gives. */
function positionalOf(
  { names, fields }: Action,
  args: readonly string[],
  options: Readonly<Record<string, Written>>,
): Map<ActionField, Written> {
  const open = argumentsOf(fields).filter(({ name }) => options[name] === undefined)
  const rest = [...args]
  const given = new Map<ActionField, Written>()
  for (const field of open) {
    const taken = rest.splice(0, isDictionary(field.schema) ? rest.length : 1)
    if (taken.length > 0) given.set(field, taken)
  }
  const missing = open.filter((field) => field.isRequired && !given.has(field)).map((field) => nameOfArgument(field))
  const words = names.map(kebab).join(' ')
  if (missing.length > 0) throw new UserError(`ctl ${words} needs ${missing.join(' ')}.`)
  if (rest.length > 0) throw new UserError(`ctl ${words} has too many arguments: ${rest.join(' ')}.`)
  return given
}

async function readWorld(nameOrFile: string): Promise<object> {
  const { loadWorld } = await import('../fixtures/load-world.ts')
  return loadWorld(nameOrFile)
}

/** A value of a body. The sandbox refuses one that is of a wrong type, in its own words. */
function readValue({ name, schema }: ActionField, written: Written): unknown {
  const [text = '', ...others] = [written].flat().map(String)
  const types = typesOf(schema)
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true'
  if (
    types.some((type) => type === 'number' || type === 'integer') &&
    text.trim() !== '' &&
    !Number.isNaN(Number(text))
  )
    return Number(text)
  if (!types.includes('object') && !types.includes('array')) return text
  if (text.startsWith('@')) return readJson(name, readText(text.slice(1), `The file ${text.slice(1)}`, userError))
  if (/^\s*[[{]/.test(text)) return readJson(name, text)
  return isDictionary(schema) ? readPairs(name, [text, ...others], schema.additionalProperties) : text
}

const userError = (sentence: string) => new UserError(sentence)

function readJson(name: string, text: string): unknown {
  const value = parseJson(text)
  if (value === undefined) throw new UserError(`${flagOf(name)} is not JSON.`)
  return value
}

/** Texts such as `name=value`. A value that need not be a text may be JSON, such as a number. */
function readPairs(name: string, texts: Written, values: FieldSchema['additionalProperties']): object {
  const isText = typeof values === 'object' && values.type === 'string'
  const pairs = [texts ?? []].flat().map((text) => {
    const [, field, value = ''] = /^([^=]+)=(.*)$/s.exec(String(text)) ?? []
    if (field === undefined) throw new UserError(`${flagOf(name)} must be name=value, or a JSON object.`)
    return [field, isText ? value : (parseJson(value) ?? value)] as const
  })
  return Object.fromEntries(pairs)
}

/** The words of the command that sends this body. */
export function wordsOf({ names, fields }: Action, body: Readonly<Record<string, unknown>>): string[] {
  const place = ({ name, place }: ActionField) =>
    place === 'path'
      ? [kebab(name).replaceAll('-', '_').toUpperCase()]
      : place === 'world'
        ? ['shop.yaml']
        : textsFor(body[name])
  const required = fields.filter(({ isRequired }) => isRequired)
  const options = fields.filter(({ name, isRequired }) => !isRequired && body[name] !== undefined)
  return [
    ...['ctl', ...names.map(kebab)],
    ...required.flatMap(place),
    ...options.flatMap(({ name }) => textsFor(body[name]).flatMap((text) => [flagOf(name), text])),
  ]
}

/** A value as it is written: an object of plain values as `name=value`. */
function textsFor(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)]
  const fields = Object.entries(value as Record<string, unknown>)
  const isPlain = !Array.isArray(value) && fields.every(([, one]) => typeof one !== 'object')
  return isPlain ? fields.map(([name, one]) => `${name}=${String(one)}`) : [JSON.stringify(value)]
}

const quoteIfNeeded = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word))

async function run(
  { key, isStream }: Pick<Action, 'key' | 'isStream'>,
  args: readonly unknown[],
  address: Address,
  json: boolean,
): Promise<void> {
  const print = (text: string) => process.stdout.write(`${text}\n`)
  if (isStream) {
    for await (const item of follow(address, key, args[0] as object, (data) => data))
      print(escapeInvisible(JSON.stringify(item)))
    return
  }
  const { message, data } = await ask(address, key, args)
  // A world comes without a message: it is saved to a file. A text is printed as it is.
  if (typeof data === 'string' && !json) process.stdout.write(data)
  else
    print(
      json || message === undefined
        ? escapeInvisible(JSON.stringify(data ?? null))
        : inTables(message, data, process.stdout.columns),
    )
}
