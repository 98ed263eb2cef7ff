/** How much is kept. */
export interface Bounds {
  readonly count: number
  readonly bytes: number
}

/**
 * Keeps the latest texts, within bounds, each with its facts. A text has a number, which goes up and is never given
 * twice. Texts are stored as bytes, and facts are overwritten: new objects would survive several garbage collections,
 * which made a create a fifth slower.
 */
export class Latest<Facts extends object> {
  readonly #bounds: Bounds
  readonly #newFacts: () => Facts
  /** From the oldest to the latest. */
  readonly #blocks: Block[] = []
  /** Each number has its slot, which the number that is `count` higher takes over. */
  readonly #places: Place<Facts>[] = []
  #first = 0
  #next = 0
  #bytes = 0

  constructor(bounds: Bounds, newFacts: () => Facts) {
    this.#bounds = bounds
    this.#newFacts = newFacts
  }

  /** The number of the oldest text that is kept. */
  get first(): number {
    return this.#first
  }

  /** The number that the next text will have. */
  get next(): number {
    return this.#next
  }

  /** How much memory is held. */
  get bytes(): number {
    return this.#bytes
  }

  get(number: number): { readonly text: string; readonly facts: Readonly<Facts> } | undefined {
    const isKept = number >= this.#first && number < this.#next
    const place = isKept ? this.#places[number % this.#bounds.count] : undefined
    return place && { text: place.block.content.toString('utf16le', place.start, place.end), facts: place.facts }
  }

  /** Adds a text; returns its facts, which the caller overwrites. */
  add(text: string): Facts {
    const block = this.#blockWithRoom(2 * text.length)
    const start = block.used
    const end = start + block.content.write(text, start, 'utf16le')
    block.used = end
    const slot = this.#next++ % this.#bounds.count
    if (this.#next - this.#first > this.#bounds.count) this.#first++
    const place = (this.#places[slot] ??= { block, start, end, facts: this.#newFacts() })
    place.block = block
    place.start = start
    place.end = end
    return place.facts
  }

  clear(): void {
    this.#blocks.length = 0
    this.#places.length = 0
    this.#bytes = 0
    this.#first = this.#next
  }

  #blockWithRoom(size: number): Block {
    const latest = this.#blocks.at(-1)
    if (latest && latest.content.length - latest.used >= size) return latest
    const usual = Math.ceil(this.#bounds.bytes / blocksInAll)
    const block = this.#newBlock(Math.max(usual, size))
    this.#blocks.push(block)
    return block
  }

  /** Drops those that are not needed, and the oldest when there are too many; takes over the memory of the last of them. */
  #newBlock(size: number): Block {
    let freed: Buffer | undefined
    while (this.#isOldestDropped() || this.#bytes + size > this.#bounds.bytes) {
      const dropped = this.#blocks.shift()
      if (!dropped) break
      this.#bytes -= dropped.content.length
      this.#first = Math.max(this.#first, this.#blocks[0]?.first ?? this.#next)
      freed = dropped.content
      dropped.content = empty // places of dropped numbers still refer to the block
    }
    this.#bytes += size
    const content = freed?.length === size ? freed : Buffer.allocUnsafeSlow(size)
    return { content, used: 0, first: this.#next }
  }

  /** Whether all texts of the oldest block are dropped. */
  #isOldestDropped(): boolean {
    const [, second] = this.#blocks
    return second !== undefined && second.first <= this.#first
  }
}

const blocksInAll = 64

const empty = Buffer.alloc(0)

interface Block {
  content: Buffer
  used: number
  /** The number of its first text. */
  readonly first: number
}

/** Where a text stands, and its facts. */
interface Place<Facts> {
  block: Block
  start: number
  end: number
  readonly facts: Facts
}
