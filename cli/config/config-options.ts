import { type Command, Option } from 'commander'
import { SchemaOption } from '../command-options.ts'

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
