import type { Kind, Kinds } from '../../../fixtures/records.ts'
import { type Awaitable, andThen } from '../../../lib/async.ts'
import { inSteps, type Loop, mapSlices, newPause, stepsFor, stepsInARow } from '../../../lib/pause.ts'
import { type Index, type IndexOf, indexes } from '../indexes.ts'
import type { Change, StepOfRecord } from '../write-ahead-log.ts'
import type { Page, Part, RecordsOf } from '../port.ts'

/** The records of one kind of one team, by id and by the values of each index. */
export class MemoryRecords<K extends Kind> implements RecordsOf<K> {
  readonly #kind: K
  readonly #note: (change: Change<K>) => void
  readonly #loop: Loop
  readonly #byId = new Map<string, Filed<Kinds[K]>>()
  readonly #byName = new Map<string, RecordIndex<Kinds[K]>>()
  /** The indexes that were used: each is built on its first use, so that a start does not build them all. */
  readonly #indexes: RecordIndex<Kinds[K]>[] = []
  #lastPlace = 0
  /** Whether `#byId` has the order of creation; not after a removal was undone. */
  #isInOrder = true

  /** Each change is noted before it is made; `note` throws where a change is not allowed. */
  constructor(kind: K, note: (change: Change<K>) => void, loop: Loop) {
    this.#kind = kind
    this.#note = note
    this.#loop = loop
  }

  get size(): number {
    return this.#byId.size
  }

  get(id: string): Kinds[K] | undefined {
    return this.#byId.get(id)?.record
  }

