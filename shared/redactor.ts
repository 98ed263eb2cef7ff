export const hidden = '[redacted]'

/** Shorter values are not hidden: they occur in too many other words. */
const shortest = 6

/** Hides values in a text: as they are, in base64 and URL-encoded. */
export class Redactor {
  /** Sorted. */
  #forms: string[] = []
  readonly #starts = new Set<string>()

  constructor(secrets: readonly string[] = []) {
    this.add(secrets)
  }

  /** Secrets are never removed: a request in the journal may have one of a team that was deleted since. */
  add(secrets: readonly string[]): void {
    const forms = secrets.filter((secret) => secret.replace(looksSecret, '') !== '').flatMap(formsOf)
    if (forms.length === 0) return
    this.#forms = [...new Set([...this.#forms, ...forms])].sort(compare)
    for (const form of forms) this.#starts.add(form.slice(0, shortest))
  }

  /** Also hides values with the form of a token or of a sandbox key. */
  readonly redact = (text: string): string => {
    const known = text.replace(looksSecret, hidden)
    let [redacted, end] = ['', 0]
    for (let at = 0; at + shortest <= known.length; at++) {
      if (!this.#starts.has(known.slice(at, at + shortest))) continue
      const length = this.#lengthOfPrefix(known.slice(at))
      if (length > 0 && (at > end || end === 0)) redacted += `${known.slice(end, at)}${hidden}`
      if (length > 0) end = Math.max(end, at + length)
    }
    return redacted + known.slice(end)
  }

  /** The length of the longest form at the start of the text. A binary search, since there may be thousands of keys. */
  #lengthOfPrefix(text: string): number {
    for (let rest = text; rest.length >= shortest;) {
      let [low, high] = [0, this.#forms.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if ((this.#forms[middle] ?? '') <= rest) low = middle + 1
        else high = middle
      }
      const form = this.#forms[low - 1] ?? ''
      let same = 0
      while (same < form.length && form[same] === rest[same]) same++
      if (same === form.length) return same
      rest = rest.slice(0, same)
    }
    return 0
  }
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

function formsOf(secret: string): string[] {
  if (secret.length < shortest) return []
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64')
  const all = [secret, encodeURIComponent(secret), base64, base64.replace(/=+$/, ''), bytes.toString('base64url')]
  return [...new Set(all)]
}

/** The last two alternatives are the base64 forms of the first two. */
const looksSecret = /\beyJ[\w-]+(?:\.[\w-]*){0,2}|\bsandbox_\w{16,}|\bZXlK[\w+/=-]{16,}|\bc2FuZGJveF[\w+/=-]{16,}/g
