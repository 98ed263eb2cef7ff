import type { Redactor } from '../../lib/redactor.ts'
import { escapeInvisible, invisible } from '../../lib/text.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export const logForms = ['text', 'json'] as const

export type LogLevel = (typeof logLevels)[number]
export type LogForm = (typeof logForms)[number]

export interface Log {
  /** `info` is every request, `warn` those that were refused, `error` those that failed. */
  readonly level: LogLevel
  /** A line of JSON by default, or a line to read. */
  readonly form?: LogForm
  /** Writes one line, which includes its line feed. */
  write(line: string): void
}

/** A logged request, or an error outside of requests. */
export interface Logged {
  readonly level: LogLevel
  readonly time: string
  readonly method?: string
  readonly url?: string
  readonly status?: number
  readonly message?: string
  readonly team?: string
  readonly operation?: string
  readonly assumed?: readonly string[]
  readonly learned?: readonly string[]
  readonly id?: string
  readonly ms?: number
  readonly error?: string
}

/** Returns a function that logs lines of the level of the log or above, without secrets. */
export const writerOf =
  (log: Log, secrets: Redactor) =>
  (logged: Logged): void => {
    const { level, form = 'json' } = log
    if (logLevels.indexOf(logged.level) >= logLevels.indexOf(level)) log.write(secrets.redact(lineOf[form](logged)))
  }

/** Returns a function that logs an error outside of requests. */
export function failureWriterOf(log: Log, secrets: Redactor): (error: unknown) => void {
  const write = writerOf(log, secrets)
  return (error) => write({ level: 'error', time: new Date().toISOString(), error: stackOf(error) })
}

export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)

/** Writes it as a line, such as `POST /api/contacts 400 lastName is required  [demo] 3 ms  createContact 8c1e0d2f`. */
const lineOf: Readonly<Record<LogForm, (logged: Logged) => string>> = {
  json: (logged) => `${escapeInvisible(JSON.stringify(logged))}\n`,
  text: ({ method, url, status, message, team, operation, assumed = [], learned = [], id, ms, error }) => {
    const asked = join(' ', method, url, status, message)
    const outcome = join(' ', team && `[${team}]`, ms !== undefined && `${ms} ms`)
    const marks = [
      assumed.length > 0 && `assumed ${assumed.join(', ')}`,
      learned.length > 0 && `learned ${learned.join(', ')}`,
    ]
    const details = join(' ', operation, id, ...marks)
    const stack = (error ?? '').split('\n').map(onOneLine)
    return `${join('\n', onOneLine(join('  ', asked, outcome, details)), ...stack)}\n`
  },
}

function join(between: string, ...words: readonly (string | number | false | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== false && word !== '').join(between)
}

/** Replaces control characters and limits the length. */
function onOneLine(text: string): string {
  return text.slice(0, longest).replace(invisible, '?')
}

const longest = 1_000
