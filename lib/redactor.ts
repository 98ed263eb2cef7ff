import { once } from './async.ts'

export const hidden = '[redacted]'

/** Shorter values are not hidden: they occur in too many other words. */
const shortest = 6

/** The lengths of forms that begin alike, the longest first, and how many forms have each. */
interface Lengths {
  all: readonly number[]
  readonly counts: Map<number, number>
}

/** Hides values in a text: as they are, in base64 and URL-encoded. */
export class Redactor {
  readonly #forms = new Set<string>()
  /** By their first characters: the keys of thousands of teams may begin alike. */
  readonly #lengths = new Map<string, Lengths>()
  /** The hash of each form, or `several`: most lengths are ruled out without a look at the text. */
  #hashes = new Int32Array(1_024)
  #hashesMade = 0
  /** Secrets that open nothing any more. */
  #former = new Set<string>()
  /** Those that need not be hidden any more, which are removed a few at once. */
  #gone = new Set<string>()

  constructor(secrets: readonly string[] = []) {
    this.add(secrets)
  }

  add(secrets: readonly string[]): void {
    for (const secret of secrets) if (!this.#former.delete(secret)) this.#gone.delete(secret)
    for (const form of formsOfAll(secrets)) {
      if (this.#forms.has(form)) continue
      this.#forms.add(form)
      this.#count(form, 1)
      this.#addHash(hashOf(form))
    }
    if (this.#hashesMade > this.#hashes.length / 4) this.#hashAgain()
  }

  /**
   * Secrets that open nothing any more stay hidden, since a request in the journal may have one, until there are too many.
   * Returns whether they have just ceased to be.
   */
  retire(secrets: readonly string[]): boolean {
    for (const secret of secrets) this.#former.add(secret)
    const areTooMany = this.#former.size > mostFormer
    if (areTooMany) [this.#gone, this.#former] = [new Set([...this.#gone, ...this.#former]), new Set()]
    const removed = [...take(this.#gone, 2 * secrets.length)]
    for (const form of formsOfAll(removed)) if (this.#forms.delete(form)) this.#count(form, -1)
    return areTooMany
  }

  /** Also hides values with the form of a token or of a sandbox key. */
  readonly redact = (text: string): string => {
    const known = text.replace(looksSecret, hidden)
    const hashed = once(() => hashAll(known))
    let [redacted, end] = ['', 0]
    for (let at = 0; at + shortest <= known.length; at++) {
      const lengths = this.#lengths.get(known.slice(at, at + shortest))
      const length = lengths ? this.#longestFormAt(at, hashed(), lengths) : 0
      if (length > 0 && (at > end || end === 0)) redacted += `${known.slice(end, at)}${hidden}`
      if (length > 0) end = Math.max(end, at + length)
    }
    return redacted + known.slice(end)
  }

  #longestFormAt(at: number, { text, upTo, powers }: Hashed, { all }: Lengths): number {
    const before = upTo[at] ?? 0
    for (const length of all) {
      if (at + length > text.length) continue
      const hash = ((upTo[at + length] ?? 0) - Math.imul(before, powers[length] ?? 0)) | 0
      const found = this.#hashes[this.#slotOf(hash)]
      if ((found === hash || found === several) && this.#forms.has(text.slice(at, at + length))) return length
    }
    return 0
  }

  #count(form: string, by: 1 | -1): void {
    const start = form.slice(0, shortest)
    const lengths = this.#lengths.get(start) ?? { all: [], counts: new Map<number, number>() }
    const { counts } = lengths
    const count = (counts.get(form.length) ?? 0) + by
    if (count > 0) counts.set(form.length, count)
    else counts.delete(form.length)
    if (counts.size > 0) this.#lengths.set(start, lengths)
    else this.#lengths.delete(start)
    if (counts.size !== lengths.all.length) lengths.all = [...counts.keys()].toSorted((one, other) => other - one)
  }

  #hashAgain(): void {
    this.#hashes = new Int32Array(2 ** Math.ceil(Math.log2(8 * (this.#forms.size + 128))))
    this.#hashesMade = 0
    for (const form of this.#forms) this.#addHash(hashOf(form))
  }

  #addHash(hash: number): void {
    this.#hashesMade++
    const slot = this.#slotOf(hash)
    this.#hashes[slot] = this.#hashes[slot] === 0 && hash !== 0 ? hash : several
  }

  #slotOf(hash: number): number {
    return Math.imul(hash, base) >>> (Math.clz32(this.#hashes.length) + 1)
  }
}

/** Hides the latest secrets of callers who choose them. Of each it keeps several forms. */
export class LatestSecrets {
  #latest = new Redactor()
  #before = new Redactor()
  #added = new Set<string>()
  #length = 0

  add(secret: string): void {
    if (this.#added.has(secret)) return
    if (this.#length > mostOfLatest) {
      ;[this.#before, this.#latest] = [this.#latest, new Redactor()]
      this.#added = new Set()
      this.#length = 0
    }
    this.#latest.add([secret])
    this.#added.add(secret)
    this.#length += secret.length
  }

  readonly redact = (text: string): string => this.#before.redact(this.#latest.redact(text))
}

/** In characters: some thousand keys. */
const mostOfLatest = 256 * 1024

const several = 1

/** They take some megabytes. */
const mostFormer = 10_000

/** Removes and returns the first of them. */
function* take(secrets: Set<string>, count: number): Generator<string> {
  let taken = 0
  for (const secret of secrets) {
    if (taken++ >= count) return
    secrets.delete(secret)
    yield secret
  }
}

/** A text with the hashes of all its beginnings, from which the hash of any part follows. */
interface Hashed {
  readonly text: string
  readonly upTo: Int32Array
  readonly powers: Int32Array
}

const base = 1_000_003

function hashAll(text: string): Hashed {
  const [upTo, powers] = [new Int32Array(text.length + 1), new Int32Array(text.length + 1).fill(1)]
  for (let at = 0; at < text.length; at++) {
    upTo[at + 1] = Math.imul(upTo[at] ?? 0, base) + text.charCodeAt(at)
    powers[at + 1] = Math.imul(powers[at] ?? 1, base)
  }
  return { text, upTo, powers }
}

function hashOf(text: string): number {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0
  return hash
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