  getMany(ids: readonly string[]): Awaitable<readonly Kinds[K][]> {
    return mapSlices(ids, (slice) =>
      slice.map((id) => this.#byId.get(id)?.record).filter((record) => record !== undefined),
    )
  }

  find(index: IndexOf<K>, value: string): Awaitable<readonly Kinds[K][]> {
    return andThen(this.#index(index), (built) => mapSlices(built.all(value), recordsIn))
  }

  first(index: IndexOf<K>, value: string): Awaitable<Kinds[K] | undefined> {
    return andThen(this.#index(index), (built) => built.first(value)?.record)
  }

  last(index: IndexOf<K>, value: string): Awaitable<Kinds[K] | undefined> {
    return andThen(this.#index(index), (built) => built.last(value)?.record)
  }

  page(index: IndexOf<K>, values: readonly string[], part: Part): Awaitable<Page<Kinds[K]>> {
    return andThen(this.#index(index), (built) => pageOf(listsOf(built, values), part))
  }

  count(index: IndexOf<K>, values: readonly string[]): Awaitable<number> {
    return andThen(this.#index(index), (built) => lengthOf(listsOf(built, values)))
  }

  insert(record: Kinds[K]): void {
    this.#insert(record)
  }

  insertAll(records: readonly Kinds[K][]): Promise<void> {
    return this.#loop(records, (record) => this.#insert(record))
  }

  replace(record: Kinds[K]): void {
    const filed = this.#byId.get(record._id)
    if (!filed) throw new Error(`${this.#kind} ${record._id} does not exist`)
    this.#note({ kind: this.#kind, id: record._id, place: filed.place, was: filed.record, is: record })
    this.#refile(filed, record)
  }

  remove(id: string): void {
    const filed = this.#byId.get(id)
    if (filed) this.#remove(filed)
  }

  async removeWhere(index: IndexOf<K>, value: string): Promise<number> {
    // The newest first, since the end of a list is removed faster than its start.
    const found = (await this.#index(index)).all(value).toReversed()
    await this.#loop(found, (filed) => this.#remove(filed))
    return found.length
  }

  /** In the order of creation. */
  async all(): Promise<readonly Kinds[K][]> {
    const filed = [...this.#byId.values()]
    return mapSlices(this.#isInOrder ? filed : filed.sort(byPlace), recordsIn)
  }

  /** In the order of creation, without what the running transaction has changed. Copied at once, since others may change. */
  committed(running: readonly Change[]): readonly Kinds[K][] {
    const before = new Map<string, Change<K>>()
    for (const change of running)
      if (change.kind === this.#kind && !before.has(change.id)) before.set(change.id, change as Change<K>)
    if (before.size === 0 && this.#isInOrder) return Array.from(this.#byId.values(), ({ record }) => record)
    const filed: Filed<Kinds[K]>[] = [...this.#byId.values()].filter(({ record }) => !before.has(record._id))
    for (const { place, was } of before.values()) if (was) filed.push({ place, record: was })
    return recordsIn(filed.sort(byPlace))
  }

  /** Repeats a step of the log. Throws when it contradicts the records. */
  replay(step: StepOfRecord): void {
    const id = 'remove' in step ? step.id : step.record._id
    const filed = this.#byId.get(id)
    if ('insert' in step) {
      if (filed) throw new Error(`there are two ${id} in ${this.#kind}`)
      this.fill(step.record as Kinds[K])
    } else if (!filed) throw new Error(`there is no ${id} in ${this.#kind}`)
    else if ('replace' in step) this.#refile(filed, step.record as Kinds[K])
    else this.#unfile(filed)
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

  #remove(filed: Filed<Kinds[K]>): void {
    const { place, record } = filed
    this.#note({ kind: this.#kind, id: record._id, place, was: record, is: undefined })
    this.#unfile(filed)
  }

  #file(filed: Filed<Kinds[K]>): void {
    if (filed.place < this.#lastPlace) this.#isInOrder = false
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

  #index(name: IndexOf<K>): Awaitable<RecordIndex<Kinds[K]>> {
    const used = this.#byName.get(name)
    if (used) return used.building ?? used
    const declared = indexes[this.#kind] as Readonly<Record<string, Index<Kinds[K]>>>
    const index = new RecordIndex(declared[name] ?? (() => []))
    this.#byName.set(name, index)
    this.#indexes.push(index)
    return index.build(this.#byId)
  }
}

/** A record at its place in the order of creation. The place stays when the record is replaced. */
interface Filed<Record> {
  readonly place: number
  record: Record
}

const byPlace = (one: Filed<unknown>, other: Filed<unknown>) => one.place - other.place

const recordsIn = <Record>(all: readonly Filed<Record>[]) => all.map(({ record }) => record)

/** In the order of creation. */
type List<Record> = readonly Filed<Record>[]

/** For each value of an index the records that have it, in the order of creation. */
class RecordIndex<Record extends object> {
  /** Resolves once the index has all records. Each change of a record updates the index before that too. */
  building: Promise<this> | undefined
  readonly #valuesOf: Index<Record>
  /** Most values find one record; a list of one takes more memory than all the rest. */
  readonly #found = new Map<string, Filed<Record> | Filed<Record>[]>()

  constructor(valuesOf: Index<Record>) {
    this.#valuesOf = valuesOf
  }

  first(value: string): Filed<Record> | undefined {
    const found = this.#found.get(value)
    return Array.isArray(found) ? found[0] : found
  }

  last(value: string): Filed<Record> | undefined {
    const found = this.#found.get(value)
    return Array.isArray(found) ? found.at(-1) : found
  }

  all(value: string): List<Record> {
    const found = this.#found.get(value)
    if (found === undefined) return []
    return Array.isArray(found) ? found : [found]
  }

  /** Adds all records; for a large team in steps, so that other requests run between. */
  build(records: ReadonlyMap<string, Filed<Record>>): Awaitable<this> {
    if (records.size > stepsInARow) return (this.building = this.#buildInSteps(records))
    for (const filed of records.values()) this.add(filed)
    return this
  }

  async #buildInSteps(records: ReadonlyMap<string, Filed<Record>>): Promise<this> {
    const pause = newPause()
    for (const filed of records.values()) {
      this.add(filed)
      const paused = pause(stepsFor(filed.record))
      if (paused) await paused
    }
    this.building = undefined
    return this
  }

  /** Does nothing if it was added before. */
  add(filed: Filed<Record>): void {
    for (const value of this.#valuesOf(filed.record)) this.#addTo(value, filed)
  }

  /** Does nothing if it was not added yet. */
  remove(filed: Filed<Record>): void {
    for (const value of this.#valuesOf(filed.record)) this.#removeFrom(value, filed)
  }

  /** Finds the record by the values of `next`, which is about to replace it. */
  move(filed: Filed<Record>, next: Record): void {
    const [old, present] = [this.#valuesOf(filed.record), this.#valuesOf(next)]
    if (old.length === present.length && old.every((value, at) => value === present[at])) return
    const [before, after] = [new Set(old), new Set(present)]
    for (const value of before) if (!after.has(value)) this.#removeFrom(value, filed)
    for (const value of after) if (!before.has(value)) this.#addTo(value, filed)
  }

  #addTo(value: string, filed: Filed<Record>): void {
    const found = this.#found.get(value)
    if (found === undefined) this.#found.set(value, filed)
    else if (Array.isArray(found)) addTo(found, filed)
    else if (found !== filed) this.#found.set(value, found.place < filed.place ? [found, filed] : [filed, found])
  }

  #removeFrom(value: string, filed: Filed<Record>): void {
    const found = this.#found.get(value)
    if (Array.isArray(found)) removeFrom(found, filed)
    if (found === filed || (Array.isArray(found) && found.length === 0)) this.#found.delete(value)
  }
}

function addTo<Record>(list: Filed<Record>[], filed: Filed<Record>): void {
  const position = positionOf(filed.place, list)
  if (position === list.length) list.push(filed)
  else if (list[position] !== filed) list.splice(position, 0, filed)
}

function removeFrom<Record>(list: Filed<Record>[], filed: Filed<Record>): void {
  const position = positionOf(filed.place, list)
  if (list[position] !== filed) return
  if (position === 0)
    list.shift() // does not move the others, as `splice` does: the oldest of thousands of stored responses is removed often
  else list.splice(position, 1)
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

const lengthOf = (lists: readonly List<unknown>[]) => lists.reduce((sum, list) => sum + list.length, 0)

const listsOf = <Record extends object>(index: RecordIndex<Record>, values: readonly string[]) =>
  [...new Set(values)].map((value) => index.all(value))

/** A part of several lists as if they were one. */
function pageOf<Record>(lists: readonly List<Record>[], { skip, take, order }: Part): Awaitable<Page<Record>> {
  const total = lengthOf(lists)
  const [from, to] =
    order === 'oldestFirst'
      ? [Math.min(skip, total), Math.min(skip + take, total)]
      : [Math.max(0, total - skip - take), Math.max(0, total - skip)]
  return andThen(between(from, to, lists, total), (found) =>
    andThen(mapSlices(order === 'oldestFirst' ? found : found.toReversed(), recordsIn), (records) => ({
      total,
      records,
    })),
  )
}

/** The records `from` to `to` of all lists together, read from the end that is nearer. */
function between<Record>(
  from: number,
  to: number,
  lists: readonly List<Record>[],
  total: number,
): Awaitable<List<Record>> {
  const [only, ...others] = lists
  if (only && others.length === 0) return only.slice(from, to)
  return from < total - to
    ? andThen(merged(to, lists, 1), (found) => found.slice(from))
    : andThen(merged(total - from, lists, -1), (found) => found.slice(total - to).reverse())
}

/** The first so many records of all lists together, from their starts or, for the step -1, from their ends. */
const merged = <Record>(count: number, lists: readonly List<Record>[], step: 1 | -1): Awaitable<Filed<Record>[]> =>
  count <= stepsInARow ? [...inOrder(count, lists, step)] : mergedInSteps(count, lists, step)

async function mergedInSteps<Record>(count: number, lists: readonly List<Record>[], step: 1 | -1) {
  const found: Filed<Record>[] = []
  for await (const next of inSteps(inOrder(count, lists, step))) found.push(next)
  return found
}

function* inOrder<Record>(count: number, lists: readonly List<Record>[], step: 1 | -1): Generator<Filed<Record>> {
  const positions = lists.map((list) => (step === 1 ? 0 : list.length - 1))
  for (let found = 0; found < count; found++) {
    let next: Filed<Record> | undefined
    let from = 0
    for (const [which, list] of lists.entries()) {
      const candidate = list[positions[which] ?? 0]
      if (candidate === undefined || (next && (candidate.place - next.place) * step > 0)) continue
      next = candidate
      from = which
    }
    if (!next) return
    yield next
    positions[from] = (positions[from] ?? 0) + step
  }
}
