import { setImmediate } from 'node:timers/promises'
import type { Kind, Kinds } from '../../../fixtures/records.ts'
import { type Index, type IndexOf, indexes } from '../indexes.ts'
import type { Change } from '../journal.ts'
import type { Page, Part, RecordsOf } from '../port.ts'
import { type Filed, lengthOf, pageOf, RecordIndex } from './record-index.ts'

/** How many records are added or removed before other requests are answered. */
export const changedAtOnce = 1_000

/** The records of one kind of one team, by id and by the values of each index. */
export class MemoryRecords<K extends Kind> implements RecordsOf<K> {
  readonly #kind: K
  readonly #note: (change: Change<K>) => void
  readonly #byId = new Map<string, Filed<Kinds[K]>>()
  readonly #byName: ReadonlyMap<string, RecordIndex<Kinds[K]>>
  readonly #indexes: readonly RecordIndex<Kinds[K]>[]
  #lastPlace = 0

  /** Each change is noted before it is made; `note` throws where a change is not allowed. */
  constructor(kind: K, note: (change: Change<K>) => void) {
    this.#kind = kind
    this.#note = note
    const declared = Object.entries(indexes[kind]) as [string, Index<Kinds[K]>][]
    this.#byName = new Map(declared.map(([name, index]) => [name, new RecordIndex(index)]))
    this.#indexes = [...this.#byName.values()]
  }

  get size(): number {
    return this.#byId.size
  }

  async get(id: string): Promise<Kinds[K] | undefined> {
    return this.#byId.get(id)?.record
  }

  async getMany(ids: readonly string[]): Promise<readonly Kinds[K][]> {
    return ids.map((id) => this.#byId.get(id)?.record).filter((record) => record !== undefined)
  }

  async find(index: IndexOf<K>, value: string): Promise<readonly Kinds[K][]> {
    return this.#all(index, value).map(({ record }) => record)
  }

  async first(index: IndexOf<K>, value: string): Promise<Kinds[K] | undefined> {
    return this.#byName.get(index)?.first(value)?.record
  }

  async page(index: IndexOf<K>, values: readonly string[], part: Part): Promise<Page<Kinds[K]>> {
    return pageOf(this.#lists(index, values), part)
  }

  async count(index: IndexOf<K>, values: readonly string[]): Promise<number> {
    return lengthOf(this.#lists(index, values))
  }

  async insert(record: Kinds[K]): Promise<void> {
    this.#insert(record)
  }

  async insertAll(records: readonly Kinds[K][]): Promise<void> {
    for (const record of records) this.#insert(record)
  }

  async replace(record: Kinds[K]): Promise<void> {
    this.#replace(record)
  }

  async remove(id: string): Promise<void> {
    const filed = this.#byId.get(id)
    if (filed) this.#remove(filed)
  }

  async removeWhere(index: IndexOf<K>, value: string): Promise<number> {
    // The newest first, since the end of a list is removed faster than its start.
    const found = this.#all(index, value).toReversed()
    for (const [at, filed] of found.entries()) {
      if (at > 0 && at % changedAtOnce === 0) await setImmediate()
      this.#remove(filed)
    }
    return found.length
  }

  /** In the order of creation. */
  all(): Kinds[K][] {
    return [...this.#byId.values()].sort((one, other) => one.place - other.place).map(({ record }) => record)
  }

  /** Makes a change that was noted before, or undoes one. */
  apply({ id, place, is }: Change<K>): void {
    const filed = this.#byId.get(id)
    if (filed && is) this.#refile(filed, is)
    else if (filed) this.#unfile(filed)
    else if (is) this.#file({ place, record: is })
  }

  /** Adds the first records, which no transaction sees yet. */
  fill(record: Kinds[K]): void {
    this.#file({ place: this.#lastPlace + 1, record })
  }

  #insert(record: Kinds[K]): void {
    const { _id: id } = record
    if (this.#byId.has(id)) throw new Error(`${this.#kind} ${id} exists already`)
    const place = this.#lastPlace + 1
    this.#note({ kind: this.#kind, id, place, was: undefined, is: record })
    this.#file({ place, record })
  }

  #replace(record: Kinds[K]): void {
    const filed = this.#byId.get(record._id)
    if (!filed) throw new Error(`${this.#kind} ${record._id} does not exist`)
    this.#note({ kind: this.#kind, id: record._id, place: filed.place, was: filed.record, is: record })
    this.#refile(filed, record)
  }

  #remove(filed: Filed<Kinds[K]>): void {
    const { place, record } = filed
    this.#note({ kind: this.#kind, id: record._id, place, was: record, is: undefined })
    this.#unfile(filed)
  }

  #file(filed: Filed<Kinds[K]>): void {
    this.#lastPlace = Math.max(this.#lastPlace, filed.place)
    this.#byId.set(filed.record._id, filed)
    for (const index of this.#indexes) index.add(filed)
  }

  #refile(filed: Filed<Kinds[K]>, record: Kinds[K]): void {
    for (const index of this.#indexes) index.move(filed, record)
    filed.record = record
  }

  #unfile(filed: Filed<Kinds[K]>): void {
    this.#byId.delete(filed.record._id)
    for (const index of this.#indexes) index.remove(filed)
  }

  #all(index: IndexOf<K>, value: string): readonly Filed<Kinds[K]>[] {
    return this.#byName.get(index)?.all(value) ?? []
  }

  #lists(index: IndexOf<K>, values: readonly string[]) {
    return [...new Set(values)].map((value) => this.#all(index, value))
  }
}
