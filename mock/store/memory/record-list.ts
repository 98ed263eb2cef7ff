/** A record at its place in the order of creation. The place stays, the record is replaced. */
export interface Filed<Record> {
  readonly place: number
  record: Record
}

const fewestFreed = 32

/**
 * Records in the order of creation. To add the newest or to remove the oldest takes the same time however long the list
 * is: `shift` would move all the others.
 */
export class RecordList<Record> {
  /** Those before `#start` have been removed. */
  #slots: (Filed<Record> | undefined)[]
  #start = 0

  constructor(...filed: Filed<Record>[]) {
    this.#slots = filed
  }

  /** The same list of these copies. */
  copy(copyOf: (filed: Filed<Record>) => Filed<Record>): RecordList<Record> {
    const copy = new RecordList<Record>()
    copy.#slots = this.#slots.map((filed) => filed && copyOf(filed))
    copy.#start = this.#start
    return copy
  }

  get length(): number {
    return this.#slots.length - this.#start
  }

  at(position: number): Filed<Record> | undefined {
    return this.#slots[this.#start + position]
  }

  slice(from = 0, to = this.length): Filed<Record>[] {
    return this.#slots.slice(this.#start + from, this.#start + to).filter((filed) => filed !== undefined)
  }

  add(filed: Filed<Record>): void {
    const position = this.positionOf(filed.place)
    if (position === this.length) this.#slots.push(filed)
    else if (position === 0 && this.#start > 0) this.#slots[--this.#start] = filed
    else this.#slots.splice(this.#start + position, 0, filed)
  }

  remove({ place }: Filed<Record>): void {
    const position = this.positionOf(place)
    if (position === 0) this.#removeFirst()
    else this.#slots.splice(this.#start + position, 1)
  }

  /** How many records of the list come before the place. It is known to be one of `from` to `to`. */
  positionOf(place: number, from = 0, to = this.length): number {
    if (to === this.length && place > (this.at(to - 1)?.place ?? 0)) return to
    let low = from
    let high = to
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.at(middle)?.place ?? 0) < place) low = middle + 1
      else high = middle
    }
    return low
  }

  #removeFirst(): void {
    this.#slots[this.#start++] = undefined
    if (this.#start < fewestFreed || 2 * this.#start < this.#slots.length) return
    this.#slots = this.#slots.slice(this.#start)
    this.#start = 0
  }
}
