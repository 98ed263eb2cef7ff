import { hidden, Secrets } from '../shared/redaction.ts'
import { SecretWindows } from '../shared/secret-windows.ts'
import { secretsOfProxies } from './proxy.ts'
import { revealAll } from './target/credentials.ts'
import type { Target } from './target/target.ts'

/** Hides the credentials of a target and the people whom the operator named, in whatever spelling they appear. */
export function redactorFor(target: Target): (text: string) => string {
  const { credentials, headers, recipients } = target
  const hiddenInParts = [
    ...Object.values(revealAll(credentials)),
    ...Object.values(headers).flatMap(secretsIn),
    ...secretsOfProxies(process.env),
    ...recipients.phone,
  ]
  const secrets = new Secrets(...hiddenInParts, ...recipients.email)
  const windows = new SecretWindows(hiddenInParts, recipients.email)
  const names = recipients.email.map(beginningOf)
  return (text) => {
    const redacted = windows.redact(secrets.redact(text))
    return names.reduce((rest, name) => rest.replace(name, hidden), redacted)
  }
}

/** An e-mail address of which the end may be cut off. */
function beginningOf(email: string): RegExp {
  const [name = ''] = email.split('@')
  return new RegExp(`${name.replace(/[^\w]/g, '\\$&')}@[\\w.-]*`, 'gi')
}

/** The value of a header, the parts that a server may repeat alone, and what basic authentication encodes. */
function secretsIn(value: string): string[] {
  const encoded = /^Basic +([\w+/=-]+)$/i.exec(value)?.[1] ?? ''
  const decoded = Buffer.from(encoded, 'base64').toString()
  const password = decoded.slice(decoded.indexOf(':') + 1)
  return [value, ...value.split(/[\s,;=]+/), decoded, password]
}
