import { plainLines } from '../lib/text.ts'

/** The exit code of a command that failed to run; 1 means that it ran and found something. */
export const failed = 2

/** Adds the value of an option that is repeated. */
export const collect = (text: string, before: readonly string[] = []) => [...before, text]

interface Overridable {
  exitOverride(callback: (error: { readonly exitCode: number }) => never): unknown
}

/** Exits with 2 for a wrong command line; the default of commander is 1. */
export function endMisuse(command: Overridable): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : failed))
}

let rename = (message: string) => message

/** Sets what all error messages go through, such as the names of options in a config file. */
export function renameInErrors(by: (message: string) => string): void {
  rename = by
}

export const renamed = (message: string): string => rename(message)

/** Prints the message of an error, and its stack if the error is a bug. */
export function printFailure(error: unknown, isBug: boolean): void {
  const stack = error instanceof Error ? error.stack : String(error)
  const why = isBug || !(error instanceof Error) ? `the run itself failed: ${stack ?? ''}` : renamed(error.message)
  process.stderr.write(plainLines(`error: ${why}\n`))
}

/** The names of the errors with one sentence for the user. A command loads the classes on demand, so it compares names. */
const expected = ['CannotRun', 'UnreadableChoice', 'UnreadableWorld', 'BadWish', 'CannotWrite']

/** Runs a command, and ends the process with its exit code; 2 if it failed. */
export async function runCommand(act: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await act()
  } catch (error) {
    printFailure(error, !(error instanceof Error && expected.includes(error.name)))
    process.exitCode = failed
  }
}
