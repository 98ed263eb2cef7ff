/** How much is kept. */
export interface Bounds {
  readonly count: number
  readonly bytes: number
}

/** Keeps the latest items, within bounds. An item has a number, which goes up and is never given twice. */
export class Latest<Item> {
  readonly #bounds: Bounds
  /** Each number has its slot, which the number that is `count` higher takes over. */
  readonly #items: (Item | undefined)[] = []
  readonly #sizes: number[] = []
  #first = 0
  #next = 0
  #bytes = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** The number of the oldest item that is kept. */
  get first(): number {
    return this.#first
  }

  /** The number that the next item will have. */
  get next(): number {
    return this.#next
  }

  get bytes(): number {
    return this.#bytes
  }

  get(number: number): Item | undefined {
    return number >= this.#first && number < this.#next ? this.#items[number % this.#bounds.count] : undefined
  }

  add(item: Item, bytes: number): void {
    if (this.#next - this.#first === this.#bounds.count) this.#dropOldest()
    const slot = this.#next++ % this.#bounds.count
    this.#items[slot] = item
    this.#sizes[slot] = bytes
    this.#bytes += bytes
    while (this.#bytes > this.#bounds.bytes && this.#next - this.#first > 1) this.#dropOldest()
  }

  clear(): void {
    while (this.#first < this.#next) this.#dropOldest()
  }

  /** From the oldest to the latest. */
  *[Symbol.iterator](): Generator<Item> {
    for (let number = this.#first; number < this.#next; number++) {
      const item = this.get(number)
      if (item !== undefined) yield item
    }
  }

  #dropOldest(): void {
    const slot = this.#first++ % this.#bounds.count
    this.#bytes -= this.#sizes[slot] ?? 0
    this.#items[slot] = undefined
  }
}
