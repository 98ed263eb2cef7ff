import type { Command } from 'commander'
import { plainLines } from '../lib/text.ts'
import { UserError } from '../lib/user-error.ts'
import { messageFor } from './config/config-file.ts'

/** The exit code of a command that failed to run; 1 means that it ran and found something. */
export const failed = 2

interface Overridable {
  exitOverride(callback: (error: { readonly exitCode: number }) => never): unknown
}

/** Exits with 2 for a wrong command line; the default of commander is 1. */
export function endMisuse(command: Overridable): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : failed))
}

/** Prints the message of an error that the user can correct, or the stack of any other. */
export function printFailure(error: unknown, command: Command): void {
  const stack = error instanceof Error ? error.stack : String(error)
  const why = error instanceof UserError ? messageFor(error, command) : `the run itself failed: ${stack ?? ''}`
  process.stderr.write(plainLines(`error: ${why}\n`))
}

/** Runs a command, and ends the process with its exit code; 2 if it failed. */
export async function runCommand(command: Command, act: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await act()
  } catch (error) {
    printFailure(error, command)
    process.exitCode = failed
  }
}
