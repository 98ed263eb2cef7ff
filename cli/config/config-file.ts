import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { readText } from '../../lib/files.ts'
import { quoteUnlessPlain } from '../../lib/text.ts'
import type { UserError } from '../../lib/user-error.ts'
import { suggest } from '../../spec/close-to.ts'
import { configurable, keyOf, type SchemaOption } from '../command-options.ts'
import { isNegated, isNumber, type OptionFormat, type OptionSchema } from '../../lib/option-schemas.ts'
import { isObject } from '../../lib/json.ts'

export const configNames = ['crm-sandbox.config.yaml', 'crm-sandbox.config.yml', 'crm-sandbox.config.json']

/** Sets the options of a command that the config file has, unless a flag or a variable sets them. */
export async function applyConfig(command: Command, program: Command): Promise<void> {
  if (configurable(command).length === 0) return
  const { config = program.opts<{ config?: string }>().config ?? findConfig() } = command.opts<{ config?: string }>()
  if (config === undefined) return
  const file = relative('', config) || '.'
  try {
    for (const [owner, option, written] of readOptions(await readConfig(config), program)) {
      const place = `${owner.name()}.${keyOf(option)}`
      const value = inOption(place, () => valueOf(option, written, dirname(config)))
      if (value === undefined) continue
      if (keyOf(option) === 'assume') await checkChoices(place, value as readonly string[])
      if (owner === command) setOption(command, option, value)
    }
  } catch (error) {
    if (!(error instanceof CannotUse)) throw error
    command.error(`error: The config file ${file} cannot be used. ${error.message}`)
  }
  command.setOptionValueWithSource('config', file, 'config')
}

/** The message of an error, with the variable or the place in the config file that set an option, in place of its flag. */
export function messageFor(error: UserError, command: Command): string {
  const { config = '' } = command.opts<{ config?: string }>()
  return error.messageWith((name) => {
    const option = configurable(command).find((one) => one.attributeName() === name)
    const source = command.getOptionValueSource(name)
    if (option === undefined || source === 'cli') return undefined
    const { variable = '' } = option.schema
    return source === 'config' ? `${command.name()}.${keyOf(option)} in ${config}` : process.env[variable] && variable
  })
}

/** The reason why a config file cannot be used, as a sentence. */
class CannotUse extends Error {}

/** The config file of the working directory, or else of the nearest folder above. */
export function findConfig(): string | undefined {
  for (let folder = resolve(''); ; folder = dirname(folder)) {
    const found = configNames.map((name) => join(folder, name)).find((path) => existsSync(path))
    if (found !== undefined || folder === dirname(folder)) return found
  }
}

interface Content {
  /** Each scalar is a text as it is written. */
  readonly texts: unknown
  /** The same with numbers and booleans. */
  readonly values: () => unknown
}

async function readConfig(path: string): Promise<Content> {
  const text = readText(path, 'It', (sentence) => new CannotUse(sentence))
  // Loaded on demand: most runs have no config file.
  const { readYaml } = await import('../../lib/read-yaml.ts')
  const refuse = (message: string, line = 1): never => {
    throw new CannotUse(`It is neither YAML nor JSON (line ${line}: ${message}).`)
  }
  return { texts: readYaml(text, refuse, 'failsafe'), values: () => readYaml(text, refuse) }
}

/** The options of all commands in the file, with their values. */
function readOptions({ texts, values }: Content, program: Command) {
  const commands = program.commands.filter((command) => configurable(command).length > 0)
  const { $schema, ...sections } = mapOf(texts, 'It', 'serve: { port: 4010 }')
  return Object.entries(sections).flatMap(([name, section]) => {
    const command = pick('Its first level names commands, and there is no command', name, commands, (one) => one.name())
    return Object.entries(mapOf(section, name, 'port: 4010')).map(([key, value]) => {
      const option = pick(`${name} has no option`, key, configurable(command), keyOf)
      const isList = option.schema.format === 'pathOrList' && Array.isArray(value)
      return [command, option, isList ? JSON.stringify(valueIn(values(), name, key)) : value] as const
    })
  })
}

