import { TextMap } from './text-map.ts'
import type { Page, Part } from './store.ts'

/** A record at its place in the order of creation. The place stays, the record is replaced. */
export interface Filed<Record> {
  readonly place: number
  record: Record
}

type List<Record> = readonly Filed<Record>[]
export type Lists<Record> = readonly List<Record>[]

/** For each value the records that are found by it, in the order of creation. */
export class MemoryIndex<Record> {
  readonly #valuesOf: (record: Record) => readonly string[]
  /** Most values find one record, and then no list is made for it: at a million records that is the larger half. */
  readonly #lists = new TextMap<Filed<Record> | Filed<Record>[]>()

  constructor(valuesOf: (record: Record) => readonly string[]) {
    this.#valuesOf = valuesOf
  }

  list(value: string): List<Record> | undefined {
    const found = this.#lists.get(value)
    return found === undefined || Array.isArray(found) ? found : [found]
  }

  add(filed: Filed<Record>): void {
    for (const value of this.#valuesOf(filed.record)) this.#addTo(value, filed)
  }

  remove(filed: Filed<Record>): void {
    for (const value of this.#valuesOf(filed.record)) this.#removeFrom(value, filed)
  }

  /** To where `next` is found, before it replaces the record. */
  move(filed: Filed<Record>, next: Record): void {
    const before = this.#valuesOf(filed.record)
    const after = this.#valuesOf(next)
    for (const value of before) if (!after.includes(value)) this.#removeFrom(value, filed)
    for (const value of after) if (!before.includes(value)) this.#addTo(value, filed)
  }

  #addTo(value: string, filed: Filed<Record>): void {
    const found = this.#lists.add(value, filed)
    if (found === undefined) return
    if (!Array.isArray(found)) this.#lists.set(value, found.place < filed.place ? [found, filed] : [filed, found])
    else if (isAfterAll(found, filed.place)) found.push(filed)
    else found.splice(positionOf(found, filed.place), 0, filed)
  }

  #removeFrom(value: string, filed: Filed<Record>): void {
    const found = this.#lists.get(value)
    // What is kept up to a number goes oldest first: `shift` moves where a list begins, `splice` all that is in it.
    if (Array.isArray(found) && found[0] === filed) found.shift()
    else if (Array.isArray(found)) found.splice(positionOf(found, filed.place), 1)
    if (!Array.isArray(found) || found.length === 0) this.#lists.delete(value)
  }
}

/** A part of several lists as if they were one, in the order of creation. */
export function partOf<Record>(lists: Lists<Record>, { skip, take, order }: Part): Page<Record> {
  const total = lists.reduce((sum, list) => sum + list.length, 0)
  const first = order === 'oldestFirst' ? skip : Math.max(0, total - skip - take)
  const last = order === 'oldestFirst' ? Math.min(total, skip + take) : Math.max(0, total - skip)
  const records = merged(lists, first, last).map((filed) => filed.record)
  return { total, records: order === 'oldestFirst' ? records : records.reverse() }
}

/** What stands from `first` up to `last` when the lists are merged. */
function merged<Record>(lists: Lists<Record>, first: number, last: number): Filed<Record>[] {
  if (first >= last) return []
  const [only, ...others] = lists
  if (only && others.length === 0) return only.slice(first, last)
  const heads = headsAt(lists, first)
  const found: Filed<Record>[] = []
  while (found.length < last - first) {
    const next = lowest(lists, heads)
    if (!next) break
    found.push(next)
  }
  return found
}

/** How far each list has been read when `count` records of their merger have, without reading them. */
function headsAt<Record>(lists: Lists<Record>, count: number): number[] {
  let low = 0
  let high = Math.max(...lists.map((list) => (list.at(-1)?.place ?? 0) + 1))
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const before = lists.reduce((sum, list) => sum + positionOf(list, middle), 0)
    if (before < count) low = middle + 1
    else high = middle
  }
  return lists.map((list) => positionOf(list, low))
}

/** The next record of the merger; its list's head moves on. */
function lowest<Record>(lists: Lists<Record>, heads: number[]): Filed<Record> | undefined {
  let found: Filed<Record> | undefined
  let from = 0
  lists.forEach((list, which) => {
    const candidate = list[heads[which] ?? 0]
    if (candidate && (!found || candidate.place < found.place)) {
      found = candidate
      from = which
    }
  })
  heads[from] = (heads[from] ?? 0) + 1
  return found
}

const isAfterAll = <Record>(list: List<Record>, place: number) => place > (list.at(-1)?.place ?? 0)

/** How many of the list come before the place. */
function positionOf<Record>(list: List<Record>, place: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle]?.place ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}
