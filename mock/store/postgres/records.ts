import type { Kind, Kinds } from '../../../fixtures/records.ts'
import { type Index, type IndexOf, indexes } from '../indexes.ts'
import type { Page, Part, RecordsOf } from '../port.ts'
import type { NewRecord, RecordChange, StoredRecord } from './commit.ts'
import type { Row } from './database.ts'
import type { Tables } from './schema.ts'
import { isCounted, joined, keyOf, keysOf, type Sql, sql, storedId } from './sql.ts'

/** Where the records of a team come from. */
export interface Source {
  /** The condition for rows of the team. */
  readonly isOfTeam: Sql
  readonly tables: Tables
  /** All records of a kind, if this process caches them. */
  cached<K extends Kind>(kind: K): readonly Kinds[K][] | undefined
  /** The rows of a select with a column `seq`, which is null when there is none; each has the columns of `more` too. */
  rows(select: Sql, more?: Sql): Promise<readonly Row[]>
  /** Throws in a read, and after the end of a transaction. */
  throwIfReadOnly(): void
  /** Adds rows of another kind to the records that it has read. */
  add(kind: Kind, rows: readonly Row[]): void
  /** A place after all records of the database. */
  nextPlace(): number
}

/** With a longer skip, a page counts the records first, to read from the nearer end. */
const longSkip = 1_000

/** The records of one kind in an attempt: the records of the database, with the changes so far. */
export class PostgresRecords<K extends Kind> implements RecordsOf<K> {
  readonly kind: K
  /** By stored id. */
  readonly changes = new Map<string, RecordChange<K>>()
  /** Unchanged records, by stored id. */
  readonly #read = new Map<string, FoundRecord<K>>()
  readonly #source: Source
  readonly #indexes: Readonly<Record<string, Index<Kinds[K]>>>

  constructor(kind: K, source: Source) {
    this.kind = kind
    this.#source = source
    this.#indexes = indexes[kind] as Readonly<Record<string, Index<Kinds[K]>>>
  }

