import { type Secrets, redactedTarget } from './redaction.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export interface Log {
  readonly level: (typeof logLevels)[number]
  /** Takes one line of JSON, with its end. */
  write(line: string): void
}

/** No header and no body is ever logged, and what is logged goes through the secrets once more, whatever it holds. */
export function loggerFor(log: Log | undefined, secrets: Secrets) {
  return (
    log && {
      level: log.level,
      serializers: { req: ({ method, url }: Target) => ({ method, url: redactedTarget(url) }) },
      stream: {
        write: (line: string) => {
          log.write(secrets.redact(line))
        },
      },
    }
  )
}

interface Target {
  readonly method: string
  readonly url: string
}
