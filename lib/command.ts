import { plainLines } from './text.ts'

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

const codes = { red: 31, green: 32, yellow: 33, grey: 90, bold: 1 } as const

export type Paint = (text: string, as: keyof typeof codes) => string

export const plain: Paint = (text) => text

/** Uses colours on a terminal only, unless NO_COLOR or FORCE_COLOR is set. */
export function painterFor(isTerminal: boolean, { NO_COLOR, FORCE_COLOR = '0', TERM }: NodeJS.ProcessEnv): Paint {
  const isWanted = FORCE_COLOR !== '0' || (isTerminal && TERM !== 'dumb')
  const isRefused = NO_COLOR !== undefined && NO_COLOR !== ''
  return isWanted && !isRefused ? (text, as) => `\u001b[${codes[as]}m${text}\u001b[0m` : plain
}
