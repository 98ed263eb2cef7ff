import { hidden, shortest } from './redaction.ts'
import { type PlacedText, readEscapes } from './unescape.ts'

/** So many characters of a secret in a row are hidden, wherever the rest of it is. */
const window = 8

/** A longer text is cut before it is searched. */
const longest = 1_000_000

/**
 * Hides secrets in what a server says, even when it repeats only a part of one, in another spelling, or with something
 * between the characters. The text and the secrets are compared by their letters and digits alone, in lower case.
 */
export class SecretWindows {
  /** By length, what must not be read. */
  readonly #windows = new Map<number, Set<string>>()

  /** Of an e-mail address only the whole is hidden: others share its domain, and its name may be a common word. */
  constructor(secrets: readonly string[], emails: readonly string[] = []) {
    for (const secret of secrets) this.#addForms(secret, (_, length) => length)
    for (const email of emails) this.#addForms(email, (form) => form.length)
  }

  #addForms(secret: string, lengthOf: (form: string, usual: number) => number): void {
    if (secret.length < shortest) return
    for (const variant of [secret, secret.toUpperCase(), secret.toLowerCase(), reverse(secret)])
      for (const [form, usual] of formsOf(variant)) this.#add(bare(form), lengthOf(bare(form), usual))
  }

  #add(form: string, wanted: number): void {
    const length = Math.min(wanted, form.length)
    if (length < shortest) return
    const ofLength = this.#windows.get(length) ?? new Set()
    this.#windows.set(length, ofLength)
    for (let start = 0; start + length <= form.length; start++) ofLength.add(form.slice(start, start + length))
  }

  redact(text: string): string {
    const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
    const ranges = merge(readEscapes(cut).flatMap((layer) => this.#rangesIn(layer)))
    let redacted = ''
    let end = 0
    for (const [from, to] of ranges) {
      redacted += `${cut.slice(end, from)}${hidden}`
      end = to
    }
    return redacted + cut.slice(end)
  }

  /** What must be hidden, in order; none touches the next. */
  #rangesIn({ text, from, to }: PlacedText): Range[] {
    const places = [...text.matchAll(/[a-z0-9]/gi)].map(({ index }) => index)
    const letters = bare(text)
    const isHidden = new Uint8Array(letters.length)
    for (const [length, windows] of this.#windows)
      for (let start = 0; start + length <= letters.length; start++)
        if (windows.has(letters.slice(start, start + length))) isHidden.fill(1, start, start + length)
    const ranges: Range[] = []
    for (const [index, place] of places.entries()) {
      if (isHidden[index] !== 1) continue
      const last = ranges.at(-1)
      const end = to[place] ?? 0
      if (last && isHidden[index - 1] === 1) last[1] = end
      else ranges.push([from[place] ?? 0, end])
    }
    return ranges
  }
}

type Range = [from: number, to: number]

/** In order; those that overlap or touch are one. */
function merge(ranges: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else merged.push([from, to])
  }
  return merged
}

/** How a server may spell a text, each with the length of what shows eight characters of it. */
function formsOf(text: string): [form: string, length: number][] {
  const bytes = [...Buffer.from(text)]
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'))
  return [
    [text, window],
    [encodeURIComponent(text), window],
    [text.replace(/[&<>"']/g, (character) => entities[character] ?? ''), window],
    ...['', 'x', '0x', 'u00'].map((before): [string, number] => [
      hex.map((pair) => before + pair).join(''),
      window * (before.length + 2),
    ]),
    [bytes.join(''), 2 * window],
    ...[0, 1, 2].map((shift): [string, number] => [base64Of(text, shift), 11]),
  ]
}

const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '39' }

/** How the text looks in base64 after so many other bytes, without what depends on its neighbours. */
function base64Of(text: string, shift: number): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)])
  return bytes.toString('base64').slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6))
}

const bare = (text: string) => text.replace(/[^a-z0-9]/gi, '').toLowerCase()

const reverse = (text: string) => text.split('').reverse().join('')
