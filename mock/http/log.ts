export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export const logForms = ['text', 'json'] as const

export type LogLevel = (typeof logLevels)[number]
export type LogForm = (typeof logForms)[number]

export interface Log {
  /** `info` is every request, `warn` those that were refused, `error` those that failed. */
  readonly level: LogLevel
  /** A line of JSON by default, or a line to read. */
  readonly form?: LogForm
  /** Takes one line, with its end. */
  write(line: string): void
}
