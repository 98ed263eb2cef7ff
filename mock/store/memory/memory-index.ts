import type { Index } from '../indexes.ts'
import { TextMap } from './text-map.ts'
import { type Filed, RecordList } from './record-list.ts'

/** For each value of an index the records that have it, in the order of creation. */
export class MemoryIndex<Record> {
  readonly #index: Index<Record>
  /** Most values find one record. It gets no list of its own, which would take more memory than all the rest. */
  #found = new TextMap<Filed<Record> | RecordList<Record>>()

  constructor(index: Index<Record>) {
    this.#index = index
  }

  /** Finds these copies by all the values that another index finds the originals by. */
  copyFrom(other: MemoryIndex<Record>, copyOf: (filed: Filed<Record>) => Filed<Record>): void {
    this.#found = other.#found.copy((found) => (found instanceof RecordList ? found.copy(copyOf) : copyOf(found)))
  }

  first(value: string): Filed<Record> | undefined {
    const found = this.#found.get(value)
    return found instanceof RecordList ? found.at(0) : found
  }

  all(value: string): Filed<Record>[] {
    const found = this.#found.get(value)
    if (found === undefined) return []
    return found instanceof RecordList ? found.slice() : [found]
  }

  /** Undefined when no record has the value. */
  list(value: string): RecordList<Record> | undefined {
    const found = this.#found.get(value)
    return found === undefined || found instanceof RecordList ? found : new RecordList(found)
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
    const found = this.#found.add(value, filed)
    if (found === undefined) return
    if (found instanceof RecordList) found.add(filed)
    else this.#found.set(value, found.place < filed.place ? new RecordList(found, filed) : new RecordList(filed, found))
  }

  #removeFrom(value: string, filed: Filed<Record>): void {
    const found = this.#found.get(value)
    if (found instanceof RecordList) found.remove(filed)
    if (!(found instanceof RecordList) || found.length === 0) this.#found.delete(value)
  }
}