  async get(id: string): Promise<Kinds[K] | undefined> {
    const cached = this.#cached()
    return cached ? cached.find(({ _id }) => _id === id) : (await this.#find(storedId(id)))?.record
  }

  async getMany(ids: readonly string[]): Promise<readonly Kinds[K][]> {
    const stored = ids.map(storedId)
    const unchanged = [...new Set(stored)].filter((id) => !this.changes.has(id))
    const found = unchanged.length === 0 ? [] : await this.#rows(this.#byIds(unchanged))
    const byId = new Map(found.map(({ id, record }) => [id, record]))
    const records = stored.map((id) => (this.changes.has(id) ? this.changes.get(id)?.is?.record : byId.get(id)))
    return records.filter((record) => record !== undefined)
  }

  async find(index: IndexOf<K>, value: string): Promise<readonly Kinds[K][]> {
    const cached = this.#cached()
    if (cached) return cached.filter((record) => this.#hasValue(record, index, [value]))
    return this.#within(await this.#rows(this.#select(this.#places(index, value))), index, [value])
  }

  async first(index: IndexOf<K>, value: string): Promise<Kinds[K] | undefined> {
    return (await this.#atEnd(index, value, sql`ASC`))[0]
  }

  async last(index: IndexOf<K>, value: string): Promise<Kinds[K] | undefined> {
    return (await this.#atEnd(index, value, sql`DESC`)).at(-1)
  }

  async page(index: IndexOf<K>, values: readonly string[], { skip, take, order }: Part): Promise<Page<Kinds[K]>> {
    if (skip > longSkip) {
      const total = await this.count(index, values)
      const rest = total - skip - take
      if (rest < skip)
        return this.#fromOtherEnd(index, values, { skip: Math.max(0, rest), take: Math.min(take, total - skip), order })
    }
    return this.#page(index, values, { skip, take, order })
  }

  async count(index: IndexOf<K>, values: readonly string[]): Promise<number> {
    const [row] = await this.#source.rows(sql`SELECT 0 AS seq`, this.#total(index, values))
    return this.#totalIn(row, index, values)
  }

  async insert(record: Kinds[K]): Promise<void> {
    this.#insert(record)
  }

  async insertAll(records: readonly Kinds[K][]): Promise<void> {
    for (const record of records) this.#insert(record)
  }

  async replace(record: Kinds[K]): Promise<void> {
    this.#source.throwIfReadOnly()
    const id = storedId(record._id)
    const found = await this.#find(id)
    if (!found) throw new Error(`${this.kind} ${record._id} does not exist`)
    this.#change(id, { place: found.place, keys: keysOf(this.kind, record), record }, found)
  }

  async remove(id: string): Promise<void> {
    this.#source.throwIfReadOnly()
    const stored = storedId(id)
    const found = await this.#find(stored)
    if (found) this.#change(stored, undefined, found)
  }

  async removeWhere(index: IndexOf<K>, value: string): Promise<number> {
    this.#source.throwIfReadOnly()
    const key = keyOf(this.kind, index, value)
    const changed = [...this.changes].filter(([, { is }]) => is?.keys.includes(key))
    const rows = await this.#rows(this.#select(this.#places(index, value), sql`r.seq, r.id, r.keys`))
    const unchanged = rows.filter(({ id }) => !this.changes.has(id))
    for (const { id, ...found } of unchanged) this.#change(id, undefined, found)
    for (const [id, { is }] of changed) this.#change(id, undefined, is)
    return unchanged.length + changed.length
  }

  async #atEnd(index: IndexOf<K>, value: string, direction: Sql): Promise<readonly Kinds[K][]> {
    const places = sql`${this.#places(index, value)} ORDER BY seq ${direction} LIMIT ${1 + this.#outdated}`
    return this.#within(await this.#rows(this.#select(places)), index, [value])
  }

  #insert(record: Kinds[K]): void {
    this.#source.throwIfReadOnly()
    const id = storedId(record._id)
    // The commit refuses an id that the database has.
    if (this.changes.get(id)?.is) throw new Error(`${this.kind} ${record._id} exists already`)
    this.#change(id, { place: this.#source.nextPlace(), keys: keysOf(this.kind, record), record }, undefined)
  }

  #change(id: string, is: NewRecord<K> | undefined, found: StoredRecord<K> | undefined): void {
    const before = this.changes.get(id)
    const was = before ? before.was : found
    if (!was && !is) this.changes.delete(id)
    else this.changes.set(id, { was, is })
  }

  async #find(id: string): Promise<StoredRecord<K> | undefined> {
    const change = this.changes.get(id)
    return change ? change.is : (this.#read.get(id) ?? (await this.#readOne(id)))
  }

  /** Reads a record; with a conversation also its contact, which all who read one need. */
  async #readOne(id: string): Promise<StoredRecord<K> | undefined> {
    const one = this.#byIds([id])
    if (this.kind !== 'conversations') return (await this.#rows(one))[0]
    const { isOfTeam, tables } = this.#source
    const contactId = sql`SELECT substring(data FROM '"contactId":"([^"]+)"') FROM ${tables.records} WHERE ${isOfTeam} AND kind = 'conversations' AND id = ${id}`
    const contact = sql`SELECT r.seq, r.id, r.data, r.keys, r.kind FROM ${tables.records} r WHERE ${isOfTeam} AND r.kind = 'contacts' AND r.id = (${contactId})`
    const rows = await this.#source.rows(sql`${one} UNION ALL ${contact}`)
    const ofKind = (kind: Kind) => rows.filter((row) => row.kind === kind)
    this.#source.add('contacts', ofKind('contacts'))
    return this.#foundIn(ofKind('conversations'))[0]
  }

  /** Adds rows that another kind has read. */
  add(rows: readonly Row[]): void {
    this.#foundIn(rows)
  }

  async #rows(select: Sql): Promise<readonly FoundRecord<K>[]> {
    return this.#foundIn(await this.#source.rows(select))
  }

