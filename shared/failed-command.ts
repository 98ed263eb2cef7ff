import { plainLines } from './plain-lines.ts'

/** The exit code of a command that could not do what was asked; 1 stands for what it found. */
export const failed = 2

interface Overridable {
  exitOverride(callback: (error: { readonly exitCode: number }) => never): unknown
}

/** Ends with 2 when the command line is wrong, where commander would end with 1. */
export function endMisuse(command: Overridable): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : failed))
}

/** Prints why a command failed, in a sentence; a bug of ours shows its stack. */
export function printFailure(error: unknown, isBug: boolean): void {
  const stack = error instanceof Error ? error.stack : String(error)
  const why = isBug || !(error instanceof Error) ? `the run itself failed: ${stack ?? ''}` : error.message
  process.stderr.write(plainLines(`error: ${why}\n`))
}
