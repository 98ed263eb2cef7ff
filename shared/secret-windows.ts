/** So many characters of a secret in a row are hidden, wherever the rest of it is. */
const window = 8

/** Secrets that are shorter are part of too many words. */
const shortest = 6

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
    if (bare(secret).length < shortest) return
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
    const ranges = this.#rangesIn(cut)
    let redacted = ''
    let end = 0
    for (const [from, to] of ranges) {
      redacted += `${cut.slice(end, from)}[redacted]`
      end = to
    }
    return redacted + cut.slice(end)
  }

  /** What must be hidden, in order; none touches the next. */
  #rangesIn(text: string): [from: number, to: number][] {
    const places = [...text.matchAll(/[a-z0-9]/gi)].map(({ index }) => index)
    const letters = bare(text)
    const hidden = new Uint8Array(letters.length)
    for (const [length, windows] of this.#windows)
      for (let start = 0; start + length <= letters.length; start++)
        if (windows.has(letters.slice(start, start + length))) hidden.fill(1, start, start + length)
    const ranges: [number, number][] = []
    for (const [index, place] of places.entries()) {
      if (hidden[index] !== 1) continue
      const last = ranges.at(-1)
      if (last && hidden[index - 1] === 1) last[1] = place + 1
      else ranges.push([place, place + 1])
    }
    return ranges
  }
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
