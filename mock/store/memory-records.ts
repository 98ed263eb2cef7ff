import type { Kind, Kinds } from '../../fixtures/records.ts'
import { type IndexOf, indexes } from './indexes.ts'
import { type Filed, type Lists, MemoryIndex, partOf } from './memory-index.ts'
import { TextMap } from './text-map.ts'
import type { Page, Part, RecordsOf } from './store.ts'

/** One record that changed: what it was and what it became. Swap the two to undo it. */
export interface Change<K extends Kind = Kind> {
  readonly kind: K
  readonly id: string
  /** The record's place in the order of creation, which an update does not change. */
  readonly place: number
  readonly was: Kinds[K] | undefined
  readonly is: Kinds[K] | undefined
}

/** The records of one kind of one team: a map by id, and a list for each value of each index. */
export class MemoryRecords<K extends Kind> implements RecordsOf<K> {
  readonly #kind: K
  readonly #noted: (change: Change<K>) => void
  readonly #byId = new TextMap<Filed<Kinds[K]>>()
  readonly #indexes: ReadonlyMap<string, MemoryIndex<Kinds[K]>>
  #lastPlace = 0

  /** Each change is noted before it is made, so that whoever keeps the notes may refuse or undo it. */
  constructor(kind: K, noted: (change: Change<K>) => void) {
    this.#kind = kind
    this.#noted = noted
    const declared = Object.entries(indexes[kind]) as [string, (record: Kinds[K]) => readonly string[]][]
    this.#indexes = new Map(declared.map(([name, valuesOf]) => [name, new MemoryIndex(valuesOf)]))
  }

  get size(): number {
    return this.#byId.size
  }

  async get(id: string): Promise<Kinds[K] | undefined> {
    return this.#byId.get(id)?.record
  }

  async find(index: IndexOf<K>, value: string): Promise<readonly Kinds[K][]> {
    return (
      this.#indexes
        .get(index)
        ?.list(value)
        ?.map((filed) => filed.record) ?? []
    )
  }

  async page(index: IndexOf<K>, values: readonly string[], part: Part): Promise<Page<Kinds[K]>> {
    return partOf(this.#lists(index, values), part)
  }

  async insert(record: Kinds[K]): Promise<void> {
    if (this.#byId.has(record._id)) throw new Error(`${this.#kind} ${record._id} is there already`)
    const place = this.#lastPlace + 1
    this.#noted({ kind: this.#kind, id: record._id, place, was: undefined, is: record })
    this.#file({ place, record })
  }

  async replace(record: Kinds[K]): Promise<void> {
    const filed = this.#byId.get(record._id)
    if (!filed) throw new Error(`${this.#kind} ${record._id} is not there`)
    this.#noted({ kind: this.#kind, id: record._id, place: filed.place, was: filed.record, is: record })
    this.#refile(filed, record)
  }

  async remove(id: string): Promise<void> {
    const filed = this.#byId.get(id)
    if (!filed) return
    this.#noted({ kind: this.#kind, id, place: filed.place, was: filed.record, is: undefined })
    this.#unfile(filed)
  }

  /** In the order of creation. */
  all(): Kinds[K][] {
    return this.#byId
      .values()
      .sort((one, other) => one.place - other.place)
      .map((filed) => filed.record)
  }

  apply({ id, place, is }: Change<K>): void {
    const filed = this.#byId.get(id)
    if (filed && is) this.#refile(filed, is)
    else if (filed) this.#unfile(filed)
    else if (is) this.#file({ place, record: is })
  }

  #file(filed: Filed<Kinds[K]>): void {
    this.#lastPlace = Math.max(this.#lastPlace, filed.place)
    this.#byId.set(filed.record._id, filed)
    for (const index of this.#indexes.values()) index.add(filed)
  }

  #refile(filed: Filed<Kinds[K]>, record: Kinds[K]): void {
    for (const index of this.#indexes.values()) index.move(filed, record)
    filed.record = record
  }

  #unfile(filed: Filed<Kinds[K]>): void {
    this.#byId.delete(filed.record._id)
    for (const index of this.#indexes.values()) index.remove(filed)
  }

  #lists(index: IndexOf<K>, values: readonly string[]): Lists<Kinds[K]> {
    const different = values.length > 1 ? [...new Set(values)] : values
    const lists = different.map((value) => this.#indexes.get(index)?.list(value))
    return lists.filter((list) => list !== undefined)
  }
}
