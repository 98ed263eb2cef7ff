import { type Secrets, redactedTarget } from './redaction.ts'

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export interface Log {
  readonly level: (typeof logLevels)[number]
  /** Takes one line of JSON, with its end. */
  write(line: string): void
}

/** Logs neither headers nor bodies, and redacts known secrets from every line. */
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
