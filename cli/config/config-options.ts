import { type Command, Option } from 'commander'
import { collect, OptionWithVariable } from '../command-options.ts'

const configFlag = '--config <file>'

/** Adds `--config` to all commands with options, and before them. */
export function addConfigOption(program: Command): void {
  const words = 'read options from this file (default crm-sandbox.config.yaml, .yml or .json here or in a folder above)'
  for (const command of [program, ...program.commands])
    if (command.options.length > 0) command.addOption(new Option(configFlag, words))
}

/** The options of a command that a config file may have. */
export const configurable = (command: Command): readonly Option[] =>
  command.options.some(({ flags }) => flags === configFlag)
    ? command.options.filter(({ flags }) => flags !== configFlag)
    : []

/** The name of an option in a config file: its long name, such as `base-url`; a `--no-` option is a switch that can be off. */
export const keyOf = ({ long }: Option): string => (long ?? '').replace(/^--(no-)?/, '')

/** The environment variable of an option; empty if it has none. */
export const variableOf = (option: Option): string => (option instanceof OptionWithVariable ? option.variable : '')

/** The form of an option in the file. Choices are a list of `name=choice`, or a map. */
export function formOf(option: Option): 'switch' | 'number' | 'one' | 'list' | 'choices' {
  if (option.isBoolean() || option.negate) return 'switch'
  if (option.parseArg === collect) return option.flags.includes('=') ? 'choices' : 'list'
  return option.flags.endsWith(' <number>') ? 'number' : 'one'
}
