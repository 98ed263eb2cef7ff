import type { Index } from '../indexes.ts'
import type { Page, Part } from '../port.ts'

/** A record at its place in the order of creation. The place stays when the record is replaced. */
export interface Filed<Record> {
  readonly place: number
  record: Record
}

/** In the order of creation. */
type List<Record> = readonly Filed<Record>[]

/** For each value of an index the records that have it, in the order of creation. */
export class RecordIndex<Record> {
  readonly #index: Index<Record>
  /** Most values find one record; a list of one takes more memory than all the rest. */
  readonly #found = new Map<string, Filed<Record> | Filed<Record>[]>()

  constructor(index: Index<Record>) {
    this.#index = index
  }

  first(value: string): Filed<Record> | undefined {
    const found = this.#found.get(value)
    return Array.isArray(found) ? found[0] : found
  }

  all(value: string): List<Record> {
    const found = this.#found.get(value)
    if (found === undefined) return []
    return Array.isArray(found) ? found : [found]
  }

  add(filed: Filed<Record>): void {
    for (const value of this.#index.valuesOf(filed.record)) this.#addTo(value, filed)
  }

  remove(filed: Filed<Record>): void {
    for (const value of this.#index.valuesOf(filed.record)) this.#removeFrom(value, filed)
  }

  /** Finds the record by the values of `next`, which is about to replace it. */
  move(filed: Filed<Record>, next: Record): void {
    const { fields, valuesOf } = this.#index
    if (fields.every((field) => filed.record[field] === next[field])) return
    const before = new Set(valuesOf(filed.record))
    const after = new Set(valuesOf(next))
    for (const value of before) if (!after.has(value)) this.#removeFrom(value, filed)
    for (const value of after) if (!before.has(value)) this.#addTo(value, filed)
  }

  #addTo(value: string, filed: Filed<Record>): void {
    const found = this.#found.get(value)
    if (found === undefined) this.#found.set(value, filed)
    else if (Array.isArray(found)) addTo(found, filed)
    else this.#found.set(value, found.place < filed.place ? [found, filed] : [filed, found])
  }

  #removeFrom(value: string, filed: Filed<Record>): void {
    const found = this.#found.get(value)
    if (Array.isArray(found)) found.splice(positionOf(filed.place, found), 1)
    if (!Array.isArray(found) || found.length === 0) this.#found.delete(value)
  }
}

function addTo<Record>(list: Filed<Record>[], filed: Filed<Record>): void {
  const position = positionOf(filed.place, list)
  if (position === list.length) list.push(filed)
  else list.splice(position, 0, filed)
}

/** The number of records in the list before this place. */
function positionOf(place: number, list: List<unknown>): number {
  if (place > (list.at(-1)?.place ?? 0)) return list.length
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle]?.place ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}

export const lengthOf = (lists: readonly List<unknown>[]) => lists.reduce((sum, list) => sum + list.length, 0)

/** A part of several lists as if they were one. */
export function pageOf<Record>(lists: readonly List<Record>[], { skip, take, order }: Part): Page<Record> {
  const total = lengthOf(lists)
  const [from, to] =
    order === 'oldestFirst'
      ? [Math.min(skip, total), Math.min(skip + take, total)]
      : [Math.max(0, total - skip - take), Math.max(0, total - skip)]
  const records = between(from, to, lists, total).map(({ record }) => record)
  return { total, records: order === 'oldestFirst' ? records : records.reverse() }
}

/** The records `from` to `to` of all lists together, read from the end that is nearer. */
function between<Record>(from: number, to: number, lists: readonly List<Record>[], total: number): List<Record> {
  const [only, ...others] = lists
  if (only && others.length === 0) return only.slice(from, to)
  return from < total - to
    ? merged(to, lists, 1).slice(from)
    : merged(total - from, lists, -1)
        .slice(total - to)
        .reverse()
}

/** The first so many records of all lists together, from their starts or, for the step -1, from their ends. */
function merged<Record>(count: number, lists: readonly List<Record>[], step: 1 | -1): Filed<Record>[] {
  const positions = lists.map((list) => (step === 1 ? 0 : list.length - 1))
  const found: Filed<Record>[] = []
  while (found.length < count) {
    let next: Filed<Record> | undefined
    let from = 0
    for (const [which, list] of lists.entries()) {
      const candidate = list[positions[which] ?? 0]
      if (candidate === undefined || (next && (candidate.place - next.place) * step > 0)) continue
      next = candidate
      from = which
    }
    if (!next) break
    found.push(next)
    positions[from] = (positions[from] ?? 0) + step
  }
  return found
}
