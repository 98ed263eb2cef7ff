const hidden = '[redacted]'
const shortest = 8

/** Values that nobody should read in a log, a journal or a report, in whatever form they stand there. */
export class Secrets {
  readonly #forms = new Set<string>()

  /** Anything shorter than eight characters stands in too many other words. */
  add(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret.length < shortest) continue
      const base64 = Buffer.from(secret).toString('base64')
      const forms = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64]
      for (const form of forms) this.#forms.add(form)
    }
  }

  /** The text without them, and without anything that looks like a token or like a key of a sandbox. */
  redact(text: string): string {
    let redacted = text.replace(looksSecret, hidden)
    for (const form of this.#forms) if (redacted.includes(form)) redacted = redacted.replaceAll(form, hidden)
    return redacted
  }
}

/** The last two are how the first two begin in base64. */
const looksSecret = /\beyJ[\w-]+\.[\w-]*(?:\.[\w-]*)?|\bsandbox_\w{16,}|\bZXlK[\w+/=-]{16,}|\bc2FuZGJveF[\w+/=-]{16,}/g

/** What a query may show: the names of its parameters, and values that say nothing about a person. */
const harmless: readonly string[] = ['page', 'limit', 'types', 'statuses', 'channel']

/** The target of a request, such as `/api/contacts/deleteContactsByEmail?email=[redacted]`. */
export function redactedTarget(target: string): string {
  const [path = '', query] = target.split(/\?(.*)/s)
  if (query === undefined) return path
  return `${path}?${query.split('&').map(redactedParameter).join('&')}`
}

function redactedParameter(parameter: string): string {
  const [name = '', value] = parameter.split(/=(.*)/s)
  if (value === undefined) return hidden
  return harmless.includes(name) && value.length <= 20 ? parameter : `${name.slice(0, 40)}=${hidden}`
}
