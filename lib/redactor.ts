export const hidden = '[redacted]'

/** Shorter values are not hidden: they occur in too many other words. */
const shortest = 6

/** Hides values in a text: as they are, in base64 and URL-encoded. */
export class Redactor {
  /** By their first characters, and then by their length: the keys of thousands of teams may begin alike. */
  readonly #forms = new Map<string, Map<number, Set<string>>>()

  constructor(secrets: readonly string[] = []) {
    this.add(secrets)
  }

  /** Secrets are never removed: a request in the journal may have one of a team that was deleted since. */
  add(secrets: readonly string[]): void {
    for (const form of secrets.filter((secret) => secret.replace(looksSecret, '') !== '').flatMap(formsOf)) {
      const start = form.slice(0, shortest)
      const alike = this.#forms.get(start) ?? new Map<number, Set<string>>()
      this.#forms.set(start, alike.set(form.length, (alike.get(form.length) ?? new Set()).add(form)))
    }
  }

  /** Also hides values with the form of a token or of a sandbox key. */
  readonly redact = (text: string): string => {
    const known = text.replace(looksSecret, hidden)
    let [redacted, end] = ['', 0]
    for (let at = 0; at + shortest <= known.length; at++) {
      const length = this.#longestFormAt(at, known)
      if (length > 0 && (at > end || end === 0)) redacted += `${known.slice(end, at)}${hidden}`
      if (length > 0) end = Math.max(end, at + length)
    }
    return redacted + known.slice(end)
  }

  #longestFormAt(at: number, text: string): number {
    let longest = 0
    for (const [length, forms] of this.#forms.get(text.slice(at, at + shortest)) ?? [])
      if (length > longest && forms.has(text.slice(at, at + length))) longest = length
    return longest
  }
}

function formsOf(secret: string): string[] {
  if (secret.length < shortest) return []
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64')
  const all = [secret, encodeURIComponent(secret), base64, base64.replace(/=+$/, ''), bytes.toString('base64url')]
  return [...new Set(all)]
}

/** The last two alternatives are the base64 forms of the first two. */
const looksSecret = /\beyJ[\w-]+(?:\.[\w-]*){0,2}|\bsandbox_\w{16,}|\bZXlK[\w+/=-]{16,}|\bc2FuZGJveF[\w+/=-]{16,}/g

/** Names of fields and headers with secret values. */
export const secretName =
  /^(x-)?(api[-_]?key|sandbox-token|(access|refresh|auth|id)?[-_]?token|authorization|proxy-authorization|(set-)?cookie|secret|client[-_]?secret|password)$/i

/** Hides the values of fields with such a name. Works on a text, which may be only the beginning of JSON. */
export function withoutSecretFields(text: string): string {
  return text.replace(/"([^"\\]{1,40})"(\s{0,9}:\s{0,9})"(?:[^"\\]|\\.)*"?/g, (all, name: string, colon: string) =>
    secretName.test(name) ? `"${name}"${colon}"${hidden}"` : all,
  )
}