  #foundIn(rows: readonly Row[]): FoundRecord<K>[] {
    const found = rows.filter(({ seq }) => seq !== null).map((row) => foundIn<K>(row))
    for (const one of found) if (one.record) this.#read.set(one.id, one)
    return found
  }

  #byIds(ids: readonly string[]): Sql {
    const { isOfTeam, tables } = this.#source
    return sql`SELECT r.seq, r.id, r.data, r.keys, r.kind FROM ${tables.records} r WHERE ${isOfTeam} AND r.kind = ${this.kind} AND r.id = ANY (${ids})`
  }

  /** The places of the records that have the value. */
  #places(index: IndexOf<K>, value: string): Sql {
    const { isOfTeam, tables } = this.#source
    return sql`SELECT seq FROM ${tables.entries} WHERE ${isOfTeam} AND key = ${keyOf(this.kind, index, value)}`
  }

  /** Without a join: with statistics older than a large team, PostgreSQL plans a join that takes minutes. */
  #select(places: Sql, columns = sql`r.seq, r.id, r.data, r.keys`): Sql {
    const { isOfTeam, tables } = this.#source
    return sql`SELECT ${columns} FROM ${tables.records} r WHERE ${isOfTeam} AND r.seq = ANY (ARRAY (${places}))`
  }

  /** The records with one of the values, oldest first: the rows with the changes. */
  #within(rows: readonly FoundRecord<K>[], index: IndexOf<K>, values: readonly string[]): Kinds[K][] {
    const unchanged = rows.filter(({ id }) => !this.changes.has(id))
    const changed = [...this.changes.values()].map(({ is }) => is)
    return [...unchanged, ...changed]
      .filter(
        (found): found is NewRecord<K> => found?.record !== undefined && this.#hasValue(found.record, index, values),
      )
      .sort((one, other) => one.place - other.place)
      .map(({ record }) => record)
  }

  /** The number of changed records of the database. New records do not count, so that the same select is sent only once. */
  get #outdated(): number {
    let outdated = 0
    for (const { was } of this.changes.values()) if (was) outdated++
    return outdated
  }

  #hasValue(record: Kinds[K], index: IndexOf<K>, values: readonly string[]): boolean {
    return this.#indexes[index]?.(record).some((value) => values.includes(value)) ?? false
  }

  #cached(): readonly Kinds[K][] | undefined {
    return this.changes.size === 0 ? this.#source.cached(this.kind) : undefined
  }

  async #page(index: IndexOf<K>, values: readonly string[], { skip, take, order }: Part): Promise<Page<Kinds[K]>> {
    const direction = order === 'oldestFirst' ? sql`ASC` : sql`DESC`
    // With changes, reads from the first record on, since changed records may come before the page.
    const changed = this.changes.size
    const [from, length] = changed === 0 ? [skip, take] : [0, skip + take + this.#outdated]
    const each = [...new Set(values)].map(
      (value) => sql`(${this.#places(index, value)} ORDER BY seq ${direction} LIMIT ${from + length})`,
    )
    if (each.length === 0) return { total: 0, records: [] }
    const places = sql`SELECT seq FROM (${joined(each, ' UNION ALL ')}) e ORDER BY seq ${direction} LIMIT ${length} OFFSET ${from}`
    const rows = await this.#source.rows(this.#select(places), this.#total(index, values))
    const found = this.#foundIn(rows)
    const within = this.#within(found, index, values)
    const records = order === 'oldestFirst' ? within : within.reverse()
    const total = this.#totalIn(rows[0], index, values)
    return { total, records: changed === 0 ? records : records.slice(skip, skip + take) }
  }

  async #fromOtherEnd(index: IndexOf<K>, values: readonly string[], part: Part): Promise<Page<Kinds[K]>> {
    const order = part.order === 'oldestFirst' ? 'newestFirst' : 'oldestFirst'
    const { total, records } = await this.#page(index, values, { ...part, take: Math.max(0, part.take), order })
    return { total, records: records.toReversed() }
  }

  /** A column with the number of records that the database has. */
  #total(index: IndexOf<K>, values: readonly string[]): Sql {
    const { entries, counts } = this.#source.tables
    const keys = [...new Set(values)].map((value) => keyOf(this.kind, index, value))
    if (keys.length === 0) return sql`, 0 AS total`
    const [what, table] = isCounted(this.kind, index) ? [sql`sum(count)`, counts] : [sql`count(*)`, entries]
    return sql`, (SELECT ${what} FROM ${table} WHERE ${this.#source.isOfTeam} AND key = ANY (${keys})) AS total`
  }

  #totalIn(row: Row | undefined, index: IndexOf<K>, values: readonly string[]): number {
    const keys = values.map((value) => keyOf(this.kind, index, value))
    const has = (found: StoredRecord<K> | undefined) => (found?.keys.some((key) => keys.includes(key)) ? 1 : 0)
    let total = Number(row?.total ?? 0)
    for (const { was, is } of this.changes.values()) total += has(is) - has(was)
    return total
  }
}

interface FoundRecord<K extends Kind> extends StoredRecord<K> {
  readonly id: string
}

function foundIn<K extends Kind>({ seq, id, data, keys }: Row): FoundRecord<K> {
  return {
    place: Number(seq),
    id: String(id),
    keys: keys === '' ? [] : String(keys).split(','),
    record: typeof data === 'string' ? (JSON.parse(data) as Kinds[K]) : undefined,
  }
}
