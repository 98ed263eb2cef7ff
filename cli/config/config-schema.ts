import type { Command, Option } from 'commander'
import { assumption, assumptionNames, type Meaning } from '../../spec/assumptions.ts'
import { configurable, formOf, keyOf } from './config-options.ts'

/** The JSON schema of a config file, with which editors complete it. */
export function configSchema(program: Command): object {
  const commands = program.commands.filter((command) => configurable(command).length > 0)
  const sections = commands.map((command) => {
    const options = configurable(command).map((option) => [keyOf(option), schemaOf(option)] as const)
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

function schemaOf(option: Option): object {
  const value = { type: ['string', 'number'] }
  const list = { type: 'array', items: value }
  const choices = keyOf(option) === 'assume' ? assumed : { type: 'object', additionalProperties: value }
  const forms = {
    switch: { type: 'boolean' },
    number: { type: 'number' },
    one: option.optional ? { type: ['string', 'boolean'] } : option.argChoices ? { enum: option.argChoices } : value,
    list: { anyOf: [value, list] },
    choices: { anyOf: [value, list, choices] },
  }
  // Such as "ignore the header": the key of a `--no-` option says the opposite.
  const only = option.negate ? 'false: ' : ''
  return { description: only + option.description, ...forms[formOf(option)] }
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
