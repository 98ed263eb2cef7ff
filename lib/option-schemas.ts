import { flagOf } from './user-error.ts'

/** The one definition of an option, for its flag, its help, its place in the config file and the check of its value. */
export interface OptionSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly items?: OptionSchema
  readonly pattern?: string
  readonly maximum?: number
  readonly default?: string | number | boolean | undefined
  readonly description?: string
  /** For a value that the config file writes in another way than the command line. */
  readonly format?: OptionFormat
  /** The word for the value in the help. */
  readonly 'x-value'?: string
  /** The form of a value, in the words of an error. */
  readonly 'x-form'?: string
  readonly variable?: string
  /** Names the flag and the variable, where the option has another name in code. */
  readonly flag?: string
  /** Parses the text, where the schema alone cannot. */
  readonly read?: (text: string) => unknown
  /** The options that exclude this one. */
  readonly conflicts?: readonly string[]
  /** The schema for createSandbox, where it differs; `false` for an option of the command alone. */
  readonly inCode?: OptionSchema | false
  /** Whether a value in code is right, where it is no text, number or switch. */
  readonly is?: (value: unknown) => boolean
}

/**
 * A relative path in a config file is relative to that file: a `path`, a `nameOrPath` that ends as a file does, and in a
 * `store` what follows `file:`. `pairs` are a list of texts such as `name=choice`, or a map. A `pathOrList` is a path, or a
 * list of objects in JSON.
 */
export type OptionFormat = 'path' | 'nameOrPath' | 'store' | 'pairs' | 'pathOrList'

/** Whether the text of a `pathOrList` is a list. */
export const isList = (text: string) => /^\s*\[/.test(text)

/** An option with the types of its value: as the text is parsed, and as createSandbox takes it (`never` without such an option). */
export interface OptionOf<Value, InCode = Value> extends OptionSchema {
  readonly types?: readonly [value: Value, inCode: InCode]
}

/** The values that commander hands to a command. */
export type ValuesOf<Schemas extends Readonly<Record<string, OptionOf<unknown>>>> = {
  readonly [Name in keyof Schemas]?: ValueOf<Schemas[Name]>
}

export type ValueOf<Option> = Option extends OptionOf<infer Value, unknown> ? Value : never

type Details<Value> = Omit<OptionSchema, 'type' | 'enum' | 'items' | 'description' | 'x-value' | 'read'> & {
  readonly read?: (text: string) => Value
}

/** With the default `true`, the flag begins with `--no-`. */
export const onOff = (description: string, details: Details<boolean> = {}): OptionOf<boolean> => ({
  type: 'boolean',
  description,
  ...details,
})

export const text = <Value = string>(
  value: string,
  description: string,
  details: Details<Value> = {},
): OptionOf<Value> => ({ type: 'string', description, 'x-value': value, ...details })

/** A text that may be left out after its flag. */
export const optionalText = <Value>(
  value: string,
  description: string,
  read: (text: string) => Value,
): OptionOf<Value> => ({ type: ['string', 'boolean'], read, description, 'x-value': value })

export const file = (description: string, details: Details<string> = {}) =>
  text('file', description, { ...details, format: 'path' })

/** Without `read`, the command has the text. */
export const number = <Value = string>(description: string, details: Details<Value> = {}): OptionOf<Value> => ({
  type: 'number',
  description,
  'x-value': 'number',
  ...details,
})

/** A number from 0. */
export const wholeNumber = (
  description: string,
  details: Details<number> & { readonly maximum: number },
): OptionOf<number> => ({ type: 'integer', description, 'x-value': 'number', ...details })

export const oneOf = <Name extends string>(
  names: readonly Name[],
  value: string,
  description: string,
): OptionOf<Name> => ({ enum: names, description, 'x-value': value })

/** An option that can be repeated. Its variable has the values separated by spaces. */
export const listOf = <Item>(items: OptionOf<Item>, details: Details<unknown> = {}): OptionOf<readonly Item[]> => ({
  type: 'array',
  items,
  description: items.description ?? '',
  ...details,
})

/** An option with other values in createSandbox than in its flag. */
export const alsoInCode = <Value, InCode>(
  option: OptionOf<Value>,
  inCode: OptionOf<InCode>,
): OptionOf<Value, InCode> => ({
  ...(option as OptionSchema),
  inCode,
})

/** An option of the command that createSandbox has not. */
export const ofCommand = <Value>(option: OptionOf<Value>): OptionOf<Value, never> => ({
  ...(option as OptionSchema),
  inCode: false,
})

/** The flag as commander takes it, such as `--port <number>`. */
export function flagsOf(name: string, schema: OptionSchema): string {
  const flag = flagOf(isNegated(schema) ? `no-${name}` : (schema.flag ?? name))
  const { type, 'x-value': value } = schema.items ?? schema
  if (value === undefined) return flag
  return Array.isArray(type) ? `${flag} [${value}]` : `${flag} <${value}>`
}

export const isNegated = ({ type, default: usual }: OptionSchema): boolean => type === 'boolean' && usual === true

export const isNumber = ({ type }: OptionSchema): boolean => type === 'number' || type === 'integer'
