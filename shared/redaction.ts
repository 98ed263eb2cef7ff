const hidden = '[redacted]'

/** Shorter values are left alone: they are part of too many other words. */
const shortest = 6

/** Values that must not be read in a log, a journal or a report, in whatever form they appear there. */
export class Secrets {
  /** How many secrets have each form. */
  readonly #forms = new Map<string, number>()
  #longestFirst: readonly string[] | undefined

  constructor(...secrets: readonly string[]) {
    this.add(...secrets)
  }

  add(...secrets: readonly string[]): void {
    this.#count(secrets, 1)
  }

  /** For those that open nothing any more; one that was added twice must be removed twice. */
  remove(...secrets: readonly string[]): void {
    this.#count(secrets, -1)
  }

  #count(secrets: readonly string[], step: 1 | -1): void {
    const long = secrets.filter((secret) => secret.length >= shortest)
    for (const form of long.flatMap((secret) => [...new Set(formsOf(secret))])) {
      const count = (this.#forms.get(form) ?? 0) + step
      if (count > 0) this.#forms.set(form, count)
      else this.#forms.delete(form)
    }
    this.#longestFirst = undefined
  }

  /** The text without them, and without anything that looks like a token or like a key of a sandbox. */
  redact(text: string): string {
    // A secret may be a part of a longer one, of which something would be left to read.
    this.#longestFirst ??= [...this.#forms.keys()].sort((one, other) => other.length - one.length)
    let redacted = text.replace(looksSecret, hidden)
    for (const form of this.#longestFirst) if (redacted.includes(form)) redacted = redacted.replaceAll(form, hidden)
    return redacted
  }
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64')
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    base64,
    base64.replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ]
}

/**
 * The last two are how the first two begin in base64. Each alternative matches as soon as its prefix does, or fails
 * within a few characters: a pattern that could read to the end and then fail would take quadratic time.
 */
const looksSecret = /\beyJ[\w-]+(?:\.[\w-]*){0,2}|\bsandbox_\w{16,}|\bZXlK[\w+/=-]{16,}|\bc2FuZGJveF[\w+/=-]{16,}/g
