export const hidden = '[redacted]'

/** Shorter values are not hidden: they occur in too many other words. */
const shortest = 6

/** Hides values in a text: as they are, in base64 and URL-encoded. */
export class Redactor {
  /** Sorted, with duplicates. */
  #forms: string[] = []
  #starts = new Set<string>()

  constructor(secrets: readonly string[] = []) {
    this.add(secrets)
  }

  add(secrets: readonly string[]): void {
    this.#replace(this.#forms.concat(secrets.flatMap(formsOf)).sort(compare))
  }

  /** A value that was added twice must be removed twice. */
  remove(secrets: readonly string[]): void {
    const counts = new Map<string, number>()
    for (const form of secrets.flatMap(formsOf)) counts.set(form, (counts.get(form) ?? 0) + 1)
    this.#replace(
      this.#forms.filter((form) => {
        const count = counts.get(form) ?? 0
        counts.set(form, count - 1)
        return count <= 0
      }),
    )
  }

  #replace(forms: string[]): void {
    this.#forms = forms
    this.#starts = new Set(forms.map((form) => form.slice(0, shortest)))
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
