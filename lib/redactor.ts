import { once } from './async.ts'

export const hidden = '[redacted]'

/** Shorter values are not hidden: they occur in too many other words. */
const shortest = 6

/** Hides values in a text: as they are, in base64 and URL-encoded. */
export class Redactor {
  /** By their first characters, their length and their hash: the keys of thousands of teams may begin alike. */
  readonly #forms = new Map<string, Map<number, Map<number, Set<string>>>>()
  /** Secrets that open nothing any more. */
  readonly #former = new Set<string>()

  constructor(secrets: readonly string[] = []) {
    this.add(secrets)
  }

  add(secrets: readonly string[]): void {
    for (const secret of secrets) this.#former.delete(secret)
    for (const form of formsOfAll(secrets)) {
      const alike = madeIn(this.#forms, form.slice(0, shortest), () => new Map<number, Map<number, Set<string>>>())
      const ofLength = madeIn(alike, form.length, () => new Map<number, Set<string>>())
      madeIn(ofLength, hashOf(form), () => new Set<string>()).add(form)
    }
  }

  /**
   * Secrets that open nothing any more stay hidden, since a request in the journal may have one, until there are too many.
   * Returns whether they have just ceased to be.
   */
  retire(secrets: readonly string[]): boolean {
    for (const secret of secrets) this.#former.add(secret)
    if (this.#former.size <= mostFormer) return false
    for (const form of formsOfAll([...this.#former])) {
      const [start, hash] = [form.slice(0, shortest), hashOf(form)]
      const alike = this.#forms.get(start)
      const ofLength = alike?.get(form.length)
      ofLength?.get(hash)?.delete(form)
      if (ofLength?.get(hash)?.size === 0) ofLength.delete(hash)
      if (ofLength?.size === 0) alike?.delete(form.length)
      if (alike?.size === 0) this.#forms.delete(start)
    }
    this.#former.clear()
    return true
  }

  /** Also hides values with the form of a token or of a sandbox key. */
  readonly redact = (text: string): string => {
    const known = text.replace(looksSecret, hidden)
    let [redacted, end] = ['', 0]
    const hashes = hashesOf(known)
    for (let at = 0; at + shortest <= known.length; at++) {
      const length = this.#longestFormAt(at, known, hashes)
      if (length > 0 && (at > end || end === 0)) redacted += `${known.slice(end, at)}${hidden}`
      if (length > 0) end = Math.max(end, at + length)
    }
    return redacted + known.slice(end)
  }

  #longestFormAt(at: number, text: string, hashes: () => Hashes): number {
    const alike = this.#forms.get(text.slice(at, at + shortest))
    if (!alike) return 0
    const { upTo, powers } = hashes()
    let longest = 0
    for (const [length, forms] of alike) {
      if (length <= longest || at + length > text.length) continue
      const hash = ((upTo[at + length] ?? 0) - Math.imul(upTo[at] ?? 0, powers[length] ?? 0)) | 0
      if (forms.get(hash)?.has(text.slice(at, at + length))) longest = length
    }
    return longest
  }
}

/** They take some megabytes. */
const mostFormer = 10_000

/** The hashes of all beginnings of a text, of which that of each part follows at once. */
interface Hashes {
  readonly upTo: Int32Array
  readonly powers: Int32Array
}

const base = 1_000_003

const hashesOf = (text: string) =>
  once((): Hashes => {
    const [upTo, powers] = [new Int32Array(text.length + 1), new Int32Array(text.length + 1).fill(1)]
    for (let at = 0; at < text.length; at++) {
      upTo[at + 1] = Math.imul(upTo[at] ?? 0, base) + text.charCodeAt(at)
      powers[at + 1] = Math.imul(powers[at] ?? 1, base)
    }
    return { upTo, powers }
  })

function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0
  return hash
}

function madeIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

const formsOfAll = (secrets: readonly string[]) =>
  secrets.filter((secret) => secret.replace(looksSecret, '') !== '').flatMap(formsOf)

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
