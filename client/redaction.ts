import { Secrets } from '../shared/redaction.ts'
import { SecretWindows } from '../shared/secret-windows.ts'
import { revealAll } from './target/credentials.ts'
import { secretsOf, type Target } from './target/target.ts'

/** Hides the credentials of a target and the people whom the operator named, in whatever spelling they appear. */
export function redactorFor(target: Target): (text: string) => string {
  const { credentials, recipients } = target
  const secret = [...Object.values(revealAll(credentials)), ...recipients.phone]
  const secrets = new Secrets(...secretsOf(target))
  const windows = new SecretWindows(secret, recipients.email)
  const names = recipients.email.map(beginningOf)
  return (text) => {
    const redacted = windows.redact(secrets.redact(text))
    return names.reduce((rest, name) => rest.replace(name, '[redacted]'), redacted)
  }
}

/** An e-mail address of which the end may be cut off. */
function beginningOf(email: string): RegExp {
  const [name = ''] = email.split('@')
  return new RegExp(`${name.replace(/[^\w]/g, '\\$&')}@[\\w.-]*`, 'gi')
}
