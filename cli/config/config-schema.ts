import type { Command } from 'commander'
import { assumption, assumptionNames, type Meaning } from '../../spec/assumptions.ts'
import { configurable, keyOf, type SchemaOption } from '../command-options.ts'
import { isNumber, type OptionSchema } from '../../lib/option-schemas.ts'

/** The JSON schema of a config file, with which editors complete it. */
export function configSchema(program: Command): object {
  const commands = program.commands.filter((command) => configurable(command).length > 0)
  const places = new Map<string, string>()
  /** Refers to an earlier option that is the same, such as the target of several commands. */
  const once = (schema: object, place: string) => {
    const text = JSON.stringify(schema)
    const earlier = places.get(text)
    if (earlier === undefined) places.set(text, place)
    return earlier === undefined ? schema : { $ref: earlier }
  }
  const sections = commands.map((command) => {
    const options = configurable(command).map((option) => {
      const key = keyOf(option)
      return [key, once(schemaOf(option), `#/properties/${command.name()}/properties/${key}`)] as const
    })
    return [command.name(), { ...section(options), description: command.description() }] as const
  })
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The config file of crm-sandbox',
    ...section([['$schema', { type: 'string' }], ...sections]),
  }
}

/** A section that contains only comments is null. */
const section = (properties: readonly (readonly [name: string, schema: object])[]) => ({
  type: ['object', 'null'],
  additionalProperties: false,
  properties: Object.fromEntries(properties),
})

function schemaOf(option: SchemaOption): object {
  // Such as "ignore the header": the key of a `--no-` option says the opposite.
  const only = option.negate ? 'false: ' : ''
  return { description: only + option.description, ...valuesOf(option.schema, keyOf(option)) }
}

/** The schema of a value in a file. YAML reads a text such as 7 as a number. */
function valuesOf(schema: OptionSchema, key: string): object {
  const { type, enum: names, items, format } = schema
  const value = { type: ['string', 'number'] }
  const map = key === 'assume' ? assumed : { type: 'object', additionalProperties: value }
  if (items) return { anyOf: [value, { type: 'array', items: value }, ...(format === 'pairs' ? [map] : [])] }
  if (names) return { enum: names }
  if (isNumber(schema)) return { type: 'number' }
  if (format === 'pathOrList') return { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object' } }] }
  return type === 'string' ? value : { type }
}

/** The names and choices of the register, for editors to complete. */
const assumed = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    assumptionNames.map((name) => {
      const { question, choices } = assumption(name)
      return [name, { description: question, anyOf: Object.entries(choices).map(schemaOfChoice) }]
    }),
  ),
}

function schemaOfChoice([choice, meaning]: readonly [string, Meaning]): object {
  if (typeof meaning === 'string') return { const: choice, description: meaning }
  return { type: 'string', pattern: `^${choice}:[1-9]\\d{0,8}$`, description: meaning.words }
}
