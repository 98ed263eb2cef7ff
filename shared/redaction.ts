export const hidden = '[redacted]'

/** Shorter values are left alone: they are part of too many other words. */
export const shortest = 6

/** How many secrets have each form. */
type CountedForms = Map<string, number>

/** Values that must not be read in a log, a journal or a report, in whatever form they appear there. */
export class Secrets {
  /** By how they begin and by their length: so a text is searched once, however many secrets there are. */
  readonly #forms = new Map<string, Map<number, CountedForms>>()

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
      const start = form.slice(0, shortest)
      const lengths = this.#forms.get(start) ?? new Map<number, CountedForms>()
      const alike = lengths.get(form.length) ?? new Map<string, number>()
      const count = (alike.get(form) ?? 0) + step
      if (count > 0) this.#forms.set(start, lengths.set(form.length, alike.set(form, count)))
      else if (alike.delete(form) && alike.size === 0 && lengths.delete(form.length) && lengths.size === 0)
        this.#forms.delete(start)
    }
  }

  /** The text without them, and without anything that looks like a token or like a key of a sandbox. */
  redact(text: string): string {
    const known = text.replace(looksSecret, hidden)
    let redacted = ''
    let end = 0
    for (const [from, to] of this.#rangesIn(known)) {
      redacted += `${known.slice(end, from)}${hidden}`
      end = to
    }
    return redacted + known.slice(end)
  }

  /** Where secrets stand, in order; those that overlap are one. */
  #rangesIn(text: string): [from: number, to: number][] {
    const ranges: [number, number][] = []
    for (let at = 0; at + shortest <= text.length; at++) {
      const lengths = this.#forms.get(text.slice(at, at + shortest))
      if (!lengths) continue
      const fitting = [...lengths].flatMap(([length, alike]) => (alike.has(text.slice(at, at + length)) ? length : []))
      if (fitting.length === 0) continue
      const to = at + Math.max(...fitting)
      const last = ranges.at(-1)
      if (last && at < last[1]) last[1] = Math.max(last[1], to)
      else ranges.push([at, to])
    }
    return ranges
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
