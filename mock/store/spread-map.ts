/** As many as that are held together; then they are spread. */
const fewest = 16_384
const parts = 8

/**
 * A map of texts that never stops for long to grow. A plain map copies all that it holds whenever it is full, and with a quarter of
 * a million records everybody waits a tenth of a second; this one becomes eight, each of which grows on its own.
 */
export class SpreadMap<Value> {
  readonly #first = new Map<string, Value>()
  #parts: readonly Map<string, Value>[] = [this.#first]
  #size = 0

  get size(): number {
    return this.#size
  }

  has(text: string): boolean {
    return this.#partOf(text).has(text)
  }

  get(text: string): Value | undefined {
    return this.#partOf(text).get(text)
  }

  set(text: string, value: Value): void {
    const part = this.#partOf(text)
    const before = part.size
    part.set(text, value)
    this.#size += part.size - before
    if (this.#size > fewest && this.#parts.length === 1) this.#spread()
  }

  delete(text: string): void {
    if (this.#partOf(text).delete(text)) this.#size--
  }

  /** In no order. */
  values(): Value[] {
    return this.#parts.flatMap((part) => [...part.values()])
  }

  #partOf(text: string): Map<string, Value> {
    return (this.#parts.length === 1 ? undefined : this.#parts[hashOf(text) % parts]) ?? this.#first
  }

  #spread(): void {
    const all = [...this.#first]
    this.#first.clear()
    const others = Array.from({ length: parts - 1 }, () => new Map<string, Value>())
    this.#parts = [this.#first, ...others]
    for (const [text, value] of all) this.#partOf(text).set(text, value)
  }
}

/** Of every second letter of the last ones: there ids, numbers and addresses are unlike each other. */
function hashOf(text: string): number {
  const first = Math.max(0, text.length - 24)
  let hash = 0
  for (let at = text.length - 1; at >= first; at -= 2) hash = (hash * 31 + text.charCodeAt(at)) | 0
  // Ids that follow one another would fill all parts evenly, and then they would all grow at once.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