const valueIn = (sections: unknown, name: string, key: string) =>
  (sections as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[name]?.[key]

/** A section that contains only comments is empty. */
function mapOf(value: unknown, name: string, sample: string): Readonly<Record<string, unknown>> {
  if (value === '' || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw new CannotUse(`${name} must give names their values, such as ${sample}.`)
  return value as Readonly<Record<string, unknown>>
}

function pick<Named>(none: string, name: string, all: readonly Named[], nameOf: (one: Named) => string): Named {
  const found = all.find((one) => nameOf(one) === name)
  if (found) return found
  throw new CannotUse(`${none} ${quoteUnlessPlain(name)}${suggest(name, all.map(nameOf))}.`)
}

function inOption<Value>(place: string, act: () => Value): Value {
  try {
    return act()
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw new CannotUse(`${place} is invalid. ${error.message}`)
    throw error instanceof CannotUse ? new CannotUse(`${place} ${error.message}.`) : error
  }
}

async function checkChoices(place: string, choices: readonly string[]): Promise<void> {
  // Loaded on demand: it loads the register.
  const { readChoice, UnreadableChoice } = await import('../../spec/choices.ts')
  try {
    choices.forEach(readChoice)
  } catch (error) {
    throw error instanceof UnreadableChoice ? new CannotUse(`${place} is invalid. ${error.message}`) : error
  }
}

/** The value as commander would have it from the command line; undefined for a switch that is off. */
function valueOf({ schema, parseArg, negate }: SchemaOption, written: unknown, folder: string): unknown {
  const texts = textsOf(schema, written).map((text) => fromFolder(schema, text, folder))
  if (texts.length === 0) return undefined
  const parse = (before: unknown, text: string) => parseArg?.(text, before) ?? text
  return schema.type === 'boolean' ? !negate : texts.reduce(parse, undefined)
}

/** The values as they would be written on the command line; a switch that is off has none. */
function textsOf(schema: OptionSchema, value: unknown): string[] {
  const { type, items, format } = schema
  const must = (words: string) => new CannotUse(`must be ${words}`)
  if (value === '') return []
  if (type === 'boolean' && value !== 'true' && value !== 'false') throw must('true or false')
  const list = format === 'pairs' && isObject(value) ? Object.entries(value).map(joinPair) : [value].flat()
  if (!list.every((item) => typeof item === 'string')) throw must(items ? 'a list of texts' : 'one value')
  if (list.length !== 1 && !items) throw must('one value')
  if (isNumber(schema) && !list.every((text) => text.trim() !== '' && !Number.isNaN(Number(text))))
    throw must('a number')
  const off = type === 'boolean' || Array.isArray(type) ? String(isNegated(schema)) : undefined
  return list.filter((text) => text !== off)
}

const joinPair = ([name, value]: [string, unknown]): unknown => (typeof value === 'string' ? `${name}=${value}` : value)

/** A relative path in a config file is relative to that file. */
function fromFolder({ format }: OptionSchema, text: string, folder: string): string {
  const [, scheme = '', path = ''] = (format && paths[format]?.exec(text)) ?? []
  return path === '' || isAbsolute(path) ? text : scheme + (relative('', resolve(folder, path)) || '.')
}

/** For each format, a pattern with two groups: the prefix of a value, and its path. */
const paths: Readonly<Partial<Record<OptionFormat, RegExp>>> = {
  path: /^()(.*)$/s,
  nameOrPath: /^()(.*\.(?:json|ya?ml))$/is,
  store: /^(file:)(.*)$/s,
  pathOrList: /^()(?!\[)(.*)$/s,
}

function setOption(command: Command, option: SchemaOption, value: unknown): void {
  const key = option.attributeName()
  const hasFlag = command.getOptionValueSource(key) === 'cli'
  const variable = process.env[option.schema.variable ?? ''] ?? ''
  if (option.schema.format === 'pairs') {
    // Each name by itself: another value by a flag or a variable leaves the others in force.
    const names = variable.split(/\s+/).map(nameOf)
    const own = (value as readonly string[]).filter((choice) => !names.includes(nameOf(choice)))
    const ofFlag = hasFlag ? (command.getOptionValue(key) as readonly string[]) : []
    command.setOptionValueWithSource(key, [...own, ...ofFlag], hasFlag ? 'cli' : 'config')
  } else if (!hasFlag && variable === '' && !conflictsWithFlag(command, option))
    command.setOptionValueWithSource(key, value, 'config')
}

const nameOf = (choice: string) => choice.split('=')[0]

/** A flag excludes the options that it conflicts with. */
function conflictsWithFlag(command: Command, option: SchemaOption): boolean {
  const flags = configurable(command).filter((one) => command.getOptionValueSource(one.attributeName()) === 'cli')
  const conflicts = ({ schema }: SchemaOption, other: SchemaOption) =>
    schema.conflicts?.includes(other.attributeName()) ?? false
  return flags.some((flag) => conflicts(flag, option) || conflicts(option, flag))
}
